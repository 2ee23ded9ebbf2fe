/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/wind.h"

#include <stdlib.h>

#include "solver/schemes/bodies/wind_solve.h"

_Static_assert(sizeof(struct reed_state) == WIND_REED_VALUES * sizeof(double), "the state of a reed is doubles");
_Static_assert(sizeof(struct opening_state) == WIND_OPENING_VALUES * sizeof(double), "that of an opening as well");

size_t wind_state_bytes(const struct wind *w)
{
    const size_t faces = w->bore.cells + 1;
    return (WIND_HEAD_VALUES + WIND_OPENING_VALUES * w->opening_count + w->bore.cells + (1 + WALL_BRANCHES) * faces) *
           sizeof(double);
}

size_t wind_values(const struct wind *w)
{
    return WIND_HOLES + w->opening_count;
}

size_t wind_points(const struct wind *w)
{
    size_t sum = 0;
    for (size_t i = 0; i < w->opening_count; i++)
        sum += w->openings[i].points;
    return sum;
}

/* By the cells of the bore that two openings share. */
static double mutual_of_cells(const struct wind *w, const struct opening *a, const struct opening *b)
{
    double sum = 0.0;
    for (size_t cell = a->cell; cell <= wind_last_cell(a); cell++)
        sum += wind_weight(a, cell) * wind_weight(b, cell) * w->bore.impedance[cell];
    return sum;
}

/* By the points of the field that two openings share; a->impedance is ρc²k/2n_a X³. */
static double mutual_of_points(const struct opening *a, const uint64_t *of_a, const struct opening *b,
                               const uint64_t *of_b)
{
    size_t shared = 0;
    for (size_t i = 0; i < a->points; i++)
        for (size_t k = 0; k < b->points; k++)
            shared += of_a[i] == of_b[k];
    return shared ? a->impedance * (double)shared / (double)b->points : 0.0;
}

static int check_opening(const struct wind *w, size_t i, struct error *e)
{
    const struct opening *o = &w->openings[i];
    const size_t last = wind_last_cell(o), cells = w->bore.cells;
    if (wind_is_end(w, i) ? o->cell != cells - 1 || last != o->cell : o->cell == 0 || last >= cells - 1)
        return fail(e, ERROR_INPUT,
                    "hole %zu lies at the reed or at the end of the bore; move it, or raise the rate of the steps", i);
    if (!(o->inertance >= 0.0))
        return fail(e, ERROR_INPUT, "opening %zu is too wide for its points of the grid; use more of them", i);
    return 0;
}

int wind_couple_openings(struct wind *w, struct error *e)
{
    const size_t count = w->opening_count;
    w->mutual = NULL;
    if (count < 1 || count > OPENINGS_MAX)
        return fail(e, ERROR_INPUT, "the bore has %zu openings; use 1 to %d", count, OPENINGS_MAX);
    for (size_t i = 0; i < count; i++)
        if (check_opening(w, i, e))
            return -1;
    w->mutual = calloc(count * count, sizeof *w->mutual);
    if (!w->mutual)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t of_a = 0;
    for (size_t i = 0; i < count; of_a += w->openings[i++].points) {
        size_t of_b = 0;
        for (size_t k = 0; k < count; of_b += w->openings[k++].points) {
            const struct opening *a = &w->openings[i], *b = &w->openings[k];
            w->mutual[i * count + k] = mutual_of_cells(w, a, b);
            if (i != k && a->points && b->points) /* its own is in the resistance of the opening */
                w->mutual[i * count + k] += mutual_of_points(a, w->points + of_a, b, w->points + of_b);
        }
    }
    return 0;
}

struct wind_output wind_step(const struct wind *w, double *state, const struct wind_input *input, double *flow)
{
    double factor[OPENINGS_MAX * OPENINGS_MAX], inside[2 * OPENINGS_MAX], lost;
    uint32_t open[OPENINGS_MAX], open_count;
    struct wind_output output;
    const struct wind_solve s = {.wind = w,
                                 .state = state,
                                 .input = *input,
                                 .lost = &lost,
                                 .output = &output,
                                 .inside = inside,
                                 .factor = factor,
                                 .open = open,
                                 .open_count = &open_count};
    const struct wind_parts p = wind_parts_of(w, state);
    const struct team alone = {0, 1};
    wind_solve_inside(&s, alone);
    wind_solve_openings(&s, flow, alone);
    for (size_t i = 0; i < w->opening_count; i++)
        for (size_t cell = w->openings[i].cell; cell <= wind_last_cell(&w->openings[i]); cell++)
            wind_release(w, &p, &w->openings[i], cell, flow[i]);
    return output;
}

double wind_energy(const struct wind *w, const double *state)
{
    const struct wind_parts p = wind_parts_of(w, (double *)state);
    double sum = bore_energy(&w->bore, &p.bore) + reed_energy(&w->reed, p.reed, w->bore.grid.time_step);
    for (size_t i = 0; i < w->opening_count; i++)
        sum += opening_energy(&w->openings[i], &p.openings[i], w->bore.grid.time_step);
    return sum;
}

double wind_lost(const double *state)
{
    return state[0];
}

double wind_given(const double *state)
{
    return state[1];
}

double wind_opening(const struct wind *w, const double *state)
{
    return w->reed.opening + wind_parts_of(w, (double *)state).reed->now;
}

const double *wind_pressure(const struct wind *w, const double *state)
{
    return wind_parts_of(w, (double *)state).bore.pressure;
}
