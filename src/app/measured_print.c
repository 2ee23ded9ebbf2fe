/* SPDX-License-Identifier: MIT */
/* The table and the sidecar of a measured response. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/measured.h"
#include "app/outputs.h"
#include "base/file.h"
#include "io/audio_file.h"
#include "io/json_build.h"

static double nominal(size_t band)
{
    return band == 0 ? 31.5 : band == 1 ? 63.0 : sweep_octave(band);
}

/* "31.5", "63", "16k" */
static const char *octave_name(char text[16], size_t band)
{
    const double centre = nominal(band);
    if (centre < 1000.0)
        snprintf(text, 16, "%g", centre);
    else
        snprintf(text, 16, "%gk", centre / 1000.0);
    return text;
}

/* "-12.3" to a column; "-" for NaN */
static void print_value(double value)
{
    if (isfinite(value))
        printf(" %10.1f", value);
    else
        printf(" %10s", "-");
}

static bool within_sweep(const struct sweep *s, size_t band)
{
    return 1.12 * sweep_octave(band) * M_SQRT1_2 >= s->low && sweep_octave(band) * M_SQRT2 <= 1.12 * s->high;
}

static void print_octaves(const struct measured_channel *c, const struct sweep *s)
{
    char text[16];
    printf("  octave, Hz  noise, dB%s  sweep above noise, dB  decay seen, dB\n", c->pascals > 0.0 ? "  " : "FS");
    for (size_t b = 0; b < SWEEP_OCTAVES; b++) {
        if (!within_sweep(s, b))
            continue;
        printf("  %10s", octave_name(text, b));
        print_value(measured_level(c, c->noise[b]));
        printf("            ");
        print_value(10.0 * log10(c->sweep[b] / c->noise[b]));
        printf("     ");
        print_value(b >= 1 && b <= METRICS_OCTAVES ? c->metrics->band[b - 1].range : NAN);
        printf("\n");
    }
}

static void print_distortion(const struct sweep_distortion *d)
{
    printf("  distortion:");
    for (size_t n = 2; n <= SWEEP_ORDERS; n++) {
        const bool hidden = d->level[n] < d->floor[n] + 3.0;
        if (isnan(d->level[n]))
            printf("%s order %zu not in the band", n > 2 ? "," : "", n);
        else
            printf("%s order %zu %s%.1f dB", n > 2 ? "," : "", n, hidden ? "below " : "", d->level[n]);
    }
    printf("\n");
}

void measured_print(const struct measured *m, const struct sound_names *names)
{
    static const char *const zero[] = {[SWEEP_ZERO_DIRECT] = "the strongest sound of channel 1 is at t = 0",
                                       [SWEEP_ZERO_DELAY] = "t = 0 is the emission, by --delay",
                                       [SWEEP_ZERO_LOOPBACK] = "t = 0 is the emission, by the loopback"};
    const struct sweep_response *r = &m->response;
    printf("%s: %zu channel%s of %.3g s at %g Hz, valid from %.0f to %.0f Hz; %s\n", output_said(names->sound),
           r->channels, r->channels == 1 ? "" : "s", (double)r->frames / m->in.made.rate, m->in.made.rate,
           m->in.made.low, m->in.made.high, zero[r->zero]);
    const double spread = isnan(m->spread) ? r->difference : m->spread;
    if (!isnan(spread))
        printf("  %zu sweeps, which differ by %.1f dB re their mean\n",
               m->averaged > m->in.repeats ? m->averaged : m->in.repeats, spread);
    for (size_t k = 0; k < r->channels; k++) {
        printf("channel %zu: direct sound at %.1f ms\n", k + 1, 1e3 * m->channel[k].metrics->arrival);
        print_octaves(&m->channel[k], &m->in.made);
        print_distortion(&r->distortion[k]);
    }
}

/* ---- JSON */

static void add_distortion(cJSON *json, const struct sweep_distortion *d)
{
    cJSON *list = cJSON_AddArrayToObject(json, "distortion");
    for (size_t n = 2; n <= SWEEP_ORDERS; n++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "order", (double)n);
        cJSON_AddNumberToObject(one, "level", d->level[n]); /* null: not in the band */
        cJSON_AddNumberToObject(one, "noise", d->floor[n]);
        cJSON_AddItemToArray(list, one);
    }
}

static void add_octaves(cJSON *json, const struct measured_channel *c)
{
    cJSON *list = cJSON_AddArrayToObject(json, "octaves");
    for (size_t b = 0; b < SWEEP_OCTAVES; b++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "centre", nominal(b));
        cJSON_AddNumberToObject(one, "noise", measured_level(c, c->noise[b]));
        cJSON_AddNumberToObject(one, "sweep", measured_level(c, c->sweep[b]));
        cJSON_AddNumberToObject(one, "sweep_above_noise", 10.0 * log10(c->sweep[b] / c->noise[b]));
        cJSON_AddNumberToObject(one, "decay", b >= 1 && b <= METRICS_OCTAVES ? c->metrics->band[b - 1].range : NAN);
        cJSON_AddItemToArray(list, one);
    }
}

