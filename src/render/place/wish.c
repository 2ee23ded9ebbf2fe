/* SPDX-License-Identifier: MIT */
/* The search that a user asks for, and what is in doubt about its result. */
#include <math.h>

#include "base/text.h"
#include "render/place/place.h"

enum { TUNED = 100 };
static const uint64_t EXHAUSTIVE_MOST = 1000000;
static const double DELAY_STEP = 0.5e-3, GAIN_STEP = 1.5; /* s, dB */
static const double OUTPUT_WEIGHT = 0.25;                 /* dB of spread for 1 dB of output */
static const double AGREES = 0.1, ENDS = -25.0;           /* dB */

static int check(const struct place_wish *w, const struct place_limits *l, struct error *e)
{
    if (!(w->low > 0.0 && w->low < w->high && isfinite(w->high)))
        return fail(e, ERROR_USAGE, "--band %g,%g: expected two rising frequencies in Hz, such as 20,150", w->low,
                    w->high);
    if (w->facing < 0 && (!(l->subs >= 1.0 && l->subs <= PLACE_SUBS_MAX) || l->subs != rint(l->subs)))
        return fail(e, ERROR_USAGE, "--subs %g: expected 1 to %d subs; place more in turn, with the first ones as one",
                    l->subs, PLACE_SUBS_MAX);
    if (!(l->delay >= 0.0 && l->delay <= 100.0))
        return fail(e, ERROR_USAGE, "--delay %g: expected 0 to 100 ms", l->delay);
    if (!(l->gain <= 0.0 && l->gain >= -24.0))
        return fail(e, ERROR_USAGE, "--gain %g: expected the lowest gain of a sub, -24 to 0 dB", l->gain);
    if (!(w->clearance >= 0.0))
        return fail(e, ERROR_USAGE, "--clearance %g: expected a distance in metres, at least 0", w->clearance);
    if (!(w->boost >= 0.0 && w->boost <= 12.0))
        return fail(e, ERROR_USAGE, "--boost %g: expected 0 to 12 dB", w->boost);
    if (!(w->max_frequency >= 0.0))
        return fail(e, ERROR_USAGE, "--max-frequency %g: expected a frequency in Hz", w->max_frequency);
    return 0;
}

int place_wish_set(struct place_wish *w, const struct place_limits *l, struct error *e)
{
    if (check(w, l, e))
        return -1;
    w->search = (struct place_search){.subs = w->facing < 0 ? (size_t)l->subs : 2,
                                      .delay_step = DELAY_STEP,
                                      .gain_step = GAIN_STEP,
                                      .delays = l->equal ? 0 : (int)floor(1e-3 * l->delay / DELAY_STEP + 1e-9),
                                      .cuts = l->equal ? 0 : (int)floor(-l->gain / GAIN_STEP + 1e-9),
                                      .polarity = !l->equal,
                                      .tuned = TUNED,
                                      .most = EXHAUSTIVE_MOST,
                                      .output_weight = OUTPUT_WEIGHT};
    return 0;
}

int place_doubts(char ***lines, size_t *count, const struct place *place, struct error *e)
{
    if (!(place->difference <= AGREES) && lines_add(lines, count, e,
                                                    "levels differ by %.2f dB from those of direct runs; use a finer "
                                                    "grid with --max-frequency",
                                                    place->difference))
        return -1;
    if (place->tail > ENDS &&
        lines_add(lines, count, e,
                  "the responses of %.3g s end before they have decayed (last tenth: %.0f dB); use "
                  "--set time.duration=%.1f",
                  place->seconds, place->tail, ceil(15.0 * place->seconds) / 10.0))
        return -1;
    return place->found.exhaustive ? 0
                                   : lines_add(lines, count, e,
                                               "more than %.0f sets; they were searched greedily with exchanges, "
                                               "which may miss the best one",
                                               (double)place->wish.search.most);
}
