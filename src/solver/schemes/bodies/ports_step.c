/* SPDX-License-Identifier: MIT */
/* One step of the ports and the stretching of a body on the CPU. */
#include <math.h>
#include <string.h>

#include "solver/schemes/bodies/body_response.h"
#include "solver/schemes/bodies/loops.h"
#include "solver/schemes/bodies/ports_solve.h"
#include "solver/schemes/bodies/stretching.h"

static size_t points_of(const struct body *body)
{
    return body_offset(body, body_parts(body));
}

enum { COUNT_DOUBLES = (sizeof(struct actor_counts) + sizeof(double) - 1) / sizeof(double) };

/* Of stretching_slope and then of body_response. */
static size_t stretch_scratch(const struct body *body)
{
    size_t most = body->stretching_count ? body_response_scratch(body) : 0;
    for (size_t i = 0; i < body->stretching_count; i++)
        most = stretching_scratch(&body->stretching[i]) > most ? stretching_scratch(&body->stretching[i]) : most;
    return most;
}

size_t ports_scratch(const struct body *body)
{
    const size_t n = body->port_count + body->stretching_count, stretching = body->stretching_count;
    return n * sizeof(struct actor) / sizeof(double) + n * (2 * n + 2) + COUNT_DOUBLES + 4 * body->place_count +
           stretching * (3 + stretching + body->place_count + 2 * points_of(body)) + stretch_scratch(body) + 1;
}

/* The vectors of what stretches: g and z = A⁻¹g [stretching_count][points]. */
struct stretches {
    double *g, *z, *scratch;
};

static double *take(double **from, size_t count)
{
    double *here = *from;
    *from += count;
    return here;
}

/* Only of places that something touches. */
static void move_places(const struct ports_step *s, double *now, double *old, double *next)
{
    for (size_t port = 0; port < s->body->port_count; port++) {
        uint32_t first, end;
        rows_needed(&s->body->ports[port], &s->state[port], s->inputs + PORT_INPUTS * port, &first, &end);
        for (uint32_t i = first; i < end; i++) {
            now[i] = sparse_row(&s->body->places, i, s->now);
            old[i] = sparse_row(&s->body->places, i, s->old);
            next[i] = sparse_row(&s->body->places, i, s->next);
        }
    }
}

static void stretch(const struct ports_step *s, const struct stretches *v, double *old, double *next, double *gain,
                    double *reach)
{
    const struct body *body = s->body;
    const struct body_loops *loops = body_loops();
    const size_t count = body->stretching_count, points = points_of(body);
    for (size_t i = 0; i < count; i++) {
        const size_t first = body_offset(body, body->stretching[i].part);
        double *g = v->g + i * points, *z = v->z + i * points;
        memset(g, 0, points * sizeof *g);
        stretching_slope(g + first, body, &body->stretching[i], s->now + first, s->old + first, s->stretched[i],
                         v->scratch);
        body_response(z, body, s->lines, g, s->time_step, v->scratch);
        old[i] = loops->dot(g, s->old, points);
        next[i] = loops->dot(g, s->next, points);
        for (size_t k = 0; k <= i; k++)
            gain[i * count + k] = gain[k * count + i] = loops->dot(v->g + k * points, z, points);
        for (size_t k = 0; k < body->place_count; k++)
            reach[i * body->place_count + k] = sparse_row(&body->places, k, z);
    }
}

/* w⁺ += A⁻¹e f of every place, and z f of what stretches. */
static void answer(const struct ports_step *s, const struct ports_solve *solved, const double *z)
{
    const struct sparse *m = &s->coupling->response;
    for (size_t i = 0; i < s->body->place_count; i++)
        for (uint32_t k = m->start[i]; k < m->start[i + 1] && solved->place_force[i] != 0.0; k++)
            s->next[m->column[k]] += m->value[k] * solved->place_force[i];
    const size_t points = points_of(s->body);
    for (size_t i = 0; i < s->body->stretching_count; i++)
        body_loops()->add(s->next, solved->stretch_force[i], z + i * points, points);
}

void ports_step(struct ports_step *s)
{
    const struct body *body = s->body;
    const size_t ports = body->port_count, places = body->place_count, stretching = body->stretching_count;
    const size_t n = ports + stretching, points = points_of(body);
    double *at = s->scratch, energy[2] = {0.0, 0.0};
    double *now = take(&at, places), *old = take(&at, places), *next = take(&at, places);
    double *stretch_old = take(&at, stretching), *stretch_next = take(&at, stretching);
    double *gain = take(&at, stretching * stretching), *reach = take(&at, stretching * places);
    const struct stretches v = {take(&at, stretching * points), take(&at, stretching * points),
                                take(&at, stretch_scratch(body))};
    const struct ports_solve solve = {.ports = body->ports,
                                      .port_count = (uint32_t)ports,
                                      .place_count = (uint32_t)places,
                                      .stretching_count = (uint32_t)stretching,
                                      .gain = s->coupling->gain,
                                      .time_step = s->time_step,
                                      .inputs = s->inputs,
                                      .now = now,
                                      .old = old,
                                      .next = next,
                                      .stretch_old = stretch_old,
                                      .stretch_next = stretch_next,
                                      .stretch_gain = gain,
                                      .stretch_reach = reach,
                                      .state = s->state,
                                      .stretched = s->stretched,
                                      .outputs = s->outputs,
                                      .place_force = take(&at, places),
                                      .stretch_force = take(&at, stretching),
                                      .energy = energy,
                                      .actor = (struct actor *)take(&at, n * sizeof(struct actor) / sizeof(double)),
                                      .gains = take(&at, n * n),
                                      .factor = take(&at, n * n),
                                      .column = take(&at, n),
                                      .force = take(&at, n),
                                      .counts = (struct actor_counts *)take(&at, COUNT_DOUBLES)};
    move_places(s, now, old, next);
    stretch(s, &v, stretch_old, stretch_next, gain, reach);
    ports_solve(&solve, (struct team){0, 1});
    answer(s, &solve, v.z);
    s->lost += energy[0];
    s->given += energy[1];
}

double ports_energy(const struct body *body, const struct port_state *state, const double *stretched, double time_step)
{
    double sum = 0.0;
    for (size_t i = 0; i < body->port_count; i++) {
        sum += 0.5 * state[i].potential * state[i].potential;
        if (body->ports[i].mass > 0.0 && state[i].awake > 0.0)
            sum += mass_energy(&body->ports[i], &state[i], time_step);
    }
    for (size_t i = 0; i < body->stretching_count; i++)
        sum += 0.5 * stretched[i] * stretched[i];
    return sum;
}
