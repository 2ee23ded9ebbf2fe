/* SPDX-License-Identifier: MIT */
#include "dsp/sweep_response.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

static const double SEARCH = 0.005;     /* s around the expected place of a repeat */
static const double ALIKE = 0.05;       /* s by which repeats are compared */
static const double SHORTEST = 0.05;    /* s of a response */
static const double OUT_OF_NOISE = 8.0; /* peak over the root mean square; of 10^7 normal samples it is 5.4 */

struct work {
    const struct sweep_recording *in;
    const char *name;
    struct sweep_inverse *inverse;
    double *periodic;    /* [length] */
    size_t length, kept; /* kept: frames before t = 0 */
    size_t *place;       /* [repeats]: index of t = 0 of each */
};

static size_t strongest(const double *samples, size_t from, size_t to)
{
    size_t best = from;
    for (size_t n = from; n < to; n++)
        if (fabs(samples[n]) > fabs(samples[best]))
            best = n;
    return best;
}

static const double *channel(const struct sweep_recording *in, size_t c)
{
    return in->samples + c * in->frames;
}

static int check(const struct sweep_recording *in, const char *name, struct error *e)
{
    const double length = (double)in->frames / in->made.rate;
    if (in->loopback > in->channels)
        return fail(e, ERROR_USAGE, "%s: has %zu channel%s, so channel %zu cannot be the loopback", name, in->channels,
                    in->channels == 1 ? "" : "s", in->loopback);
    if (in->loopback && in->channels == 1)
        return fail(e, ERROR_USAGE, "%s: its only channel is the loopback; record the microphone on another one", name);
    if (in->loopback && !isnan(in->delay))
        return fail(e, ERROR_USAGE, "a delay and a loopback channel both set t = 0; remove one of them");
    if (!isnan(in->delay) && !(fabs(in->delay) < length))
        return fail(e, ERROR_USAGE, "%s: a delay of %g s is beyond the recording, which lasts %.3g s", name, in->delay,
                    length);
    const size_t needed = (in->repeats - 1) * in->period + in->length + (size_t)(SHORTEST * in->made.rate);
    if (in->repeats > 1 && in->period <= in->length)
        return fail(e, ERROR_USAGE, "%s: %zu sweeps need a pause between them", name, in->repeats);
    if (in->frames < needed)
        return fail(e, ERROR_INPUT,
                    "%s: lasts %.3g s, too short for %zu sweep%s of %.3g s; record until the room is silent again",
                    name, length, in->repeats, in->repeats == 1 ? "" : "s", in->made.seconds);
    return 0;
}

/* Sum of the local peaks of all repeats if the first is at `first`; 0 if they do not fit. */
static double sum_of_peaks(const struct work *w, double first)
{
    const struct sweep_recording *in = w->in;
    const size_t near = (size_t)(SEARCH * in->made.rate), last = in->frames - in->length;
    double sum = 0.0;
    for (size_t k = 0; k < in->repeats; k++) {
        const double at = first + (double)(k * in->period);
        if (!(at >= 0.0 && at < (double)last))
            return 0.0;
        const size_t n = (size_t)at, from = n > near ? n - near : 0, to = n + near + 1 < last ? n + near + 1 : last;
        sum += fabs(w->periodic[strongest(w->periodic, from, to)]);
    }
    return sum;
}

/* The place near `expected` at which the response resembles that at w->place[0] most: the clocks of player and recorder
 * may differ. A peak alone may lie on another arrival of the same strength. */
static size_t follow(const struct work *w, size_t expected)
{
    const double rate = w->in->made.rate;
    const size_t near = (size_t)(SEARCH * rate), span = (size_t)(ALIKE * rate), length = w->length;
    size_t best = expected;
    double most = -INFINITY;
    for (size_t at = expected + length - near; at <= expected + length + near; at++) {
        double sum = 0.0;
        for (size_t n = 0; n < span; n++)
            sum += w->periodic[(w->place[0] + length - near + n) % length] * w->periodic[(at - near + n) % length];
        if (sum > most) {
            most = sum;
            best = at % length;
        }
    }
    return best;
}

/* Fills w->place from the response of the channel that sets the time. */
static int find_places(struct work *w, struct error *e)
{
    const struct sweep_recording *in = w->in;
    const size_t last = in->frames - in->length, near = (size_t)(SEARCH * in->made.rate);
    const size_t peak = strongest(w->periodic, 0, last);
    double squares = 0.0, best = 0.0, first = 0.0;
    for (size_t n = 0; n < last; n++)
        squares += w->periodic[n] * w->periodic[n];
    if (!(fabs(w->periodic[peak]) > OUT_OF_NOISE * sqrt(squares / (double)last)))
        return fail(e, ERROR_INPUT,
                    "%s: does not contain this sweep, or ends with it; check the sweep, the input and the level",
                    w->name);
    for (size_t k = 0; k < in->repeats; k++) {
        const double sum = sum_of_peaks(w, (double)peak - (double)(k * in->period));
        if (sum > best) {
            best = sum;
            first = (double)peak - (double)(k * in->period);
        }
    }
    if (!(best > 0.0))
        return fail(e, ERROR_INPUT, "%s: does not contain %zu sweeps %.3g s apart; check --repeat and --pause", w->name,
                    in->repeats, (double)in->period / in->made.rate);
    const size_t n = (size_t)first, from = n > near ? n - near : 0;
    w->place[0] = strongest(w->periodic, from, n + near + 1 < last ? n + near + 1 : last);
    for (size_t k = 1; k < in->repeats; k++)
        w->place[k] = follow(w, w->place[0] + k * in->period);
    return 0;
}

