/* The materials of a room on its grid: real specific admittances, or branches. */
#ifndef AULA_MODEL_WALLS_H
#define AULA_MODEL_WALLS_H

#include "model/grid.h"

/* Errors above the first are marked, above the second refused. */
#define FIT_GOOD 0.02
#define FIT_WORST 0.1
#define FIT_OVERSHOOT 0.05 /* absorption above the two nearest targets: more is a warning */

struct wall_model {
    double admittance;                    /* real specific admittance Y = 1/ξ */
    struct branch branches[BRANCHES_MAX]; /* in parallel, in units of the time step: D/k, E, F k */
    size_t branch_count;
    double target[OCTAVE_BANDS]; /* random-incidence absorption asked for; NaN: none, or beyond the valid band */
    double fitted[OCTAVE_BANDS]; /* mean over the octave of this wall's; NaN: beyond the valid band, or fixed */
    size_t worst_band;           /* with the largest difference, if a target is given */
    double worst_linear;         /* largest error of the means over linear frequency, if a target is given */
    double overshoot;            /* largest absorption above the larger of the two nearest targets, likewise */
};

/* Octaves whose centre lies in the valid band; at least one. */
size_t walls_bands(const struct grid *g);

/* walls[room->material_count], to be freed. Materials are fitted in the first `bands` octaves. Fails with the name of a
 * material whose fit is worse than FIT_WORST. */
int walls_make(struct wall_model **walls, const struct room *room, size_t bands, double rate, struct error *e);

/* Makes one wall; `path` is used in messages where the material's origin is not known. */
int wall_make(struct wall_model *wall, const struct material *material, size_t bands, double rate, const char *path,
              struct error *e);

/* |fitted - target| in a band; 0 where either is NaN. */
double wall_misfit(const struct wall_model *wall, size_t band);

#endif
