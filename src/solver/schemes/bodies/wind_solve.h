/* SPDX-License-Identifier: MIT */
/* The step of a wind instrument in two halves, of which only the second needs the new air: the same code for the
 * CPU and, by the threads of a block, for the GPU. Equations in bore.h, reed.h and opening.h. Sums have the same
 * order for every number of threads, except those of energies lost. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_WIND_SOLVE_H
#define AULA_SOLVER_SCHEMES_BODIES_WIND_SOLVE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/device.h"
#include "solver/schemes/bodies/wind.h"

/* The block of the state: lost, given, the reed, the openings, pressures, flows, branches. */
struct wind_parts {
    double *lost, *given;
    struct reed_state *reed;
    struct opening_state *openings;
    struct bore_state bore;
};
enum {
    WIND_REED_VALUES = sizeof(struct reed_state) / sizeof(double),
    WIND_OPENING_VALUES = sizeof(struct opening_state) / sizeof(double),
    WIND_HEAD_VALUES = 2 + WIND_REED_VALUES
};

ON_BOTH struct wind_parts wind_parts_of(const struct wind *w, double *state)
{
    struct wind_parts p;
    p.lost = state;
    p.given = state + 1;
    p.reed = (struct reed_state *)(state + 2);
    p.openings = (struct opening_state *)(state + WIND_HEAD_VALUES);
    p.bore.pressure = state + WIND_HEAD_VALUES + WIND_OPENING_VALUES * w->opening_count;
    p.bore.flow = p.bore.pressure + w->bore.cells;
    p.bore.branch = p.bore.flow + w->bore.cells + 1;
    return p;
}

/* The last cell that an opening touches. */
ON_BOTH size_t wind_last_cell(const struct opening *o)
{
    return o->cell + (o->share > 0.0);
}

/* Weight of a cell in an opening. */
ON_BOTH double wind_weight(const struct opening *o, size_t cell)
{
    return cell == o->cell ? 1.0 - o->share : cell == o->cell + 1 ? o->share : 0.0;
}

ON_BOTH bool wind_is_end(const struct wind *w, size_t i)
{
    return i + 1 == w->opening_count;
}

/* A step. Arrays from `inside` on are written by the first half and read by the second. */
struct wind_solve {
    const struct wind *wind;
    double *state;
    struct wind_input input;    /* `outside` is set before the second half */
    double *lost;               /* [threads] scratch */
    struct wind_output *output; /* out, by the first half */
    double *inside;             /* [opening_count][2] pressures of its cells for ū = 0, by their weights */
    double *factor;             /* [open_count][open_count] L, and D on its diagonal */
    uint32_t *open;             /* [opening_count] openings that are not closed */
    uint32_t *open_count;
};

ON_DEVICE double wind_conductance(const struct wind_solve *s, size_t i)
{
    return wind_is_end(s->wind, i) ? (double)INFINITY : s->input.conductance ? s->input.conductance[i] : 0.0;
}

/* *to = the sum of what the threads lost, of which the first began with *to. Called by all threads. */
ON_DEVICE void wind_sum_lost(const struct wind_solve *s, double *to, double lost, struct team team)
{
    double sum = 0.0;
    s->lost[team.thread] = lost;
    team_wait();
    for (unsigned i = 0; i < team.threads; i++)
        sum += s->lost[i];
    if (team.thread == 0)
        *to = sum;
}

/* The reed, which no opening feels within the step. */
ON_DEVICE void wind_blow(const struct wind_solve *s, const struct wind_parts *p)
{
    const struct bore *b = &s->wind->bore;
    struct reed_around around;
    around.blowing = s->input.blowing;
    around.frequency = s->input.frequency;
    around.impedance = b->impedance[0];
    around.pressure = p->bore.pressure[0] - around.impedance * p->bore.flow[1];
    around.density = b->grid.density;
    around.time_step = b->grid.time_step;
    s->output->reed = reed_step(&s->wind->reed, p->reed, &around);
    s->output->mouthpiece = around.pressure + around.impedance * s->output->reed.flow;
    *p->given += s->output->reed.given;
}

ON_DEVICE void wind_list_open(const struct wind_solve *s)
{
    uint32_t count = 0;
    for (size_t i = 0; i < s->wind->opening_count; i++)
        if (wind_conductance(s, i) > 0.0)
            s->open[count++] = (uint32_t)i;
    *s->open_count = count;
}

/* Factors L D Lᵀ of the symmetric positive system of the open openings, column by column. Threads lie in rows of
 * up to 32: each has one row of the matrix, and one of some sets of columns. */
