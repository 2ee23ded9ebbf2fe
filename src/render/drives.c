/* SPDX-License-Identifier: MIT */
#include "render/drives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/band_filter.h"
#include "dsp/fourier.h"
#include "render/mapping.h"
#include "render/response.h"
#include "room/grid/sources.h"
#include "solver/schemes/isotropic19/isotropic19.h"

static const double LEAD = 0.005, TAIL = 0.02;          /* s, ahead of and after the emission */
static const double ROLL_FIRST = 1.35, ROLL_LAST = 2.0; /* relative to the end of the valid band on the grid */

/* A finite filter for all drives of a source. */
struct filters {
    const struct model *model;
    const struct source *source;
    int order;
    size_t lead, taps; /* samples; taps: lead included */
    struct fourier tables;
    struct real_fourier transform;
    double *re, *im;       /* [length/2] */
    double (*spectrum)[2]; /* [length/2 + 1] */
    double *taps_of_one;   /* [taps] */
};

static bool has_file(const struct model *m, size_t source)
{
    return m->room->sources[source].directivity == DIRECTIVITY_FILE;
}

static size_t lead_of(const struct model *m)
{
    return (size_t)ceil(LEAD * m->grid.rate);
}

size_t drives_lead(const struct model *m, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        if (has_file(m, i))
            return lead_of(m);
    return 0;
}

static void filters_close(struct filters *f)
{
    fourier_free(&f->tables);
    free(f->re);
    free(f->im);
    free(f->spectrum);
    free(f->taps_of_one);
}

