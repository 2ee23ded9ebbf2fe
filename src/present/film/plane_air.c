/* SPDX-License-Identifier: MIT */
#include "present/film/plane_air.h"

#include <math.h>

#include "base/stop.h"

static const double FINER = 1.5, POINTS_MOST = 2e8; /* ratio of successive trial grids; largest trial grid, points */
static const double WITHIN = 0.01;                  /* margin at both ends of a layer, in layers */
enum { DECIMALS = 6 };

/* The coordinate with the fewest decimals within the layer of voxels that begins at `low`, as close to the requested
 * plane as possible. */
static double shortest_within(double low, double spacing, bool above)
{
    const double first = low + WITHIN * spacing, last = low + (1.0 - WITHIN) * spacing;
    for (double scale = 1.0; scale <= pow(10.0, DECIMALS); scale *= 10.0) {
        const double place = (above ? ceil(first * scale) : floor(last * scale)) / scale;
        if (place >= first && place <= last)
            return place;
    }
    return low + 0.5 * spacing;
}

/* m: the closest plane with air; NaN: none. */
static double nearest_place(const struct plane_asked *asked)
{
    const struct grid *g = &asked->m->grid;
    const double layers = (double)g->voxels[asked->axis];
    const double own = floor((asked->at - g->origin[asked->axis]) / g->spacing);
    for (double away = 0.0; away <= layers && !stop_requested(); away += 1.0)
        for (int above = 1; above >= 0; above--) {
            const double layer = own + (above ? away : -away);
            if (!(layer >= 0.0 && layer < layers))
                continue;
            const double place = shortest_within(g->origin[asked->axis] + layer * g->spacing, g->spacing, above != 0);
            if (asked->has_air(asked->context, asked->m, place))
                return place;
        }
    return NAN;
}

static double two_digits_up(double value)
{
    const double digit = pow(10.0, floor(log10(value)) - 1.0);
    return ceil(value / digit) * digit;
}

static bool finer_does(const struct plane_asked *asked, const struct room *finer)
{
    static const struct grid_use use = {.purpose = PURPOSE_RESPONSES};
    struct model *m = NULL;
    struct error ignored;
    const bool does =
        !model_make_for(&m, finer, &use, &ignored) && m->voxels.set && asked->has_air(asked->context, m, asked->at);
    model_free(m);
    return does;
}

/* Hz: max_frequency or rate of the coarsest trial grid with air in the requested plane; 0: none of the trials has. */
static double finer_grid(const struct plane_asked *asked)
{
    const struct model *m = asked->m;
    struct room finer = *m->room;
    double *key = finer.grid.max_frequency > 0.0 ? &finer.grid.max_frequency : &finer.grid.rate;
    const double given = *key, points = (double)grid_points(&m->grid);
    finer.receiver_count = 0;
    finer.grid.scheme = scheme_key(m->grid.stencil);
    for (double share = FINER; points * share * share * share <= POINTS_MOST; share *= FINER) {
        *key = two_digits_up(given * share);
        if (stop_requested() || finer.sized_by_points || !(given > 0.0))
            return 0.0;
        if (finer_does(asked, &finer))
            return *key;
    }
    return 0.0;
}

int plane_refuse(const struct plane_asked *asked, const char *what, struct error *e)
{
    const char axis = (char)('x' + asked->axis);
    const double place = nearest_place(asked), grid = finer_grid(asked);
    const char *key = asked->m->room->grid.max_frequency > 0.0 ? "max_frequency" : "rate";
    char other[64] = "";
    if (stop_check(e))
        return -1;
    if (isfinite(place))
        snprintf(other, sizeof other, "%c=%.15g", axis, place);
    if (grid > 0.0)
        return fail(e, ERROR_INPUT,
                    "--plane %c=%g: %s, as a grid spacing of %.3g m cannot resolve the distance to the nearest "
                    "surface; use %s%s--set grid.%s=%.15g",
                    axis, asked->at, what, asked->m->grid.spacing, other, *other ? " or " : "", key, grid);
    return fail(e, ERROR_INPUT, "--plane %c=%g: %s%s%s", axis, asked->at, what, *other ? "; use " : "", other);
}