ON_DEVICE void wind_factor(const struct wind_solve *s, struct team team)
{
    const unsigned rows = team.threads < 32 ? team.threads : 32, sets = team.threads / rows;
    const unsigned first = team.thread % rows, set = team.thread / rows;
    const uint32_t n = *s->open_count;
    double *const a = s->factor;
    for (uint32_t i = first; i < n; i += rows)
        for (uint32_t j = set; j <= i; j += sets) {
            const uint32_t row = s->open[i];
            a[i * n + j] = s->wind->mutual[row * s->wind->opening_count + s->open[j]];
            if (i == j)
                a[i * n + i] +=
                    opening_resistance(&s->wind->openings[row], s->wind->bore.grid.time_step, wind_conductance(s, row));
        }
    team_wait();
    for (uint32_t m = 0; m + 1 < n; m++) {
        for (uint32_t i = m + 1 + team.thread; i < n; i += team.threads)
            a[i * n + m] /= a[m * n + m];
        team_wait();
        for (uint32_t i = m + 1 + first; i < n; i += rows)
            for (uint32_t j = m + 1 + set; j <= i; j += sets)
                a[i * n + j] -= a[i * n + m] * a[m * n + m] * a[j * n + m];
        team_wait();
    }
}

/* The first half: flows of the bore, reed, and pressures without the flows of openings. */
ON_DEVICE void wind_solve_inside(const struct wind_solve *s, struct team team)
{
    const struct wind *w = s->wind;
    const struct bore *b = &w->bore;
    const struct wind_parts p = wind_parts_of(w, s->state);
    double lost = team.thread == 0 ? *p.lost : 0.0;
    for (size_t j = 1 + team.thread; j < b->cells; j += team.threads)
        lost += bore_step_face(b, &p.bore, j);
    wind_sum_lost(s, p.lost, lost, team);
    if (team.thread == 0) {
        wind_list_open(s);
        wind_blow(s, &p);
    }
    for (size_t i = team.thread; i < w->opening_count; i += team.threads)
        for (size_t k = 0, cell = w->openings[i].cell; cell <= wind_last_cell(&w->openings[i]); k++, cell++)
            s->inside[2 * i + k] =
                wind_weight(&w->openings[i], cell) *
                (p.bore.pressure[cell] - b->impedance[cell] * (p.bore.flow[cell + 1] - p.bore.flow[cell]));
    team_wait();
    for (size_t i = team.thread; i < b->cells; i += team.threads) {
        bore_step_cell(b, &p.bore, i);
        if (i == 0)
            p.bore.pressure[0] += 2.0 * b->impedance[0] * s->output->reed.flow;
    }
    wind_factor(s, team);
}

/* The pressure across an opening if no opening had a flow, Pa. */
ON_DEVICE double wind_driving_pressure(const struct wind_solve *s, const struct wind_parts *p, size_t i, double *lost)
{
    const struct opening *o = &s->wind->openings[i];
    double sum = opening_drive(o, &p->openings[i], s->wind->bore.grid.time_step,
                               s->input.outside ? s->input.outside[i] : 0.0, wind_conductance(s, i), lost);
    for (size_t k = 0; k <= wind_last_cell(o) - o->cell; k++)
        sum += s->inside[2 * i + k];
    return sum;
}

/* The second half: ū out of each opening, flow [opening_count], m³/s. The pressures of the bore still lack what
 * they change (wind_release). */
ON_DEVICE void wind_solve_openings(const struct wind_solve *s, double *flow, struct team team)
{
    const struct wind *w = s->wind;
    const struct wind_parts p = wind_parts_of(w, s->state);
    const uint32_t n = *s->open_count, *open = s->open;
    const double *a = s->factor;
    double lost = team.thread == 0 ? *p.lost : 0.0;
    for (size_t i = team.thread; i < w->opening_count; i += team.threads) {
        const double drive = wind_driving_pressure(s, &p, i, &lost);
        flow[i] = wind_conductance(s, i) > 0.0 ? drive : 0.0;
    }
    team_wait();
    for (uint32_t m = 0; m + 1 < n; m++) {
        for (uint32_t i = m + 1 + team.thread; i < n; i += team.threads)
            flow[open[i]] -= a[i * n + m] * flow[open[m]];
        team_wait();
    }
    for (uint32_t i = team.thread; i < n; i += team.threads)
        flow[open[i]] /= a[i * n + i];
    team_wait();
    for (uint32_t i = n; team.thread == 0 && i-- > 0;)
        for (uint32_t m = i + 1; m < n; m++)
            flow[open[i]] -= a[m * n + i] * flow[open[m]];
    team_wait();
    for (size_t i = team.thread; i < w->opening_count; i += team.threads)
        opening_finish(&w->openings[i], &p.openings[i], w->bore.grid.time_step, wind_conductance(s, i), flow[i], &lost);
    wind_sum_lost(s, p.lost, lost, team);
    if (team.thread == 0)
        *p.lost += s->output->reed.lost;
}

/* What the flow ū of an opening takes from a cell that it touches. */
ON_DEVICE void wind_release(const struct wind *w, const struct wind_parts *p, const struct opening *o, size_t cell,
                            double flow)
{
    p->bore.pressure[cell] -= 2.0 * w->bore.impedance[cell] * wind_weight(o, cell) * flow;
}

#endif
