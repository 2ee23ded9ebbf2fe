/* SPDX-License-Identifier: MIT */
#include "dsp/ears/ear_filters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/convolve.h"
#include "dsp/fourier.h"
#include "dsp/resample.h"
#include "dsp/space/harmonics.h"

static const double HEAD_RADIUS = 0.0875, SOUND_SPEED = 343.0; /* m, m/s */
static const double PENALTY = 1e-4;

double ear_filters_change(int order)
{
    return fmin(fmax(order * SOUND_SPEED / (2.0 * M_PI * HEAD_RADIUS), 500.0), 2000.0);
}

/* The fit, at the rate of the HRTF. */
struct fit {
    const struct hrtf *hrtf;
    size_t channels, length, bins; /* of the transform; length/2 + 1 */
    double *harmonics;             /* [directions][channels], N3D */
    double *inverse;               /* [directions][channels]: P, h = Σ_m P[m] H[m] */
    double *areas;                 /* [directions] */
    double (*target)[2];           /* [bins][directions][ear][2]: H, as (re, im) */
    double (*solution)[2];         /* [ear][channels][bins]: h */
};

static void fit_free(struct fit *f)
{
    free(f->harmonics);
    free(f->inverse);
    free(f->areas);
    free(f->target);
    free(f->solution);
}

/* 1.5 times the longest response, at least 512, so that what the fit adds before and after has room. */
static size_t transform_length(const struct hrtf *h)
{
    double longest = 0.0;
    size_t length = 512;
    for (size_t i = 0; i < h->directions; i++)
        longest = fmax(longest, fmax(h->delay[i][0], h->delay[i][1]));
    while ((double)length < 1.5 * ((double)h->taps + longest))
        length *= 2;
    return length;
}

double ear_filters_lead(const struct hrtf *h)
{
    return 0.25 * (double)transform_length(h) / h->rate;
}

static int fit_make(struct fit *f, const struct hrtf *h, int order, struct error *e)
{
    *f = (struct fit){.hrtf = h, .channels = harmonics_count(order), .length = transform_length(h)};
    f->bins = f->length / 2 + 1;
    const double values = (double)h->directions * (4.0 * (double)f->bins + 2.0 * (double)f->channels);
    if (memory_demand(8.0 * values, e, "the responses of %zu directions", h->directions))
        return -1;
    f->harmonics = malloc(h->directions * f->channels * sizeof *f->harmonics);
    f->inverse = malloc(h->directions * f->channels * sizeof *f->inverse);
    f->areas = malloc(h->directions * sizeof *f->areas);
    f->target = malloc(f->bins * h->directions * 2 * sizeof *f->target);
    f->solution = calloc(f->bins * f->channels * 2, sizeof *f->solution);
    if (!f->harmonics || !f->inverse || !f->areas || !f->target || !f->solution)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (sphere_areas(f->areas, (const double(*)[3])h->direction, h->directions, e))
        return -1;
    for (size_t m = 0; m < h->directions; m++) {
        double *row = f->harmonics + m * f->channels;
        harmonics_at(row, order, h->direction[m]);
        for (size_t c = 0; c < f->channels; c++)
            row[c] *= sqrt(2.0 * harmonics_order_of(c) + 1.0);
    }
    return 0;
}

/* a = L Lᵀ in place, lower triangle; nonzero: a is not positive. */
static int cholesky(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0.0))
                return -1;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return 0;
}

static void solve_cholesky(double *x, const double *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
}

/* P = (Yᵀ W Y + penalty)⁻¹ Yᵀ W, column by column. */
static int make_inverse(struct fit *f, const char *path, struct error *e)
{
    double gram[HARMONICS_MAX * HARMONICS_MAX] = {0}, mean = 0.0;
    const size_t n = f->channels;
    for (size_t m = 0; m < f->hrtf->directions; m++) {
        const double *row = f->harmonics + m * n;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                gram[i * n + j] += f->areas[m] * row[i] * row[j];
    }
    for (size_t i = 0; i < n; i++)
        mean += gram[i * n + i] / (double)n;
    for (size_t i = 0; i < n; i++)
        gram[i * n + i] += PENALTY * mean;
    if (cholesky(gram, n))
        return fail(e, ERROR_INPUT,
                    "%s: the directions do not determine the harmonics of the field; use a set with more directions",
                    path);
    for (size_t m = 0; m < f->hrtf->directions; m++) {
        for (size_t c = 0; c < n; c++)
            f->inverse[m * n + c] = f->areas[m] * f->harmonics[m * n + c];
        solve_cholesky(f->inverse + m * n, gram, n);
    }
    return 0;
}

/* times e^{-jωτ}, τ in samples */
static void delay(double value[2], size_t bin, double samples, size_t length)
{
    const double angle = -2.0 * M_PI * (double)bin / (double)length * samples, c = cos(angle), s = sin(angle);
    const double re = value[0] * c - value[1] * s;
    value[1] = value[0] * s + value[1] * c;
    value[0] = re;
}

