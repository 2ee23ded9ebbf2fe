/* SPDX-License-Identifier: MIT */
/* Partitions: materials that let sound through to the air on their other side, on the grid. */
#ifndef AULA_ROOM_GRID_PARTITIONS_H
#define AULA_ROOM_GRID_PARTITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "room/room.h"
#include "solver/schemes/leapfrog/problem.h"

struct model;

#define PARTITION_NO_ROOM SIZE_MAX

/* A material with transmission on a grid. */
struct partition {
    double mass;      /* kg/m² that is simulated: light ones are raised to the least that the scheme can step */
    uint64_t faces;   /* pairs of faces of voxels that it joins */
    double area;      /* m² of these */
    double deepest;   /* m between two of them, at most */
    double uncounted; /* m² of these where more objects stand one behind the other than the materials of its faces */
    bool mixed;       /* faces of another material lie behind some */
    bool on_wall;     /* a warning says that some of it lies on an outer wall */
};

/* An air space that only partitions connect with others. */
struct partition_room {
    double volume; /* m³ */
    bool reached;  /* from the room of the first source or receiver, through partitions */
};

struct partitions {
    struct partition *of;         /* [material_count] */
    bool any;                     /* some material has transmission; else there are no rooms */
    bool counted;                 /* faces and rooms are known */
    const struct voxel_set *set;  /* of the model, where there are partitions and the grid can be stepped; or NULL */
    struct partition_room *rooms; /* [room_count], in the order of their first voxels */
    size_t room_count;
    size_t
        *room_of; /* of each source and, from room->source_count on, each place of a receiver; PARTITION_NO_ROOM: it is
                        not in air of the grid */
};

/* m->partitions, of the grid, voxels and materials of a model. ERROR_MEMORY, ERROR_STOPPED. */
int partitions_make(struct model *m, struct error *e);
void partitions_free(struct partitions *p); /* safe on a zeroed struct */

/* The sheet that the grid steps for a material; zero: it lets nothing through. */
struct transmission partition_transmission(const struct model *m, size_t material);

/* Notes and warnings: masses that are raised, coincidence, faces without air behind, rooms that nothing joins. */
int partitions_note(struct model *m, struct error *e);

/* ρc of the air of a room, Pa s/m. */
double partition_air_impedance(const struct room *room);
/* Sound reduction index, dB, at normal incidence: 10 lg |1 + z/(2ρc)|², z = r + jωm; and its mean over incidence up to
 * 78 degrees, the field incidence of ISO 12354-1. */
double partition_reduction(const struct material_transmission *t, double air_impedance, double frequency);
/* At oblique incidence: 10 lg |1 + z cos θ/(2ρc)|². */
double partition_reduction_at(const struct material_transmission *t, double air_impedance, double frequency,
                              double cosine);
double partition_field_reduction(const struct material_transmission *t, double air_impedance, double frequency);
/* Hz: c²/(2π) sqrt(m/B); 0: the stiffness is not known. */
double partition_coincidence(const struct material_transmission *t, double sound_speed);

#endif
