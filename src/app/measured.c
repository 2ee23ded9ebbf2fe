/* SPDX-License-Identifier: MIT */
#include "app/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/say.h"
#include "base/text.h"
#include "dsp/measure/clipping.h"
#include "io/audio_file.h"
#include "io/json_build.h"

static const double SHORTEST_NOISE = 0.25; /* s */

/* Index in the recording of the k-th channel that is not the loopback. */
static size_t recorded_channel(const struct measured *m, size_t k)
{
    return m->in.loopback && k + 1 >= m->in.loopback ? k + 1 : k;
}

double measured_level(const struct measured_channel *c, double power)
{
    const double pascals = c->pascals > 0.0 ? c->pascals / 20e-6 : 1.0;
    return 10.0 * log10(power) + 20.0 * log10(pascals);
}

/* The levels of noise, and of the first sweep without it. */
static int find_levels(struct measured *m, size_t k, struct error *e)
{
    const struct sweep_recording *in = &m->in;
    struct measured_channel *c = &m->channel[k];
    const size_t from = recorded_channel(m, k);
    const double rate = in->made.rate, found = fmax(m->response.found - SWEEP_BEFORE, 0.0);
    const double *samples = in->samples + from * in->frames;
    const size_t begin = (size_t)(found * rate), tail = (size_t)(0.5 * rate);
    const size_t silence = m->noise ? m->noise_frames : begin;
    const size_t end = begin + in->length + tail < in->frames ? begin + in->length + tail : in->frames;
    const bool known = (double)silence >= SHORTEST_NOISE * rate;
    if (sweep_noise_levels(c->noise, m->noise ? m->noise + from * m->noise_frames : samples, known ? silence : 0, rate,
                           e) ||
        sweep_signal_levels(c->sweep, &in->made, samples + begin, end - begin, e))
        return -1;
    const double share = (double)(end - begin) / (rate * sweep_constant(&in->made) * log(2.0)) / (double)m->averaged;
    for (size_t b = 0; b < SWEEP_OCTAVES; b++) {
        const double rest = c->sweep[b] - (known ? share * c->noise[b] : 0.0);
        c->sweep[b] = rest > 0.0 ? rest : NAN;
    }
    c->pascals = m->pascals ? m->pascals[from] : 0.0;
    return 0;
}

static int find_metrics(struct measured *m, size_t k, struct error *e)
{
    const struct sweep_response *r = &m->response;
    const struct metrics_settings settings = {
        .valid_low = m->in.made.low, .valid_high = m->in.made.high, .delay = -r->start};
    return metrics_measure(&m->channel[k].metrics, r->samples + k * r->frames, r->frames, m->in.made.rate, &settings,
                           e);
}

/* ---- What is said about it */

#define WARN(...) lines_add(&m->warnings, &m->warning_count, e, __VA_ARGS__)
#define NOTE(...) lines_add(&m->notes, &m->note_count, e, __VA_ARGS__)

static int warn_of_clipping(struct measured *m, struct error *e)
{
    for (size_t c = 0; c < m->in.channels; c++) {
        const struct clipping found = clipping_of(m->in.samples + c * m->in.frames, m->in.frames);
        if (found.samples > 0 &&
            WARN("channel %zu is clipped (%zu samples at full scale), so response and distortion are wrong; record it "
                 "again with less gain",
                 c + 1, found.samples))
            return -1;
    }
    return 0;
}

static int warn_of_repeats(struct measured *m, struct error *e)
{
    const struct sweep_response *r = &m->response;
    const double spread = isnan(m->spread) ? r->difference : m->spread;
    if (isnan(spread) &&
        NOTE("a single sweep cannot be checked against another one; --repeat 2 shows whether anything disturbed it"))
        return -1;
    if (spread > SWEEP_DIFFERENCE_WARNED &&
        WARN("the sweeps differ by %.1f dB re their mean: there was noise, or air or people moved; T30 at high "
             "frequencies may be too short",
             spread))
        return -1;
    return r->drift == 0.0
               ? 0
               : WARN("the clocks of player and recorder differ by %.0f ppm, which smears the response; use "
                      "one device for both",
                      1e6 * r->drift);
}

static int warn_of_distortion(struct measured *m, struct error *e)
{
    for (size_t k = 0; k < m->response.channels; k++)
        for (size_t n = 2; n <= SWEEP_ORDERS; n++)
            if (m->response.distortion[k].level[n] > -20.0 &&
                !(m->response.distortion[k].level[n] < m->response.distortion[k].floor[n] + 3.0) &&
                WARN("channel %zu: distortion of order %zu is at %.1f dB: loudspeaker, amplifier or microphone are "
                     "overdriven; lower the level",
                     k + 1, n, m->response.distortion[k].level[n]))
                return -1;
    return 0;
}

