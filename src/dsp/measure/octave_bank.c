/* SPDX-License-Identifier: MIT */
#include "dsp/measure/octave_bank.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

/* theory (93): 1 from half a width inside the edge on; `octaves` outwards from there. */
static double edge_gain(double octaves, double width)
{
    return octaves > 0.0 ? exp(-0.5 * M_LN2 * pow(2.0 * octaves / width, 4.0)) : 1.0;
}

double band_gain(double frequency, double low, double high)
{
    return narrow_band_gain(frequency, low, high, 1.0);
}

double narrow_band_gain(double frequency, double low, double high, double width)
{
    double gain = 1.0;
    if (low > 0.0)
        gain *= frequency > 0.0 ? edge_gain(log2(low / frequency) + 0.5 * width, width) : 0.0;
    if (isfinite(high))
        gain *= frequency > 0.0 ? edge_gain(log2(frequency / high) + 0.5 * width, width) : 1.0;
    return gain;
}

void octave_bank_close(struct octave_bank *b)
{
    if (!b)
        return;
    fourier_free(&b->fourier);
    free(b->spectrum_re);
    free(b->spectrum_im);
    free(b->work_re);
    free(b->work_im);
    for (size_t i = 0; i < b->filter_count; i++)
        free(b->filters[i].gain);
    free(b->filters);
    memset(b, 0, sizeof *b);
}

static double *doubles(size_t count)
{
    return calloc(count, sizeof(double));
}

int octave_bank_load(struct octave_bank *b, const double *record, struct error *e)
{
    const size_t frames = b->frames, lead = b->lead;
    memcpy(b->spectrum_re, record, frames * sizeof *record);
    memset(b->spectrum_re + frames, 0, (b->fourier.length - frames) * sizeof *record);
    memset(b->spectrum_im, 0, b->fourier.length * sizeof *record);
    for (size_t n = 0; n < lead && n < frames; n++)
        b->spectrum_re[frames + n] =
            record[frames - 1 - n] * (0.5 + 0.5 * cos(M_PI * (double)(n + 1) / (double)(lead + 1)));
    fourier_forward(&b->fourier, b->spectrum_re, b->spectrum_im);
    return stop_check(e);
}

