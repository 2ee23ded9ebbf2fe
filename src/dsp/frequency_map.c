/* SPDX-License-Identifier: MIT */
#include "dsp/frequency_map.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/nonuniform_fourier.h"

static const double PI = 3.14159265358979323846;

/* Frames, times the width of the roll-off, after which its ringing is 120 dB down. */
static const double RINGING = 64.0;

/* One true frequency of the output. */
struct mapped_bin {
    double grid_frequency;
    double factor[2]; /* gain, roll-off, spectrum of the signal, and the delay by half a record */
};

struct frequency_mapper {
    size_t frames, wanted, faded; /* the last `faded` frames of a record are faded out */
    struct fourier tables;
    struct nonuniform_fourier input;
    struct real_fourier output;
    struct mapped_bin *bins; /* [bin_count], from 0 on */
    size_t bin_count;
    double *record;        /* [frames], faded */
    double (*spectrum)[2]; /* [output.length/2 + 1]: zero from bin_count on */
    double *re, *im;       /* scratch: half the longer of both transforms */
};

void frequency_mapper_close(struct frequency_mapper *m)
{
    if (!m)
        return;
    fourier_free(&m->tables);
    nonuniform_fourier_free(&m->input);
    free(m->bins);
    free(m->record);
    free(m->spectrum);
    free(m->re);
    free(m->im);
    free(m);
}

size_t frequency_map_ringing(const struct frequency_map *map)
{
    return (size_t)ceil(RINGING / (map->stop - map->pass));
}

/* Holds a whole mapped record and the signal, so that only the roll-off's ringing reaches around the end. */
static size_t output_length(const struct frequency_map *map, size_t frames, size_t signal_frames)
{
    const size_t ringing = frequency_map_ringing(map);
    size_t length = 64;
    while (length < frames + signal_frames + map->ahead + ringing)
        length *= 2;
    return length;
}

static double roll_off(const struct frequency_map *map, double frequency)
{
    if (frequency <= map->pass)
        return 1.0;
    return frequency < map->stop ? 0.5 + 0.5 * cos(PI * (frequency - map->pass) / (map->stop - map->pass)) : 0.0;
}

/* The signal's samples into re and im, transformed. */
static void transform_signal(struct frequency_mapper *m, const double *signal, size_t signal_frames)
{
    memset(m->re, 0, m->output.length / 2 * sizeof *m->re);
    memset(m->im, 0, m->output.length / 2 * sizeof *m->im);
    for (size_t n = 0; n < signal_frames; n++)
        (n % 2 ? m->im : m->re)[n / 2] = signal[n];
    real_fourier_forward(&m->output, m->re, m->im);
}

static int make_bins(struct frequency_mapper *m, const struct frequency_map *map, const double *signal,
                     size_t signal_frames, struct error *e)
{
    const double late = 2.0 * PI * ((double)(m->frames / 2) - map->lead);
    const bool transformed = signal && signal_frames > 1; /* one sample is a factor */
    if (transformed)
        transform_signal(m, signal, signal_frames);
    for (size_t k = 0; k < m->bin_count && !stop_requested_at(k); k++) {
        const double frequency = (double)k / (double)m->output.length, f = map->grid_frequency(frequency);
        const double scale = map->gain(f) * roll_off(map, frequency);
        const double angle = late * f + 2.0 * PI * (double)map->ahead * frequency;
        const double c = scale * cos(angle), s = -scale * sin(angle);
        double of_signal[2] = {signal ? signal[0] : 1.0, 0.0};
        if (!(f >= 0.0 && f < 0.5) || !isfinite(scale))
            return fail(e, ERROR_FAILED, "the frequency map ends below %g of the sample rate", frequency);
        if (transformed)
            real_fourier_bin(&m->output, m->re, m->im, k, of_signal);
        m->bins[k] = (struct mapped_bin){f, {c * of_signal[0] - s * of_signal[1], c * of_signal[1] + s * of_signal[0]}};
    }
    return stop_check(e);
}

