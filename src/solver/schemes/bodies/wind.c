/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/wind.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* The last cell that an opening touches. */
static size_t last_cell(const struct opening *o)
{
    return o->cell + (o->share > 0.0);
}

static bool is_end(const struct wind *w, size_t i)
{
    return i + 1 == w->opening_count;
}

/* Weight of a cell in an opening. */
static double weight_of(const struct opening *o, size_t cell)
{
    return cell == o->cell ? 1.0 - o->share : cell == o->cell + 1 ? o->share : 0.0;
}

/* By the cells of the bore that two openings share. */
static double mutual_of_cells(const struct wind *w, const struct opening *a, const struct opening *b)
{
    double sum = 0.0;
    for (size_t cell = a->cell; cell <= last_cell(a); cell++)
        sum += weight_of(a, cell) * weight_of(b, cell) * w->bore.impedance[cell];
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
    const size_t last = last_cell(o), cells = w->bore.cells;
    if (is_end(w, i) ? o->cell != cells - 1 || last != o->cell : o->cell == 0 || last >= cells - 1)
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

static double conductance_of(const struct wind *w, const struct wind_input *input, size_t i)
{
    return is_end(w, i) ? (double)INFINITY : input->conductance ? input->conductance[i] : 0.0;
}

/* The pressure across an opening if no opening had a flow, Pa. */
static double driving_pressure(const struct wind *w, const struct parts *p, const struct wind_input *input, size_t i)
{
    const struct opening *o = &w->openings[i];
    double sum = opening_drive(o, &p->openings[i], w->bore.grid.time_step, input->outside ? input->outside[i] : 0.0,
                               conductance_of(w, input, i), p->lost);
    for (size_t cell = o->cell; cell <= last_cell(o); cell++)
        sum += weight_of(o, cell) *
               (p->bore.pressure[cell] - w->bore.impedance[cell] * (p->bore.flow[cell + 1] - p->bore.flow[cell]));
    return sum;
}

/* ū of all openings that are not closed: a symmetric positive system, by its factors L D Lᵀ. */
static void solve_openings(const struct wind *w, const struct parts *p, const struct wind_input *input, double *flow)
{
    double a[OPENINGS_MAX][OPENINGS_MAX];
    size_t open[OPENINGS_MAX], count = 0;
    const double k = w->bore.grid.time_step;
    for (size_t i = 0; i < w->opening_count; i++) {
        flow[i] = driving_pressure(w, p, input, i);
        if (conductance_of(w, input, i) > 0.0)
            open[count++] = i;
        else
            flow[i] = 0.0;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t row = open[i];
        for (size_t j = 0; j <= i; j++) {
            a[i][j] = w->mutual[row * w->opening_count + open[j]];
            if (i == j)
                a[i][i] += opening_resistance(&w->openings[row], k, conductance_of(w, input, row));
            for (size_t m = 0; m < j; m++)
                a[i][j] -= a[i][m] * a[m][m] * a[j][m];
            if (j < i)
                a[i][j] /= a[j][j];
        }
        for (size_t m = 0; m < i; m++)
            flow[row] -= a[i][m] * flow[open[m]];
    }
    for (size_t i = 0; i < count; i++)
        flow[open[i]] /= a[i][i];
    for (size_t i = count; i-- > 0;)
        for (size_t m = i + 1; m < count; m++)
            flow[open[i]] -= a[m][i] * flow[open[m]];
    for (size_t i = 0; i < w->opening_count; i++)
        opening_finish(&w->openings[i], &p->openings[i], k, conductance_of(w, input, i), flow[i], p->lost);
}

struct wind_output wind_step(const struct wind *w, double *state, const struct wind_input *input, double *flow)
{
    const struct parts p = parts_of(w, state);
    const struct bore_grid *g = &w->bore.grid;
    const double z = w->bore.impedance[0];
    for (size_t j = 1; j < w->bore.cells; j++)
        *p.lost += bore_step_face(&w->bore, &p.bore, j);
    solve_openings(w, &p, input, flow);
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
        for (size_t cell = w->openings[i].cell; cell <= last_cell(&w->openings[i]); cell++)
            p.bore.pressure[cell] -= 2.0 * w->bore.impedance[cell] * weight_of(&w->openings[i], cell) * flow[i];
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