static int filters_open(struct filters *f, const struct model *m, size_t source, struct error *e)
{
    size_t length = 64;
    *f = (struct filters){.model = m, .source = &m->room->sources[source], .order = m->orders[source]};
    f->lead = lead_of(m);
    f->taps = f->lead + (size_t)ceil(TAIL * m->grid.rate);
    while (length < 4 * f->taps)
        length *= 2;
    f->re = malloc(length / 2 * sizeof *f->re);
    f->im = malloc(length / 2 * sizeof *f->im);
    f->spectrum = malloc((length / 2 + 1) * sizeof *f->spectrum);
    f->taps_of_one = malloc(f->taps * sizeof *f->taps_of_one);
    if (!f->re || !f->im || !f->spectrum || !f->taps_of_one) {
        filters_close(f);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    if (fourier_make(&f->tables, length, e)) {
        filters_close(f);
        return -1;
    }
    f->transform = real_fourier_of(&f->tables, length);
    return 0;
}

/* 1 in the valid band, 0 well above it, where waves on the grid differ from those in air. */
static double roll_off(const struct grid *g, double grid_frequency)
{
    const double edge = g->mapped ? mapping_grid_frequency(g, g->valid_frequency) : g->valid_frequency;
    const double first = fmin(ROLL_FIRST * edge, 0.4 * g->rate), last = fmin(ROLL_LAST * edge, 0.48 * g->rate);
    if (grid_frequency <= first)
        return 1.0;
    return grid_frequency < last ? 0.5 + 0.5 * cos(M_PI * (grid_frequency - first) / (last - first)) : 0.0;
}

/* D_nm at a frequency of the grid, which corresponds to another true frequency if the grid is
 * mapped. */
static void wanted_at(double value[2], const struct filters *f, size_t harmonic, double grid_frequency)
{
    const struct grid *g = &f->model->grid;
    const double roll = roll_off(g, grid_frequency);
    value[0] = value[1] = 0.0;
    if (!(roll > 0.0))
        return;
    const double frequency =
        g->mapped ? g->rate * isotropic19_true_frequency(grid_frequency / g->rate) : grid_frequency;
    if (isfinite(frequency))
        radiation_at(value, &f->source->radiation, f->order, harmonic, frequency);
    value[0] *= roll;
    value[1] *= roll;
}

/* Raised cosines over half of the lead and half of the rest. */
static double fade(const struct filters *f, size_t n)
{
    const size_t rise = f->lead / 2, fall = (f->taps - f->lead) / 2, left = f->taps - 1 - n;
    if (n < rise)
        return 0.5 - 0.5 * cos(M_PI * ((double)n + 0.5) / (double)rise);
    return left < fall ? 0.5 - 0.5 * cos(M_PI * ((double)left + 0.5) / (double)fall) : 1.0;
}

static void make_taps(struct filters *f, size_t harmonic)
{
    const size_t length = f->transform.length;
    for (size_t k = 0; k <= length / 2; k++) {
        double value[2];
        const double frequency = (double)k / (double)length, angle = -2.0 * M_PI * frequency * (double)f->lead;
        wanted_at(value, f, harmonic, frequency * f->model->grid.rate);
        f->spectrum[k][0] = value[0] * cos(angle) - value[1] * sin(angle);
        f->spectrum[k][1] = k == 0 || k == length / 2 ? 0.0 : value[0] * sin(angle) + value[1] * cos(angle);
    }
    real_fourier_inverse(&f->transform, (const double(*)[2])f->spectrum, f->re, f->im);
    for (size_t n = 0; n < f->taps; n++)
        f->taps_of_one[n] = fade(f, n) / (double)length * (n % 2 ? f->im : f->re)[n / 2];
}

/* out += taps * x, sample by sample: a longer run yields the same bits. */
static void convolve_into(double *out, size_t steps, const struct filters *f, const struct excitation *x, size_t delay)
{
    for (size_t n = 0; n < x->length && delay + n < steps && !stop_requested_at(n); n++) {
        const double sample = x->samples[n];
        const size_t left = steps - delay - n, count = left < f->taps ? left : f->taps;
        for (size_t k = 0; k < count && sample != 0.0; k++)
            out[delay + n + k] += sample * f->taps_of_one[k];
    }
}

int drives_make(double *signals, const struct model *m, size_t source, const struct excitation *x, size_t onset,
                size_t steps, bool high_passed, struct error *e)
{
    const struct source *s = &m->room->sources[source];
    const bool file = has_file(m, source);
    const size_t before = x->onset + (file ? lead_of(m) : 0);
    struct filters f = {0};
    if (onset < before)
        return fail(e, ERROR_INPUT,
                    "source %s: its signal begins %zu steps before its onset, but only %zu are available", s->name,
                    before, onset);
    const size_t delay = onset - before;
    if (file && filters_open(&f, m, source, e))
        return -1;
    for (size_t k = 0; k < source_drives(s); k++, signals += steps) {
        const int n = source_drive_order(s, k);
        const struct integrator integrator = source_integrator(s, n, m->grid.sound_speed);
        struct near_field_filter filter;
        if (file) {
            make_taps(&f, s->radiation.harmonic[k]);
            convolve_into(signals, steps, &f, x, delay);
        } else {
            for (size_t i = 0; i < x->length && delay + i < steps; i++)
                signals[delay + i] = x->samples[i];
        }
        if (high_passed)
            high_pass(signals, steps, RESPONSE_HIGH_PASS, m->grid.rate);
        near_field_filter_make(&filter, &integrator, n, m->grid.rate);
        near_field_filter_run(&filter, signals, steps);
    }
    filters_close(&f);
    return stop_check(e);
}

int drives_response(double value[2], const struct model *m, size_t source, size_t drive, double frequency,
                    struct error *e)
{
    struct filters f;
    value[0] = 1.0;
    value[1] = 0.0;
    if (!has_file(m, source))
        return 0;
    if (filters_open(&f, m, source, e))
        return -1;
    make_taps(&f, f.source->radiation.harmonic[drive]);
    value[0] = 0.0;
    for (size_t n = 0; n < f.taps; n++) {
        const double angle = 2.0 * M_PI * frequency / m->grid.rate * ((double)n - (double)f.lead);
        value[0] += f.taps_of_one[n] * cos(angle);
        value[1] -= f.taps_of_one[n] * sin(angle);
    }
    filters_close(&f);
    return 0;
}
