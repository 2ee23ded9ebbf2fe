/* SPDX-License-Identifier: MIT */
/* The model: a room on its grid, ready to be stepped. Constant once made. */
#ifndef AULA_ROOM_GRID_MODEL_H
#define AULA_ROOM_GRID_MODEL_H

#include "room/grid/air.h"
#include "room/grid/grid.h"
#include "room/grid/partitions.h"
#include "room/grid/room_measures.h"
#include "room/grid/room_voxels.h"
#include "room/grid/walls.h"
#include "solver/schemes/leapfrog/problem.h"
#include "solver/solver.h"

/* A source or receiver on the grid: weights of the grid points around it (placement.h). */
struct placed {
    double position[3]; /* m: where it is on the grid, which differs from the given position next to walls (7-point
                           grids: the weighted centre of its points) and objects */
    struct channel channel;
};

struct model {
    const struct room *room; /* outlives the model */
    struct grid grid;
    struct room_voxels voxels;
    struct room_measures space;
    struct partitions partitions;
    struct wall_model *walls; /* [room->material_count] */
    size_t bands;             /* octaves in the valid band */
    struct placed *sources;   /* [room_drive_count(room)]: the drives of each source in turn; weights include λ²/X */
    int *orders;              /* [room->source_count]: of the patterns, as walls nearby allow them */
    struct placed *receivers; /* [room_tap_count(room)]: the taps of each receiver in turn */
    struct field_lattice *lattices; /* while sources and receivers are placed */
    struct kept_rows *rows;         /* of its problems: one scan of the voxels for all of them */
    char **notes;                   /* facts about this model for the user, one line each */
    size_t note_count;
    char **warnings;
    size_t warning_count;
};

/* For what is to be stepped on it (NULL: responses to each source). */
int model_make_for(struct model **m, const struct room *room, const struct grid_use *use, struct error *e);
int model_make(struct model **m, const struct room *room, struct error *e);
/* Makes its walls again after absorption in the room has changed; no solver of the model may be open. The positions of
 * sources and receivers and the notes stay. The model is unchanged after an error. */
int model_remake_walls(struct model *m, struct error *e);
void model_free(struct model *m); /* NULL-safe */

/* Hz: of the files that are made of it. */
static inline double model_output_rate(const struct model *m)
{
    return m->room->output.rate > 0.0 ? m->room->output.rate : m->grid.rate;
}

/* One line, in fresh memory, that describes the treatment of the air; NULL: out of memory. */
char *model_air_note(const struct model *m, enum air_method method);

/* The problem of this model, with its receivers as taps and `count` of its sources, from `first`, as drives. Its
 * parameters are *l, which must outlive *p; the caller may change both before a solver opens. Free the channel arrays
 * with model_problem_free; the channels' entries and l->voxels, NULL where there are more than can be stepped, belong
 * to the model. */
int model_problem(struct problem *p, struct leapfrog_problem *l, const struct model *m, size_t first, size_t count,
                  struct error *e);
void model_problem_free(struct problem *p);

#endif