static int allocate(struct frequency_mapper *m, size_t tables, struct error *e)
{
    m->bins = malloc(m->bin_count * sizeof *m->bins);
    m->record = malloc((m->frames + 1) * sizeof *m->record);
    m->spectrum = calloc(m->output.length / 2 + 1, sizeof *m->spectrum);
    m->re = malloc(tables / 2 * sizeof *m->re);
    m->im = malloc(tables / 2 * sizeof *m->im);
    return m->bins && m->record && m->spectrum && m->re && m->im ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

int frequency_mapper_open(struct frequency_mapper **out, const struct frequency_map *map, size_t frames, size_t wanted,
                          const double *signal, size_t signal_frames, struct error *e)
{
    *out = NULL;
    if (!frames || wanted > frames + map->ahead || !(map->lead >= 0.0) ||
        !(map->pass >= 0.0 && map->pass < map->stop && map->stop < 0.5) || !(map->grid_frequency(map->stop) < 0.5))
        return fail(
            e, ERROR_FAILED,
            "cannot make a frequency map of %zu from %zu frames with a transition from %g to %g of the sample rate",
            wanted, frames, map->pass, map->stop);
    const size_t used = signal_frames < wanted ? signal_frames : wanted; /* what comes later is not heard */
    const size_t input = nonuniform_fourier_length(frames), output = output_length(map, frames, used);
    const size_t longer = input > output ? input : output;
    struct frequency_mapper *m = calloc(1, sizeof *m);
    if (!m)
        return fail(e, ERROR_MEMORY, "out of memory");
    m->frames = frames;
    m->wanted = wanted;
    m->faded = (size_t)ceil(FREQUENCY_MAP_FADE * (double)frames);
    if (fourier_make(&m->tables, longer, e))
        goto fail;
    m->output = real_fourier_of(&m->tables, output);
    m->bin_count = (size_t)ceil(map->stop * (double)output);
    if (allocate(m, longer, e) ||
        nonuniform_fourier_make(&m->input, frames, map->grid_frequency(map->stop), &m->tables, e) ||
        make_bins(m, map, signal, used, e))
        goto fail;
    *out = m;
    return 0;
fail:
    frequency_mapper_close(m);
    return -1;
}

static void fade(struct frequency_mapper *m, const double *record)
{
    memcpy(m->record, record, m->frames * sizeof *record);
    const size_t first = m->frames - m->faded;
    for (size_t n = first; n < m->frames; n++)
        m->record[n] *= 0.5 + 0.5 * cos(PI * ((double)(n - first) + 0.5) / (double)m->faded);
}

int frequency_mapper_run(struct frequency_mapper *m, const double *record, double *response, struct error *e)
{
    fade(m, record);
    if (nonuniform_fourier_take(&m->input, m->record, m->re, m->im, e))
        return -1;
    for (size_t k = 0; k < m->bin_count && !stop_requested_at(k); k++) {
        const struct mapped_bin *bin = &m->bins[k];
        double value[2];
        nonuniform_fourier_at(&m->input, bin->grid_frequency, value);
        m->spectrum[k][0] = value[0] * bin->factor[0] - value[1] * bin->factor[1];
        m->spectrum[k][1] = value[1] * bin->factor[0] + value[0] * bin->factor[1];
    }
    m->spectrum[0][1] = 0.0;
    real_fourier_inverse(&m->output, (const double(*)[2])m->spectrum, m->re, m->im);
    const double scale = 1.0 / (double)m->output.length;
    for (size_t n = 0; n < m->wanted; n++)
        response[n] = scale * (n % 2 ? m->im : m->re)[n / 2];
    return stop_check(e);
}

/* Tables 16 bytes a point of the longer transform, scratch 8, the spectrum of the output 8; what is kept of the input's
 * spectrum 16 a bin, and a mapped_bin for each of the output's; the record and its weights. */
uint64_t frequency_mapper_bytes(const struct frequency_map *map, size_t frames, size_t signal_frames)
{
    const size_t input = nonuniform_fourier_length(frames), output = output_length(map, frames, signal_frames);
    const double bins = map->stop * (16.0 * (double)input + (double)sizeof(struct mapped_bin) * (double)output);
    return 24 * (uint64_t)(input > output ? input : output) + 8 * (uint64_t)output + (uint64_t)bins +
           16 * (uint64_t)frames;
}
