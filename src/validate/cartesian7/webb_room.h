/* SPDX-License-Identifier: MIT */
/* Webb's room as a model, with walls of several kinds. */
#ifndef AULA_VALIDATE_CARTESIAN7_WEBB_ROOM_H
#define AULA_VALIDATE_CARTESIAN7_WEBB_ROOM_H

#include "room/grid/model.h"

enum { WEBB_X = 256, WEBB_Y = 296, WEBB_Z = 212, WEBB_STEPS = 44100, WEBB_RECEIVERS = 8 };

/* Branches: every wall is a heavy curtain, with one branch for each octave in the valid band (63
 * Hz to 2 kHz) and one above. Six: every wall has the same six resonators in every scheme. */
enum wall_kind { WALLS_FIXED, WALLS_RIGID, WALLS_REAL, WALLS_BRANCHES, WALLS_SIX, WALL_KINDS };
enum { WEBB_WALLS = WALLS_SIX }; /* those of bench webb come first */
#define WEBB_POINTS ((double)WEBB_X * WEBB_Y * WEBB_Z)

extern const char *const wall_kind_names[WALL_KINDS];

/* Grids for such a room: Webb's, and a cube with 512 points per side. */
enum room_grid { GRID_WEBB, GRID_CUBE, ROOM_GRIDS };
extern const size_t room_grids[ROOM_GRIDS][3];

/* An open solver for that room, with either stencil and without a frequency map, with random
 * values in both levels (zeros may run faster than sound). */
struct webb_room {
    struct room room;
    struct material material;
    struct source source;
    struct receiver receivers[WEBB_RECEIVERS];
    struct model *model;
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver;
    size_t nz, points;
    void *noise; /* [points] in the precision of the field, zero mean */
};
/* points [3] */
int webb_room_open_points(struct webb_room *w, const size_t points[3], enum air_stencil stencil, size_t wall_kind,
                          enum precision precision, const struct solver_options *choice, struct error *e);
int webb_room_open(struct webb_room *w, enum room_grid grid, enum air_stencil stencil, size_t wall_kind,
                   enum precision precision, const struct solver_options *choice, struct error *e);
void webb_room_close(struct webb_room *w);

/* Puts the same random values again. */
int webb_room_fill(struct webb_room *w, struct error *e);

/* The field after `steps` silent steps from these values, newly allocated and initialized with
 * NaN. */
int webb_room_field_after(void **field, struct webb_room *w, size_t steps, struct error *e);

/* Largest difference of two fields relative to the peak of the second; NaN if any value is NaN. */
double webb_room_difference(const void *got, const void *expected, size_t points, enum precision precision);

/* Seconds per step: median of WEBB_RUNS runs of `steps` steps after a warm-up run. */
enum { WEBB_RUNS = 5 };
int webb_room_time_steps(double *step, struct webb_room *w, size_t steps, struct error *e);

#endif
