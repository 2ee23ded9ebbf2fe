/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/wind.h"

#include <math.h>

/* The block of the state: lost, given, the reed, the openings, pressures, flows, branches. */
struct parts {
    double *lost, *given;
    struct reed_state *reed;
    struct opening_state *openings;
    struct bore_state bore;
};
enum { REED_VALUES = sizeof(struct reed_state) / sizeof(double), OPENING_VALUES = 2, HEAD_VALUES = 2 + REED_VALUES };
_Static_assert(sizeof(struct reed_state) == REED_VALUES * sizeof(double), "the state of a reed is doubles");
_Static_assert(sizeof(struct opening_state) == OPENING_VALUES * sizeof(double), "that of an opening as well");

static struct parts parts_of(const struct wind *w, double *state)
{
    struct parts p = {.lost = state, .given = state + 1, .reed = (struct reed_state *)(state + 2)};
    p.openings = (struct opening_state *)(state + HEAD_VALUES);
    p.bore.pressure = state + HEAD_VALUES + OPENING_VALUES * w->opening_count;
    p.bore.flow = p.bore.pressure + w->bore.cells;
    p.bore.branch = p.bore.flow + w->bore.cells + 1;
    return p;
}

size_t wind_state_bytes(const struct wind *w)
{
    const size_t faces = w->bore.cells + 1;
    return (HEAD_VALUES + OPENING_VALUES * w->opening_count + w->bore.cells + (1 + WALL_BRANCHES) * faces) *
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

int wind_check(const struct wind *w, struct error *e)
{
    if (w->opening_count < 1 || w->opening_count > OPENINGS_MAX)
        return fail(e, ERROR_INPUT, "the bore has %zu openings; use 1 to %d", w->opening_count, OPENINGS_MAX);
    for (size_t i = 0; i < w->opening_count; i++) {
        const struct opening *o = &w->openings[i];
        if (o->cell == 0 || o->cell >= w->bore.cells || (i == 0) != (o->cell == w->bore.cells - 1))
            return fail(e, ERROR_INPUT, "opening %zu lies in cell %zu of %zu, that of the reed or the end; move it", i,
                        o->cell, w->bore.cells);
        for (size_t k = 0; k < i; k++)
            if (w->openings[k].cell == o->cell)
                return fail(e, ERROR_INPUT, "openings %zu and %zu lie in the same cell of the bore; use a higher rate",
                            k, i);
        if (!(o->inertance >= 0.0))
            return fail(e, ERROR_INPUT, "opening %zu is too wide for its points of the grid; use more of them", i);
    }
    return 0;
}

/* ū of an opening; its cell then loses it. */
static double step_opening(const struct wind *w, const struct parts *p, const struct wind_input *input, size_t i)
{
    const struct opening *o = &w->openings[i];
    const double z = w->bore.impedance[o->cell];
    const double mean = p->bore.pressure[o->cell] - z * (p->bore.flow[o->cell + 1] - p->bore.flow[o->cell]);
    const double conductance = i == 0 ? (double)INFINITY : input->conductance ? input->conductance[i] : 0.0;
    return opening_step(o, &p->openings[i], w->bore.grid.time_step, mean, z, input->outside ? input->outside[i] : 0.0,
                        conductance, p->lost);
}

struct wind_output wind_step(const struct wind *w, double *state, const struct wind_input *input, double *flow)
{
    const struct parts p = parts_of(w, state);
    const struct bore_grid *g = &w->bore.grid;
    const double z = w->bore.impedance[0];
    for (size_t j = 1; j < w->bore.cells; j++)
        *p.lost += bore_step_face(&w->bore, &p.bore, j);
    for (size_t i = 0; i < w->opening_count; i++)
        flow[i] = step_opening(w, &p, input, i);
    const struct reed_around around = {.blowing = input->blowing,
                                       .frequency = input->frequency,
                                       .pressure = p.bore.pressure[0] - z * p.bore.flow[1],
                                       .impedance = z,
                                       .density = g->density,
                                       .time_step = g->time_step};
    const struct reed_flow reed = reed_step(&w->reed, p.reed, &around);
    *p.given += reed.given;
    *p.lost += reed.lost;
    for (size_t i = 0; i < w->bore.cells; i++)
        bore_step_cell(&w->bore, &p.bore, i);
    for (size_t i = 0; i < w->opening_count; i++)
        p.bore.pressure[w->openings[i].cell] -= 2.0 * w->bore.impedance[w->openings[i].cell] * flow[i];
    p.bore.pressure[0] += 2.0 * z * reed.flow;
    return (struct wind_output){.reed = reed, .mouthpiece = around.pressure + z * reed.flow};
}

double wind_energy(const struct wind *w, const double *state)
{
    const struct parts p = parts_of(w, (double *)state);
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
    return w->reed.opening + parts_of(w, (double *)state).reed->now;
}

const double *wind_pressure(const struct wind *w, const double *state)
{
    return parts_of(w, (double *)state).bore.pressure;
}
