/* SPDX-License-Identifier: MIT */
#include "model/grid_spacing.h"

#include <math.h>
#include <stdbool.h>

/* Candidates of each axis: in grids of more than 100 times as many cells along it, the first of them are close to whole
 * numbers of cells along the others anyway. */
enum { CANDIDATES_MAX = 1000 };

/* Sizes that are a whole number of cells up to rounding are not cut finer. */
static const double whole = 1e-9;

static double worst_rounding(const double size[3], int exact, double spacing)
{
    double worst = 0.0;
    for (int axis = 0; axis < 3; axis++)
        if (axis != exact)
            worst = fmax(worst, fabs(round(size[axis] / spacing) * spacing - size[axis]));
    return worst;
}

struct grid_fit grid_fit_spacing(const double size[3], double spacing)
{
    struct grid_fit best = {.axis = -1}, largest = {.spacing = 0.0};
    double least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const double cells = size[axis] / spacing, fewest = fmax(1.0, ceil(cells * (1.0 - whole)));
        for (int i = 0; i < CANDIDATES_MAX; i++) {
            const struct grid_fit fit = {size[axis] / (fewest + i), axis, fewest + i};
            if (fit.spacing > largest.spacing)
                largest = fit;
            if (!(fit.spacing > (1.0 - GRID_FINER) * spacing))
                break;
            const double rounding = worst_rounding(size, axis, fit.spacing);
            /* equal up to rounding: the coarser */
            const bool equal = fabs(rounding - least) <= whole * fit.spacing;
            if (equal ? fit.spacing > best.spacing * (1.0 + whole) : rounding < least) {
                least = rounding;
                best = fit;
            }
        }
    }
    return best.axis < 0 ? largest : best;
}
