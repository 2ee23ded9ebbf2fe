/* SPDX-License-Identifier: MIT */
/* Rooms whose levels are followed over frequency: boxes and rooms from models, walls of frequency-independent
 * impedance, sources and receivers at random places. */
#ifndef AULA_VALIDATE_HYBRID_TREND_ROOM_H
#define AULA_VALIDATE_HYBRID_TREND_ROOM_H

#include <complex.h>

#include "base/acoustics/conventions.h"
#include "validate/geometry/model_room.h"
#include "validate/space/rig.h"

enum { TREND_SOURCES = 8, TREND_RECEIVERS = 32 };

struct trend_spec {
    const char *name;
    double size[3];      /* m, of a box */
    const char *model;   /* name of one of models[], in place of the size; NULL: a box */
    double walls, floor; /* specific impedances; a floor of 0 is as the walls, and all of a model is */
    double edge;         /* Hz: end of the waves' valid band */
    double seconds;      /* of the responses */
    double scattering;   /* 0: of smooth walls */
    bool even;           /* absorption */
    bool quick;          /* not only with --full */
};

struct trend_room {
    struct space_box box; /* the room, of which the rest is a part */
    struct source sources[TREND_SOURCES];
    struct receiver receivers[TREND_RECEIVERS];
    struct scene_mesh mesh; /* of a model */
    size_t mesh_materials[SCENE_MESH_MATERIALS];
};

/* The room alone, with its places; a model on its grid by space_box_make(&room->box). `model`: index of models[].
 * Do not move it; ends with trend_room_free, also after an error. */
int trend_room_make(struct trend_room *room, const struct trend_spec *spec, size_t model, struct validation *v,
                    struct error *e);
void trend_room_free(struct trend_room *room);

/* Walls of a box by which the geometric half is judged. */

enum wall_set { WALLS_LIVE, WALLS_DAMPED, WALLS_PANEL, WALLS_MIXED, WALL_SETS };
extern const char *const wall_set_names[WALL_SETS];

/* admittance [FACES] at an angular frequency, rad/s, with Re > 0. */
void wall_set_at(double complex *admittance, enum wall_set set, double complex omega);

#endif
