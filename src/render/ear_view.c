/* SPDX-License-Identifier: MIT */
#include "render/ear_view.h"

#include <math.h>

#include "base/complex_numbers.h"
#include "render/hybrid/crossover.h"

enum { JOINED = 5 }; /* frequencies of the crossover at which phases are compared */

int ear_view_make(struct ear_view *ears, const struct receiver_view *view, double rate, double edge, struct error *e)
{
    const struct receiver *r = view->receiver;
    *ears = (struct ear_view){.view = view};
    if (ear_responses_make(&ears->responses, &r->ears, e))
        return -1;
    if (!(edge > ear_filters_change(view->order)))
        return 0;
    ears->edge = edge;
    return ear_filters_make(&ears->filters, &r->ears, view->order, rate, r->hrtf, e);
}

void ear_view_free(struct ear_view *ears)
{
    ear_responses_free(&ears->responses);
    ear_filters_free(&ears->filters);
}

/* Phases, rad, of what the waves' filters have over the responses, by ear: mean over the crossover. */
static bool waves_ahead(double phase[2], const struct ear_view *ears, const double direction[3])
{
    double frequencies[JOINED];
    double complex own[2 * JOINED], sum[2] = {0.0, 0.0};
    for (int i = 0; i < JOINED; i++)
        frequencies[i] = ears->edge * (CROSSOVER_LOW + (1.0 - CROSSOVER_LOW) * (i + 0.5) / JOINED);
    if (!ear_responses_at(own, &ears->responses, direction, frequencies, JOINED))
        return false;
    for (size_t ear = 0; ear < 2; ear++) {
        for (int i = 0; i < JOINED; i++) {
            double value[2];
            ear_filters_response(value, &ears->filters, ear, direction, frequencies[i]);
            sum[ear] += complex_of(value[0], value[1]) * conj(own[ear * JOINED + (size_t)i]);
        }
        phase[ear] = carg(sum[ear]);
    }
    return true;
}

/* How much of that phase a frequency has: all up to the edge, none from an octave above. */
static double share_at(const struct ear_view *ears, double frequency)
{
    const double octaves = log2(fmax(frequency, 1.0) / ears->edge);
    return octaves <= 0.0 ? 1.0 : octaves >= 1.0 ? 0.0 : 0.5 + 0.5 * cos(M_PI * octaves);
}

bool ear_view_responses(const void *context, double complex *response, const struct path_sound *sound,
                        const double direction[3])
{
    const struct ear_view *ears = context;
    double own[3], phase[2] = {0.0, 0.0};
    turn_apply(own, &ears->view->back, direction);
    if (!ear_responses_at(response, &ears->responses, own, sound->frequency, sound->bins))
        return false;
    if (!(ears->edge > 0.0))
        return true;
    if (!waves_ahead(phase, ears, own))
        return false;
    for (size_t k = 0; k < sound->bins && sound->frequency[k] < 2.0 * ears->edge; k++) {
        const double share = share_at(ears, sound->frequency[k]);
        for (size_t ear = 0; ear < 2; ear++)
            response[ear * sound->bins + k] *= complex_turn(share * phase[ear]);
    }
    return true;
}
