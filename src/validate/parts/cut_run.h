/* SPDX-License-Identifier: MIT */
/* A problem of a random room for checks of grids in parts: walls of any kind, drives and taps
 * anywhere, lossy or lossless air, and noise in the field. */
#ifndef AULA_VALIDATE_PARTS_CUT_RUN_H
#define AULA_VALIDATE_PARTS_CUT_RUN_H

#include "solver/engine.h"
#include "solver/schemes/leapfrog/rows.h"
#include "validate/geometry/random_room.h"
#include "validate/geometry/voxel_run.h"
#include "validate/validate.h"

enum { CUT_CHANNELS = 5, CUT_ENTRIES = 6, CUT_STEPS_MAX = 40 };

struct cut_outcome {
    void *field[2]; /* p and p_previous */
    double *taps;   /* [CUT_CHANNELS][steps] */
    struct audit audit;
    bool linked; /* halos passed through links */
};

struct cut_run {
    struct voxel_run run;
    struct kept_rows *rows;
    struct channel drives[CUT_CHANNELS], taps[CUT_CHANNELS];
    struct channel_entry entries[2][CUT_CHANNELS][CUT_ENTRIES];
    double drive[CUT_CHANNELS * CUT_STEPS_MAX];
    bool silent;                /* whether the drives are silent */
    size_t links;               /* number of links through partitions */
    size_t steps, block, bytes; /* of a run; of one call; of a field */
    void *noise[2];             /* p and p_previous */
    struct cut_outcome expected, got;
};

/* Draws everything. *b is NULL if no point of the room is stepped, as may happen with random
 * cells. */
int cut_run_make(struct cut_run **b, const struct random_room *room, enum air_stencil stencil, enum precision precision,
                 struct random *r, struct error *e);
void cut_run_free(struct cut_run *b); /* NULL-safe */

/* Opens a solver, and puts the noise. */
int cut_run_open(struct solver **s, const struct cut_run *b, const struct solver_options *c, struct error *e);
/* Takes steps `from` .. `to` - 1, in blocks, with the taps of `o`. */
int cut_run_steps(struct solver *s, const struct cut_run *b, size_t from, size_t to, struct cut_outcome *o,
                  struct error *e);
/* Gets the field and the audit, and closes the solver. */
int cut_run_end(struct solver *s, const struct cut_run *b, struct cut_outcome *o, struct error *e);
/* All of these in sequence. */
int cut_run_compute(struct cut_run *b, const struct solver_options *c, struct cut_outcome *o, struct error *e);
/* Fills b->got with values that reveal missing writes. */
void cut_run_blank(const struct cut_run *b, struct cut_outcome *o);

/* Number of values of p and p_previous, and of taps, in which `got` differs from `expected`, at
 * points that are stepped. */
uint64_t cut_run_wrong_field(const struct cut_run *b);
uint64_t cut_run_wrong(const struct cut_run *b); /* both */
/* Largest difference of taps relative to the largest tap, as engines sum in different orders. */
double cut_run_taps(const struct cut_run *b);
/* Largest difference of an audit relative to the energy stored and absorbed. */
double cut_run_energy(const struct cut_run *b);

/* Whether a requested kernel, depth or tile does not apply to a room, which is not a failure. */
static inline bool cut_run_does_not_apply(const struct error *e)
{
    return e->code == ERROR_ENGINE || e->code == ERROR_USAGE;
}

/* Whether partitions across z leave no position for cuts, which is not a failure either. */
bool cut_run_has_no_cut(const struct cut_run *b, const struct solver_options *c, const struct error *e);

/* The engine for these checks: the cpu engine, unless another is named. NULL with *e filled. */
const struct engine *cut_run_engine(const struct solver_options *c, struct error *e);

extern const struct check resumed_check; /* resumed.c */

/* Voxels made jointly by parts compared with those made by one, including steps in them: a row
 * of `bits`. */
int made_voxels_check(struct validation *v, struct report *r, int cases, struct error *e);

#endif