/* Times, in s from `from` on, at which each octave of the periodic response is strongest. */
static int loudest_times(double time[SWEEP_OCTAVES], const struct work *w, size_t from, size_t frames, struct error *e)
{
    const double rate = w->in->made.rate;
    const size_t span = (size_t)(0.02 * rate), hop = span / 4;
    double power[SWEEP_OCTAVES], most[SWEEP_OCTAVES] = {0.0}, *part = malloc(span * sizeof *part);
    int status = part ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t at = 0; !status && at + span <= frames; at += hop) {
        for (size_t n = 0; n < span; n++)
            part[n] = w->periodic[(from + at + n) % w->length];
        status = stop_check(e) || sweep_noise_levels(power, part, span, rate, e);
        for (size_t b = 0; !status && b < SWEEP_OCTAVES; b++)
            if (power[b] > most[b]) {
                most[b] = power[b];
                time[b] = (double)at / rate;
            }
    }
    free(part);
    return status;
}

/* Another sweep than the recorded one, slower or faster, leaves a sweep: its octaves come one after another. The octaves
 * below 250 Hz are not asked, since rooms delay their maximum. */
static int refuse_other_sweep(const struct work *w, struct error *e)
{
    static const double per_octave = 0.004, straight = 0.9; /* s; correlation of time and octave */
    const struct sweep *s = &w->in->made;
    const size_t reach = (size_t)fmin((double)w->in->length, 3.0 * s->rate);
    const size_t end = w->in->frames - w->in->length, behind = end > w->place[0] ? end - w->place[0] : 0;
    double time[SWEEP_OCTAVES] = {0.0}, n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    if (loudest_times(time, w, w->place[0] + w->length - reach, reach + (behind < reach ? behind : reach), e))
        return -1;
    for (size_t b = 3; b < SWEEP_OCTAVES; b++) {
        if (!(sweep_octave(b) > 1.5 * s->low && sweep_octave(b) < 0.6 * s->high))
            continue;
        const double octave = (double)b;
        n += 1.0;
        x += octave;
        y += time[b];
        xx += octave * octave;
        xy += octave * time[b];
        yy += time[b] * time[b];
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x), spread = (n * xx - x * x) * (n * yy - y * y);
    if (n < 4.0 || !(fabs(slope) > per_octave && fabs(n * xy - x * y) > straight * sqrt(spread)))
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: does not contain this sweep: its octaves arrive %.0f ms apart; check the frequencies and the time of "
        "the sweep",
        w->name, 1e3 * fabs(slope));
}

/* Several sweeps taken for one: a second arrival, hardly weaker than the first, at more than the sweep's length. */
static int refuse_more_sweeps(const struct work *w, struct error *e)
{
    static const double weaker = 0.5; /* -6 dB */
    const struct sweep_recording *in = w->in;
    const double rate = in->made.rate, least = weaker * fabs(w->periodic[w->place[0]]);
    const size_t last = in->frames - in->length, near = (size_t)(SEARCH * rate);
    size_t count = 0, apart = SIZE_MAX, before = 0;
    for (size_t n = 0; in->repeats == 1 && n < last; n++) {
        if (!(fabs(w->periodic[n]) >= least))
            continue;
        const size_t to = n + near < last ? n + near : last, peak = strongest(w->periodic, n, to);
        if (!count++ || peak + near > before + in->length) {
            apart = count > 1 && peak - before < apart ? peak - before : apart;
            before = peak;
        } else
            count--;
    }
    return count < 2
               ? 0
               : fail(e, ERROR_INPUT, "%s: contains %zu sweeps, %.4g s apart; add --repeat %zu --pause %.4g", w->name,
                      count, (double)apart / rate, count, fmax((double)apart - (double)in->length, 0.0) / rate);
}

static int set_zero(struct sweep_response *r, struct work *w, struct error *e)
{
    const struct sweep_recording *in = w->in;
    const double rate = in->made.rate, span = (double)((in->repeats - 1) * in->period);
    const double off = (double)w->place[in->repeats - 1] - (double)w->place[0] - span;
    r->drift = in->repeats > 1 && fabs(off) >= 1.0 ? off / span : 0.0;
    r->zero = in->loopback ? SWEEP_ZERO_LOOPBACK : isnan(in->delay) ? SWEEP_ZERO_DIRECT : SWEEP_ZERO_DELAY;
    r->start = -(double)w->kept / rate;
    r->found = r->zero == SWEEP_ZERO_DELAY ? in->delay : (double)w->place[0] / rate;
    if (r->zero != SWEEP_ZERO_DELAY)
        return 0;
    const double arrival = (double)w->place[0] / rate - in->delay;
    if (arrival < -0.001)
        return fail(
            e, ERROR_USAGE,
            "%s: with a delay of %g s the sound would arrive %.3g s before it is emitted; measure the delay again",
            w->name, in->delay, -arrival);
    const size_t sound = w->place[0];
    for (size_t k = 0; k < in->repeats; k++)
        w->place[k] = (size_t)llround(in->delay * rate + (double)w->length) + (w->place[k] - sound);
    return 0;
}

