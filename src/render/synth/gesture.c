/* SPDX-License-Identifier: MIT */
#include "render/synth/gesture.h"

#include <math.h>

#include "render/synth/voice_wind.h"
#include "solver/schemes/bodies/ports.h"

static const double BOW_RAMP = 0.01; /* s */

struct gesture gesture_make(const struct event *event, enum excitation_kind kind, double rate, size_t onset)
{
    struct gesture g = {.kind = kind,
                        .start = event->time * rate + (double)onset,
                        .width = 1.0,
                        .inputs = 1,
                        .event = event,
                        .rate = rate};
    if (kind == EXCITATION_BOW) {
        g.width = event->duration * rate;
        g.inputs = PORT_INPUTS;
    } else if (!is_thrown(kind)) {
        g.force = strike_force_make(event, kind, rate, onset);
        g.width = g.force.width;
    }
    return g;
}

double curve_at(const struct curve *curve, double seconds)
{
    size_t i = 0, end = curve->count; /* the first point after this time */
    while (i < end) {
        const size_t middle = (i + end) / 2;
        if (curve->points[middle][0] <= seconds)
            i = middle + 1;
        else
            end = middle;
    }
    if (!i || i == curve->count)
        return curve->points[i ? i - 1 : 0][1];
    const double *from = curve->points[i - 1], *to = curve->points[i];
    return from[1] + (to[1] - from[1]) * (seconds - from[0]) / (to[0] - from[0]);
}

static double bow_at(const struct gesture *g, size_t input, double seconds)
{
    const struct event *event = g->event;
    const struct curve *const curves[PORT_INPUTS] = {
        [BOW_FORCE] = &event->force_curve, [BOW_SPEED] = &event->velocity_curve, [BOW_POSITION] = &event->place_curve};
    const double values[PORT_INPUTS] = {
        [BOW_FORCE] = event->force, [BOW_SPEED] = event->velocity, [BOW_POSITION] = event->place[0]};
    if (curves[input]->count)
        return curve_at(curves[input], seconds);
    if (input != BOW_FORCE)
        return values[input];
    const double ramp = fmin(BOW_RAMP, 0.25 * event->duration), left = event->duration - seconds;
    return values[input] * fmin(fmin(seconds / ramp, left / ramp), 1.0);
}

double gesture_at(const struct gesture *g, size_t input, double step)
{
    if (g->wind)
        return wind_voice_input(g->wind, g->event, g->before, input, (step - g->start) / g->rate);
    if (g->kind == EXCITATION_BOW)
        return bow_at(g, input, (step - g->start) / g->rate);
    return is_thrown(g->kind) ? g->event->velocity : strike_force_at(&g->force, step);
}
