/* SPDX-License-Identifier: MIT */
#include "solver/cpu/wind_state.h"

#include <stdlib.h>

#include "solver/cpu/body_state.h"

int wind_state_make(struct wind_state *s, const struct wind *wind, const struct rows *rows)
{
    const size_t values = wind_values(wind), points = wind_points(wind);
    s->values = calloc(1, wind_state_bytes(wind));
    s->inputs = calloc(2 * values + 2 * wind->opening_count, sizeof *s->inputs);
    s->at = calloc(points + 1, sizeof *s->at);
    if (!s->values || !s->inputs || !s->at)
        return -1;
    s->outputs = s->inputs + values;
    s->outside = s->outputs + values;
    s->flow = s->outside + wind->opening_count;
    for (size_t i = 0; i < points; i++)
        s->at[i] = rows_at(rows, wind->points[i]);
    return 0;
}

void wind_state_free(struct wind_state *s)
{
    free(s->values);
    free(s->inputs);
    free(s->at);
}

/* Mean of the field over the points of an opening, which begin at `at`. */
static double mean_of(const struct body_states *b, const void *field, const size_t *at, size_t points)
{
    double sum = 0.0;
    for (size_t i = 0; i < points; i++)
        sum += field_at(b, field, at[i]);
    return points ? sum / (double)points : 0.0;
}

void wind_before(const struct body_states *b, struct body_state *body, const void *before)
{
    const struct wind *w = body->body->wind;
    const size_t *at = body->wind.at;
    for (size_t i = 0; i < w->opening_count; at += w->openings[i++].points)
        body->wind.outside[i] = mean_of(b, before, at, w->openings[i].points);
}

void wind_couple(const struct body_states *b, struct body_state *body, void *next)
{
    const struct wind *w = body->body->wind;
    struct wind_state *s = &body->wind;
    const double to_pressure = 0.5 * w->bore.grid.density / w->bore.grid.time_step;
    const size_t *at = s->at;
    for (size_t i = 0; i < w->opening_count; at += w->openings[i++].points)
        s->outside[i] = to_pressure * (mean_of(b, next, at, w->openings[i].points) - s->outside[i]);
    const struct wind_input input = {.blowing = s->inputs[WIND_BLOWING],
                                     .frequency = s->inputs[WIND_LIPS],
                                     .conductance = s->inputs + WIND_HOLES,
                                     .outside = s->outside};
    const struct wind_output output = wind_step(w, s->values, &input, s->flow);
    s->outputs[WIND_MOUTHPIECE] = output.mouthpiece;
    s->outputs[WIND_REED] = wind_opening(w, s->values);
    at = s->at;
    for (size_t i = 0; i < w->opening_count; i++) {
        const struct opening *o = &w->openings[i];
        s->outputs[WIND_FLOWS + i] = s->flow[i];
        for (size_t k = 0; k < o->points; k++)
            field_add(b, next, *at++, opening_gain(o->points, w->spacing, &w->bore.grid) * s->flow[i]);
    }
}