/* H of all directions: both ears of one by a complex transform. */
static int make_targets(struct fit *f, struct error *e)
{
    const struct hrtf *h = f->hrtf;
    struct fourier tables;
    double *re = malloc(f->length * sizeof *re), *im = malloc(f->length * sizeof *im);
    int status = re && im ? fourier_make(&tables, f->length, e) : fail(e, ERROR_MEMORY, "out of memory");
    const int made = !status;
    for (size_t m = 0; m < h->directions && !status; m++) {
        const double *left = h->responses + 2 * m * h->taps, *right = left + h->taps;
        memset(re, 0, f->length * sizeof *re);
        memset(im, 0, f->length * sizeof *im);
        memcpy(re, left, h->taps * sizeof *re);
        memcpy(im, right, h->taps * sizeof *im);
        fourier_forward(&tables, re, im);
        for (size_t k = 0; k < f->bins; k++) {
            const size_t a = fourier_index(&tables, k), b = fourier_index(&tables, k ? f->length - k : 0);
            double(*to)[2] = f->target + (k * h->directions + m) * 2;
            to[0][0] = 0.5 * (re[a] + re[b]);
            to[0][1] = 0.5 * (im[a] - im[b]);
            to[1][0] = 0.5 * (im[a] + im[b]);
            to[1][1] = 0.5 * (re[b] - re[a]);
            for (size_t ear = 0; ear < 2; ear++)
                delay(to[ear], k, h->delay[m][ear], f->length);
        }
        status = stop_check(e);
    }
    if (made)
        fourier_free(&tables);
    free(re);
    free(im);
    return status;
}

/* Σ area (left + right) of a bin */
static void mean_response(double sum[2], const struct fit *f, size_t bin)
{
    sum[0] = sum[1] = 0.0;
    for (size_t m = 0; m < f->hrtf->directions; m++)
        for (size_t ear = 0; ear < 2; ear++)
            for (int part = 0; part < 2; part++)
                sum[part] += f->areas[m] * f->target[(bin * f->hrtf->directions + m) * 2 + ear][part];
}

/* Samples: the delay that all responses share, by the slope of phase of their mean from 100 to 600 Hz. It is taken out
 * before the fit of magnitudes, whose phase has no slope of its own. */
static double common_delay(const struct fit *f)
{
    const double step = f->hrtf->rate / (double)f->length;
    const size_t first = (size_t)ceil(100.0 / step), last = first + (size_t)ceil(500.0 / step);
    double before[2], here[2], weight = 0.0, slope = 0.0;
    mean_response(before, f, first);
    for (size_t k = first + 1; k <= last && k < f->bins; k++) {
        mean_response(here, f, k);
        const double re = here[0] * before[0] + here[1] * before[1], im = here[1] * before[0] - here[0] * before[1];
        slope += hypot(re, im) * atan2(im, re);
        weight += hypot(re, im);
        memcpy(before, here, sizeof here);
    }
    return weight > 0.0 ? -slope / weight * (double)f->length / (2.0 * M_PI) : 0.0;
}

/* H becomes its magnitude with the phase of what h of the bin below gives. */
static void take_phase(double value[2], const struct fit *f, size_t direction, size_t ear, size_t bin)
{
    const double *row = f->harmonics + direction * f->channels;
    const double(*h)[2] = (const double(*)[2])f->solution + ear * f->channels * f->bins + bin - 1;
    double re = 0.0, im = 0.0;
    for (size_t c = 0; c < f->channels; c++) {
        re += row[c] * h[c * f->bins][0];
        im += row[c] * h[c * f->bins][1];
    }
    const double magnitude = hypot(value[0], value[1]), length = hypot(re, im);
    value[0] = length > 0.0 ? magnitude * re / length : magnitude;
    value[1] = length > 0.0 ? magnitude * im / length : 0.0;
}

static int solve(struct fit *f, int order, double shared, struct error *e)
{
    const size_t count = f->hrtf->directions,
                 change = (size_t)ceil(ear_filters_change(order) / f->hrtf->rate * (double)f->length);
    for (size_t k = 0; k < f->bins; k++) {
        for (size_t m = 0; m < count; m++)
            for (size_t ear = 0; ear < 2; ear++) {
                double *value = f->target[(k * count + m) * 2 + ear];
                delay(value, k, -shared, f->length);
                if (k >= change && k)
                    take_phase(value, f, m, ear, k);
                for (size_t c = 0; c < f->channels; c++) {
                    double *h = f->solution[(ear * f->channels + c) * f->bins + k];
                    h[0] += f->inverse[m * f->channels + c] * value[0];
                    h[1] += f->inverse[m * f->channels + c] * value[1];
                }
            }
        if (stop_check(e))
            return -1;
    }
    return 0;
}

/* Raised cosines over an eighth of the length at both ends. */
static double fade(size_t n, size_t length)
{
    const size_t edge = length / 8, end = n < length - 1 - n ? n : length - 1 - n;
    return end >= edge ? 1.0 : 0.5 - 0.5 * cos(M_PI * ((double)end + 0.5) / (double)edge);
}

