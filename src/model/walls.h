/* What the materials of a room become on its grid: a real specific admittance, or branches. */
#ifndef AULA_MODEL_WALLS_H
#define AULA_MODEL_WALLS_H

#include "model/grid.h"

/* Fits further off than this are marked, than the second refused. */
#define FIT_GOOD 0.02
#define FIT_WORST 0.1
#define FIT_OVERSHOOT 0.05 /* absorbed above the targets to either side of a frequency: more is said */

struct wall_model {
    double admittance;                    /* real specific admittance Y = 1/ξ */
    struct branch branches[BRANCHES_MAX]; /* beside it, in units of the time step: D/k, E, F k */
    size_t branch_count;
    double target[OCTAVE_BANDS]; /* random-incidence absorption asked for; NaN: nothing was, or beyond the valid band */
    double fitted[OCTAVE_BANDS]; /* and what this wall has, mean over the octave; NaN: beyond the valid band, or held */
    size_t worst_band;           /* where they differ most, when something was asked for */
    double worst_linear;         /* how far the means over linear frequency are off, when something was asked for */
    double overshoot; /* the most absorbed above the larger of the targets to either side of a frequency, likewise */
};

/* Octaves whose centre lies in the valid band; at least one. */
size_t walls_bands(const struct grid *g);

/* walls[room->material_count], to be freed. A material is fitted for the first `bands` octaves. Fails with the name of
 * a material whose absorption no passive wall that was tried comes within FIT_WORST of. */
int walls_make(struct wall_model **walls, const struct room *room, size_t bands, double rate, struct error *e);

/* One of them; `path` stands in messages where the material's origin is not known. */
int wall_make(struct wall_model *wall, const struct material *material, size_t bands, double rate, const char *path,
              struct error *e);

/* |fitted - target| in a band; 0 where either is NaN. */
double wall_misfit(const struct wall_model *wall, size_t band);

#endif
