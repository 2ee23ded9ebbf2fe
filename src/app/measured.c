/* SPDX-License-Identifier: MIT */
#include "app/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/say.h"
#include "base/text.h"
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

int measured_make(struct measured *m, struct error *e)
{
    if (sweep_response_make(&m->response, &m->in, m->name, e) ||
        sweep_findings_make(&m->findings, &m->in, &m->response, m->spread, m->name, e))
        return -1;
    m->channel = calloc(m->response.channels, sizeof *m->channel);
    if (!m->channel)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < m->response.channels; k++) {
        m->channel[k].metrics = &m->findings.metrics[k];
        if (find_levels(m, k, e))
            return -1;
    }
    return 0;
}

void measured_free(struct measured *m)
{
    sweep_response_free(&m->response);
    free(m->channel);
    sweep_findings_free(&m->findings);
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
    const struct sweep_findings *f = &m->findings;
    for (size_t i = 0; i < f->note_count; i++)
        say(quiet, "note: %s: %s", m->name, f->notes[i]);
    for (size_t i = 0; i < f->warning_count; i++)
        say(false, "warning: %s: %s", m->name, f->warnings[i]);
}
