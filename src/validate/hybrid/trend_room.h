/* SPDX-License-Identifier: MIT */
/* Rooms for examining levels over frequency: boxes and rooms from models, walls of constant
 * impedance, sources and receivers at random positions. */
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
    const char *model;   /* name in models[], in place of the size; NULL: a box */
    double walls, floor; /* specific impedances; a floor of 0 equals the walls, as does the whole surface of a model */
    double edge;         /* Hz: end of the valid band of the wave solver */
    double seconds;      /* of the responses */
    double scattering;   /* scattering coefficient; 0: smooth walls */
    bool even;           /* absorption */
    bool quick;          /* also without --full */
};

struct trend_room {
    struct space_box box; /* the room is a member of this */
    struct source sources[TREND_SOURCES];
    struct receiver receivers[TREND_RECEIVERS];
    struct scene_mesh mesh; /* for models */
    size_t mesh_materials[SCENE_MESH_MATERIALS];
};

/* Makes the room and its positions; space_box_make(&room->box) makes the model on its grid.
 * `model`: index in models[]. Do not move it; free with trend_room_free, also after an error. */
int trend_room_make(struct trend_room *room, const struct trend_spec *spec, size_t model, struct validation *v,
                    struct error *e);
void trend_room_free(struct trend_room *room);

/* Walls of a box for checks of image sources and rays. */

enum wall_set { WALLS_LIVE, WALLS_DAMPED, WALLS_PANEL, WALLS_MIXED, WALL_SETS };
extern const char *const wall_set_names[WALL_SETS];

/* admittance [FACES] at an angular frequency in rad/s, with Re > 0. */
void wall_set_at(double complex *admittance, enum wall_set set, double complex omega);

#endif