/* The filter of one ear and channel at the rate of the HRTF, delayed by `lead` samples, on samples[length]. */
static void filter_samples(double *samples, double *scratch, const struct fit *f, const struct fourier *tables,
                           size_t part, double lead)
{
    const double gain = sqrt(2.0 * harmonics_order_of(part % f->channels) + 1.0) / (double)f->length;
    for (size_t k = 0; k < f->bins; k++) {
        double value[2] = {f->solution[part * f->bins + k][0], f->solution[part * f->bins + k][1]};
        delay(value, k, lead, f->length);
        if (k == 0 || k == f->length / 2)
            value[1] = 0.0;
        const size_t a = fourier_index(tables, k), b = fourier_index(tables, k ? f->length - k : 0);
        samples[a] = samples[b] = value[0];
        scratch[a] = value[1];
        scratch[b] = k == 0 || k == f->length / 2 ? 0.0 : -value[1];
    }
    fourier_inverse(tables, samples, scratch);
    for (size_t n = 0; n < f->length; n++)
        samples[n] *= gain * fade(n, f->length);
}

/* All filters, brought to f->rate: a filter's level at equal response goes with the step of time. */
static int make_filters(struct ear_filters *out, const struct fit *f, double shared, struct error *e)
{
    struct fourier tables;
    const double ratio = out->rate / f->hrtf->rate, early = 0.25 * (double)f->length - shared;
    out->lead = (size_t)fmax(ceil(early * ratio), 0.0);
    out->taps = resample_frames(f->length, f->hrtf->rate, out->rate);
    const double lead = (double)out->lead / ratio + shared;
    double *samples = malloc(f->length * sizeof *samples), *scratch = malloc(f->length * sizeof *scratch);
    out->filter = calloc(2 * out->channels * out->taps, sizeof *out->filter);
    int status = samples && scratch && out->filter ? fourier_make(&tables, f->length, e)
                                                   : fail(e, ERROR_MEMORY, "out of memory");
    const int made = !status;
    for (size_t part = 0; part < 2 * out->channels && !status; part++) {
        double *resampled = NULL;
        size_t count = 0;
        filter_samples(samples, scratch, f, &tables, part, lead);
        status = resample(&resampled, &count, samples, f->length, f->hrtf->rate, out->rate, e);
        for (size_t n = 0; n < count && n < out->taps; n++)
            out->filter[part * out->taps + n] = resampled[n] / ratio;
        free(resampled);
    }
    if (made)
        fourier_free(&tables);
    free(samples);
    free(scratch);
    return status;
}

int ear_filters_make(struct ear_filters *f, const struct hrtf *h, int order, double rate, const char *path,
                     struct error *e)
{
    struct fit fit;
    *f = (struct ear_filters){.order = order, .channels = harmonics_count(order), .rate = rate};
    int status = fit_make(&fit, h, order, e) || make_inverse(&fit, path, e) || make_targets(&fit, e) ? -1 : 0;
    if (!status) {
        const double shared = common_delay(&fit);
        status = solve(&fit, order, shared, e) || make_filters(f, &fit, shared, e) ? -1 : 0;
    }
    fit_free(&fit);
    if (status)
        ear_filters_free(f);
    return status;
}

void ear_filters_free(struct ear_filters *f)
{
    free(f->filter);
    memset(f, 0, sizeof *f);
}

void ear_filters_response(double value[2], const struct ear_filters *f, size_t ear, const double direction[3],
                          double frequency)
{
    double harmonics[HARMONICS_MAX];
    const double step = 2.0 * M_PI * frequency / f->rate;
    harmonics_at(harmonics, f->order, direction);
    value[0] = value[1] = 0.0;
    for (size_t n = 0; n < f->taps; n++) {
        double sum = 0.0;
        for (size_t c = 0; c < f->channels; c++)
            sum += harmonics[c] * f->filter[(ear * f->channels + c) * f->taps + n];
        value[0] += sum * cos(step * ((double)n - (double)f->lead));
        value[1] -= sum * sin(step * ((double)n - (double)f->lead));
    }
}

int ear_filters_run(double **out, size_t *out_frames, const struct ear_filters *f, const double *field, size_t frames,
                    struct error *e)
{
    struct convolver_filter filters[2 * HARMONICS_MAX];
    for (size_t c = 0; c < f->channels; c++)
        for (size_t ear = 0; ear < 2; ear++)
            filters[2 * c + ear] = (struct convolver_filter){f->filter + (ear * f->channels + c) * f->taps, f->taps};
    size_t whole = 0;
    if (convolve(out, &whole, field, f->channels, frames, filters, 2, e))
        return -1;
    *out_frames = whole > f->lead ? whole - f->lead : 0;
    for (size_t ear = 0; ear < 2 && *out_frames; ear++)
        memmove(*out + ear * *out_frames, *out + ear * whole + f->lead, *out_frames * sizeof **out);
    return 0;
}