/* Mean of the repeats; adds their differences from it to *off and its energy to *energy. */
static void average(const struct work *w, double *out, size_t frames, double *off, double *energy)
{
    const size_t repeats = w->in->repeats;
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++) {
        double sum = 0.0, squares = 0.0;
        for (size_t k = 0; k < repeats; k++) {
            const double one = w->periodic[(w->place[k] + w->length - w->kept + n) % w->length];
            sum += one;
            squares += one * one;
        }
        out[n] = sum / (double)repeats;
        *energy += out[n] * out[n];
        *off += fmax(squares / (double)repeats - out[n] * out[n], 0.0);
    }
}

/* Frames of the response: what the recording holds after the last sweep, and the pause between two. */
static size_t frames_of(const struct work *w)
{
    const struct sweep_recording *in = w->in;
    const size_t last = w->place[in->repeats - 1] % w->length, end = in->frames - in->length;
    size_t after = end > last ? end - last : 0;
    if (in->repeats > 1 && in->period - in->length < after)
        after = in->period - in->length;
    return after < (size_t)(SHORTEST * in->made.rate) ? 0 : w->kept + after;
}

/* After the response of the channel c: its mean over the repeats, and its distortion in the first of them. */
static int take_channel(struct sweep_response *r, struct work *w, size_t to, double *off, double *energy,
                        struct error *e)
{
    const struct sweep_recording *in = w->in;
    const size_t end = in->repeats > 1 ? w->place[0] % w->length + in->period - in->length : in->frames - in->length;
    double *out = r->samples + to * r->frames;
    average(w, out, r->frames, off, energy);
    const size_t peak = strongest(out, 0, r->frames);
    const size_t direct = (w->place[0] + w->length - w->kept + peak) % w->length;
    return stop_check(e) ||
           sweep_distortion_find(&r->distortion[to], &in->made, w->periodic, w->length, direct, end, e);
}

static int make(struct sweep_response *r, struct work *w, struct error *e)
{
    const struct sweep_recording *in = w->in;
    const size_t first = in->loopback ? in->loopback - 1 : 0;
    double off = 0.0, energy = 0.0;
    if (sweep_inverse_run(w->inverse, channel(in, first), w->periodic, e) || find_places(w, e) ||
        refuse_other_sweep(w, e) || refuse_more_sweeps(w, e) || set_zero(r, w, e))
        return -1;
    r->channels = in->channels - (in->loopback ? 1 : 0);
    r->frames = frames_of(w);
    if (!r->frames)
        return fail(e, ERROR_INPUT, "%s: ends with the sweep; record until the room is silent again", w->name);
    r->samples = calloc(r->channels * r->frames, sizeof *r->samples);
    r->distortion = calloc(r->channels, sizeof *r->distortion);
    if (!r->samples || !r->distortion)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0, to = 0; c < in->channels; c++) {
        if (c + 1 == in->loopback)
            continue;
        if ((c != first && sweep_inverse_run(w->inverse, channel(in, c), w->periodic, e)) ||
            take_channel(r, w, to++, &off, &energy, e))
            return -1;
    }
    r->difference = in->repeats > 1 ? 10.0 * log10(off / energy) : NAN;
    if (r->difference > SWEEP_DIFFERENCE_REFUSED)
        return fail(e, ERROR_INPUT,
                    "%s: the repeats differ by %.1f dB re their mean, so something changed between them; record again, "
                    "with player and recorder on one clock and nobody moving",
                    w->name, r->difference);
    return 0;
}

int sweep_response_make(struct sweep_response *r, const struct sweep_recording *recording, const char *name,
                        struct error *e)
{
    memset(r, 0, sizeof *r);
    if (check(recording, name, e))
        return -1;
    struct work w = {.in = recording, .name = name, .kept = (size_t)llround(SWEEP_BEFORE * recording->made.rate)};
    int status =
        sweep_inverse_open(&w.inverse, &recording->made, recording->sweep, recording->length, recording->frames, e);
    if (!status) {
        w.length = sweep_inverse_length(w.inverse);
        w.periodic = malloc(w.length * sizeof *w.periodic);
        w.place = calloc(recording->repeats, sizeof *w.place);
        status = w.periodic && w.place ? make(r, &w, e) : fail(e, ERROR_MEMORY, "out of memory");
    }
    sweep_inverse_close(w.inverse);
    free(w.periodic);
    free(w.place);
    if (status)
        sweep_response_free(r);
    return status ? -1 : 0;
}

void sweep_response_free(struct sweep_response *r)
{
    if (!r)
        return;
    free(r->samples);
    free(r->distortion);
    memset(r, 0, sizeof *r);
}