static cJSON *measurement_json(const struct measured *m)
{
    static const char *const zero[] = {
        [SWEEP_ZERO_DIRECT] = "direct sound", [SWEEP_ZERO_DELAY] = "delay", [SWEEP_ZERO_LOOPBACK] = "loopback"};
    const struct sweep *s = &m->in.made;
    cJSON *json = cJSON_CreateObject(), *sweep = cJSON_AddObjectToObject(json, "sweep");
    cJSON_AddNumberToObject(sweep, "low", s->low);
    cJSON_AddNumberToObject(sweep, "high", s->high);
    cJSON_AddNumberToObject(sweep, "seconds", s->seconds);
    cJSON_AddNumberToObject(sweep, "level", 20.0 * log10(s->level));
    cJSON_AddStringToObject(json, "recording", m->name);
    if (m->device)
        cJSON_AddStringToObject(json, "device", m->device);
    cJSON_AddNumberToObject(json, "sweeps", (double)(m->averaged > m->in.repeats ? m->averaged : m->in.repeats));
    cJSON_AddNumberToObject(json, "difference", isnan(m->spread) ? m->response.difference : m->spread);
    cJSON_AddNumberToObject(json, "clock_drift", m->response.drift);
    if (m->takes) {
        cJSON_AddNumberToObject(json, "takes", (double)m->takes);
        cJSON_AddNumberToObject(json, "dropped_blocks", (double)m->dropped);
        cJSON_AddNumberToObject(json, "refused_sweeps", (double)m->refused);
    }
    cJSON_AddStringToObject(json, "time_zero", zero[m->response.zero]);
    cJSON_AddStringToObject(json, "level_unit", m->pascals ? "dB re 20 uPa" : "dB re full scale");
    cJSON *channels = cJSON_AddArrayToObject(json, "channels");
    for (size_t k = 0; k < m->response.channels; k++) {
        cJSON *one = cJSON_CreateObject();
        if (m->channel[k].pascals > 0.0)
            cJSON_AddNumberToObject(one, "pascals_per_unit", m->channel[k].pascals);
        add_distortion(one, &m->response.distortion[k]);
        add_octaves(one, &m->channel[k]);
        cJSON_AddItemToArray(channels, one);
    }
    return json;
}

static cJSON *output_json(const struct measured *m, const struct audio_written *written, enum sample_format format)
{
    const struct sweep_response *r = &m->response;
    double peak = 0.0;
    for (size_t n = 0; n < r->channels * r->frames; n++)
        peak = fmax(peak, fabs(r->samples[n]));
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "channels", (double)r->channels);
    cJSON_AddNumberToObject(json, "frames", (double)r->frames);
    cJSON_AddNumberToObject(json, "rate", m->in.made.rate);
    cJSON_AddStringToObject(json, "format", format_names[format]);
    cJSON_AddStringToObject(json, "content", "impulse response: measured with a sweep");
    cJSON_AddStringToObject(json, "calibration",
                            m->pascals ? "recorded over played samples; times pascals_per_unit it yields Pa, but the "
                                         "strength of the source is unknown"
                                       : "recorded over played samples, without unit");
    cJSON_AddStringToObject(json, "time_zero", "sample 0 is at `start`, in s");
    cJSON_AddNumberToObject(json, "start", r->start);
    cJSON_AddNumberToObject(json, "gain", written->gain);
    cJSON_AddNumberToObject(json, "peak", peak * written->gain);
    cJSON_AddStringToObject(json, "checksum", written->checksum);
    return json;
}

cJSON *measured_json(const struct measured *m, const char *sound, const struct audio_written *written,
                     enum sample_format format)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddStringToObject(json, "file", path_name(sound));
    cJSON_AddStringToObject(json, "source", "measured");
    cJSON_AddStringToObject(json, "command", m->command);
    cJSON_AddItemToObject(json, "output", output_json(m, written, format));
    cJSON *band = cJSON_AddObjectToObject(json, "valid_band");
    cJSON_AddNumberToObject(band, "low", m->in.made.low);
    cJSON_AddNumberToObject(band, "high", m->in.made.high);
    cJSON_AddItemToObject(json, "measurement", measurement_json(m));
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < m->findings.warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(m->findings.warnings[i]));
    return json;
}

int measured_print_json(const char *path, struct error *e)
{
    char *text = NULL;
    if (file_read_text(path, (size_t)64 << 20, &text, e))
        return -1;
    fputs(text, stdout);
    free(text);
    return 0;
}