int octave_bank_open(struct octave_bank *b, const double *record, size_t frames, double rate, double reach,
                     struct error *e)
{
    size_t length = 2;
    memset(b, 0, sizeof *b);
    b->lead = (size_t)ceil(reach * rate);
    b->frames = frames;
    b->rate = rate;
    while (length < frames + 2 * b->lead)
        length *= 2;
    /* two tables of the transform, four arrays and two filters here, two bands of the caller */
    if (memory_demand((8.0 * (double)length + 2.0 * (double)(frames + b->lead)) * sizeof(double), e,
                      "the octave bands of %zu samples", frames) ||
        fourier_make(&b->fourier, length, e))
        return -1;
    b->spectrum_re = doubles(length);
    b->spectrum_im = doubles(length);
    b->work_re = doubles(length);
    b->work_im = doubles(length);
    const bool good = b->spectrum_re && b->spectrum_im && b->work_re && b->work_im;
    const int status = good ? octave_bank_load(b, record, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        octave_bank_close(b);
    return status;
}

/* Widths beyond an edge from which on edge_gain is 0: exp(-832) is below the least double. */
static const double silent = 3.0;

/* The bins from *first to *last: the gain of all others is exactly 0. */
static void find_support(size_t *first, size_t *last, const struct fourier *f, double rate,
                         const struct band_edges *edges, double width)
{
    const double bin = rate / (double)f->length, low = edges->low * exp2(-silent * width) / bin,
                 high = edges->high * exp2(silent * width) / bin, most = 0.5 * (double)f->length;
    *first = low > 0.0 ? (size_t)fmin(low, most) : 0;
    *last = high < most ? (size_t)ceil(high) : f->length / 2;
}

/* All gains but those of the support stay 0. Σ h² = Σ |H|² / length (Parseval). */
static void fill_gains(struct bank_filter *filter, const struct fourier *f, double rate)
{
    const struct band_edges *edges = &filter->edges;
    const double width = edges->width > 0.0 ? edges->width : 1.0, length = (double)f->length;
    size_t first, last;
    find_support(&first, &last, f, rate, edges, width);
    filter->energy = 0.0;
    for (size_t bin = first; bin <= last && !stop_requested_at(bin); bin++) {
        const double frequency = rate * (double)bin / length;
        double gain = narrow_band_gain(frequency, edges->low, edges->high, width);
        if (edges->tilt > 0.0)
            gain *= exp(-pow(frequency / edges->tilt, 2.0));
        const bool once = bin == 0 || bin == f->length / 2;
        filter->energy += (once ? 1.0 : 2.0) * gain * gain / length;
        gain /= length; /* the inverse transform does not divide */
        filter->gain[fourier_index(f, bin)] = gain;
        if (!once)
            filter->gain[fourier_index(f, f->length - bin)] = gain;
    }
}

static bool same_edges(const struct band_edges *a, const struct band_edges *b)
{
    return a->low == b->low && a->high == b->high && a->tilt == b->tilt && a->width == b->width;
}

/* A filter to be filled: a new one, or where none are kept the one of this place in a pair. NULL: memory is out. */
static struct bank_filter *empty_filter(struct octave_bank *b, size_t place)
{
    if (b->kept || b->filter_count <= place) {
        struct bank_filter *more = realloc(b->filters, (b->filter_count + 1) * sizeof *more);
        double *gain = doubles(b->fourier.length);
        b->filters = more ? more : b->filters;
        if (!more || !gain) {
            free(gain);
            return NULL;
        }
        place = b->filter_count++;
        b->filters[place].gain = gain;
    } else {
        memset(b->filters[place].gain, 0, b->fourier.length * sizeof *b->filters[place].gain);
    }
    return &b->filters[place];
}

/* Index of the filter with these edges; SIZE_MAX: memory is out. */
static size_t filter_of(struct octave_bank *b, const struct band_edges *edges, size_t place)
{
    for (size_t i = 0; i < b->filter_count && b->kept; i++)
        if (same_edges(&b->filters[i].edges, edges))
            return i;
    struct bank_filter *filter = empty_filter(b, place);
    if (!filter)
        return SIZE_MAX;
    filter->edges = *edges;
    fill_gains(filter, &b->fourier, b->rate);
    return (size_t)(filter - b->filters);
}

/* A real, even gain keeps a real record real: one transform filters two bands, in its real and imaginary parts. */
int octave_bank_pair(struct octave_bank *b, const struct band_edges edges[2], double *out[2], double energy[2],
                     struct error *e)
{
    const size_t length = b->fourier.length, count = out[1] ? 2 : 1;
    size_t filter[2];
    for (size_t k = 0; k < count; k++) {
        filter[k] = filter_of(b, &edges[k], k);
        if (filter[k] == SIZE_MAX)
            return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < count; k++)
        energy[k] = b->filters[filter[k]].energy;
    const double *one = b->filters[filter[0]].gain, *other = count > 1 ? b->filters[filter[1]].gain : NULL;
    for (size_t i = 0; i < length && !stop_requested_at(i); i++) {
        const double second = other ? other[i] : 0.0;
        b->work_re[i] = b->spectrum_re[i] * one[i] - b->spectrum_im[i] * second;
        b->work_im[i] = b->spectrum_re[i] * second + b->spectrum_im[i] * one[i];
    }
    fourier_inverse(&b->fourier, b->work_re, b->work_im);
    if (stop_check(e))
        return -1;
    for (size_t k = 0; k < count; k++) {
        const double *from = k ? b->work_im : b->work_re;
        memcpy(out[k], from + length - b->lead, b->lead * sizeof *from);
        memcpy(out[k] + b->lead, from, b->frames * sizeof *from);
    }
    return 0;
}