/* Octaves within the sweep whose decay is cut by noise before T30 can be read. */
static int warn_of_noise(struct measured *m, struct error *e)
{
    for (size_t k = 0; k < m->response.channels; k++) {
        const struct metrics *x = &m->channel[k].metrics;
        char list[128] = "", text[16];
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            if (x->band[b].validity == METRICS_VALID && x->band[b].t30.reason == METRICS_NOISE) {
                const size_t used = strlen(list);
                snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", measured_octave(text, b + 1));
            }
        if (*list &&
            WARN("channel %zu: noise hides T30 at %s Hz; raise --level, the gain or --repeat, or use a longer sweep",
                 k + 1, list))
            return -1;
    }
    return 0;
}

/* The reverberation of the second harmonic reaches into the response if it lands less than half of T30 earlier. */
static int warn_of_short_sweep(struct measured *m, struct error *e)
{
    const double early = sweep_constant(&m->in.made) * log(2.0);
    double longest = 0.0;
    for (size_t k = 0; k < m->response.channels; k++)
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            longest = fmax(longest, m->channel[k].metrics.band[b].t30.time); /* NaN: not known */
    return early >= 0.5 * longest
               ? 0
               : WARN("the second harmonic lands %.2f s before the response, and its reverberation of "
                      "%.1f s runs into it; use a sweep of %.0f s or more",
                      early, longest, ceil(m->in.made.seconds * 0.5 * longest / early));
}

/* Another sweep than the one that was recorded leaves a sweep, and noise leaves noise at all times: before t = 0, where
 * harmonics are, as much as behind it. */
static int refuse_other_sweep(const struct measured *m, struct error *e)
{
    static const double most = -3.0; /* dB: no loudspeaker distorts like this */
    for (size_t k = 0; k < m->response.channels; k++) {
        bool other = m->channel[k].metrics.swept;
        for (size_t n = 2; n <= SWEEP_ORDERS; n++)
            other = other || m->response.distortion[k].level[n] > most;
        if (other)
            return fail(
                e, ERROR_INPUT,
                "%s: does not contain this sweep, or noise hides it in channel %zu; check the sweep, the input and "
                "the level",
                m->name, k + 1);
    }
    return 0;
}

int measured_make(struct measured *m, struct error *e)
{
    if (sweep_response_make(&m->response, &m->in, m->name, e))
        return -1;
    m->channel = calloc(m->response.channels, sizeof *m->channel);
    if (!m->channel)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < m->response.channels; k++)
        if (find_levels(m, k, e) || find_metrics(m, k, e))
            return -1;
    return refuse_other_sweep(m, e) || warn_of_clipping(m, e) || warn_of_repeats(m, e) || warn_of_distortion(m, e) ||
                   warn_of_noise(m, e) || warn_of_short_sweep(m, e)
               ? -1
               : 0;
}

void measured_free(struct measured *m)
{
    sweep_response_free(&m->response);
    free(m->channel);
    lines_free(m->warnings, m->warning_count);
    lines_free(m->notes, m->note_count);
}

static char *description(const struct measured *m)
{
    static const char *const zero[] = {[SWEEP_ZERO_DIRECT] = "is the strongest sound of channel 1",
                                       [SWEEP_ZERO_DELAY] = "is the emission, by the given delay",
                                       [SWEEP_ZERO_LOOPBACK] = "is the emission, by the loopback"};
    return text_format(
        "measured impulse response; valid from %.0f to %.0f Hz; sample 0 is %.0f ms before t = 0, which %s",
        m->in.made.low, m->in.made.high, -1e3 * m->response.start, zero[m->response.zero]);
}

int measured_write(const struct measured *m, const struct sound_names *names, enum sample_format format,
                   bool no_clobber, struct error *e)
{
    const struct sweep_response *r = &m->response;
    const struct audio audio = {
        .samples = r->samples, .channels = r->channels, .frames = r->frames, .rate = m->in.made.rate};
    struct output_set set = {.no_clobber = no_clobber};
    struct output_file *pair[2];
    struct audio_written written;
    char *text = description(m), *json = NULL;
    const struct audio_description d = {.format = format, .description = text};
    int status = text ? sound_pair_add(pair, &set, names, e) || audio_write_to(pair[0], &audio, &d, &written, e)
                      : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && pair[1]) {
        cJSON *whole = measured_json(m, names->sound, &written, format);
        json = json_text(whole);
        status = json ? output_file_put(pair[1], json, e) : fail(e, ERROR_MEMORY, "out of memory");
    }
    status = status || output_set_commit(&set, e) ? -1 : 0;
    output_set_discard(&set);
    free(text);
    free(json);
    return status;
}

void measured_say(const struct measured *m, bool quiet)
{
    for (size_t i = 0; i < m->note_count; i++)
        say(quiet, "note: %s: %s", m->name, m->notes[i]);
    for (size_t i = 0; i < m->warning_count; i++)
        say(false, "warning: %s: %s", m->name, m->warnings[i]);
}
