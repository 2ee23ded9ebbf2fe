/* SPDX-License-Identifier: MIT */
#include "render/directions.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stop.h"
#include "dsp/ears/ear_filters.h"
#include "dsp/fourier.h"
#include "dsp/space/harmonics.h"
#include "dsp/space/integrators.h"
#include "dsp/space/penalised_squares.h"
#include "room/grid/air.h"

/* (c/s)^n as a finite causal filter, accurate from twice the corner of the plane-wave form
 * (dsp/space/integrators.h) up and bounded below. It integrates the direct sound of a nearby
 * source, whose ringing would otherwise begin before the emission. Least-squares fit, each
 * frequency relative to its own level. */

static const double PENALTY = 1e-10; /* on the filter's samples */
static const double BELOW = 1e-3;    /* weight below the lowest accurate frequency */
static const double TOP = 0.45;      /* of the rate; a causal filter cannot follow above */
enum { LEAST = 48, MOST = 600, BELOW_BINS = 16 };

static int causal_integrator_make(double **out, size_t *out_count, const struct integrator *integrator, int n,
                                  double rate, bool trapezoid, struct error *e)
{
    const double low = 2.0 * n * integrator->sound_speed / (2.0 * M_PI * integrator->distance) / rate;
    const double periods = 1.5 + 0.6 * n; /* length of the filter in periods of the lowest frequency */
    const double wanted = fmin(fmax(ceil(periods / low), LEAST), MOST);
    const size_t count = (size_t)wanted, bins = 2 * count, rows = 2 * (bins + BELOW_BINS);
    double *columns = calloc((count + 1) * rows, sizeof *columns), *taps = malloc(count * sizeof *taps);
    int status = columns && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    const double scale = pow(integrator->sound_speed / (2.0 * M_PI * low * rate), n); /* at the lowest frequency */
    for (size_t k = 0; k < BELOW_BINS && !status; k++)
        for (size_t i = 0; i < count; i++) {
            const double complex value =
                BELOW * cexp(-M_PI * I * low * (double)i * (double)k / BELOW_BINS) / sqrt((double)BELOW_BINS);
            columns[i * rows + 2 * (bins + k)] = creal(value);
            columns[i * rows + 2 * (bins + k) + 1] = cimag(value);
        }
    for (size_t k = 0; k < bins && !status; k++) {
        const double frequency = low * pow(TOP / low, (double)k / (double)(bins - 1));
        const double omega = rate * (trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency);
        const double complex level = cpow(integrator->sound_speed / (I * omega), n) * sqrt((double)bins);
        for (size_t i = 0; i <= count; i++) {
            const double complex value =
                i < count ? scale * cexp(-2.0 * M_PI * I * frequency * (double)i) / level : 1.0 / sqrt((double)bins);
            columns[i * rows + 2 * k] = creal(value);
            columns[i * rows + 2 * k + 1] = cimag(value);
        }
    }
    status = status || penalised_squares(taps, count, 1, columns, rows, PENALTY, e) ? -1 : 0;
    for (size_t i = 0; i < count && !status; i++)
        taps[i] *= scale;
    free(columns);
    if (status) {
        free(taps);
        return -1;
    }
    *out = taps;
    *out_count = count;
    return 0;
}

static const double PLANE_DISTANCE = 1.5, MICROPHONE_DISTANCE = 10.0; /* m */

int receiver_order(const struct receiver *r)
{
    switch (receiver_records(r)) {
    case RECORDS_PRESSURE:
        return 0;
    case RECORDS_PATTERN:
    case RECORDS_VELOCITY:
        return 1;
    case RECORDS_HARMONICS:
        break;
    }
    return (int)r->order;
}

bool directions_are_none(const struct room *room)
{
    for (size_t i = 0; i < room->receiver_count; i++)
        if (receiver_order(&room->receivers[i]))
            return false;
    return true;
}

bool directions_ring_ahead(const struct room *room)
{
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind == RECEIVER_AMBISONIC)
            return true;
    return false;
}

struct integrator receiver_integrator(const struct receiver *r, double sound_speed)
{
    if (r->kind == RECEIVER_AMBISONIC)
        return (struct integrator){INTEGRATOR_PLANE, PLANE_DISTANCE, sound_speed};
    const double distance = r->kind == RECEIVER_BINAURAL ? r->ears.distance : MICROPHONE_DISTANCE;
    return (struct integrator){INTEGRATOR_NEAR_FIELD, distance, sound_speed};
}

double receiver_low(const struct receiver *r, double sound_speed)
{
    if (r->kind == RECEIVER_BINAURAL) /* the filters of the ears undo R^n/theta_n, at any distance of the source */
        return 0.0;
    const struct integrator integrator = receiver_integrator(r, sound_speed);
    return integrator_low(&integrator, receiver_order(r));
}

double directions_reach(const struct room *room, double sound_speed)
{
    double reach = 0.0;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct integrator integrator = receiver_integrator(&room->receivers[i], sound_speed);
        if (receiver_order(&room->receivers[i]) && integrator.form == INTEGRATOR_PLANE)
            reach = fmax(reach, 0.5 * integrator_ringing(&integrator, 1)); /* 50 dB down, the level of the end */
        if (room->receivers[i].kind == RECEIVER_BINAURAL)
            reach = fmax(reach, ear_filters_lead(&room->receivers[i].ears));
    }
    return reach;
}

/* Filters for the taps of one rate and length. */
struct filtering {
    const struct traces *taps;
    size_t lead, frames; /* of channels: frames ahead of the taps' first, and all frames */
    const struct model *model;
    struct fourier tables;
    struct real_fourier transform;
    double *re, *im;       /* [length/2] */
    double (*spectrum)[2]; /* [length/2 + 1] */
};

/* Covers the frames and the ringing of all integrators on both sides. */
static size_t transform_length(const struct room *room, size_t frames, double rate, double sound_speed)
{
    double ringing = 0.0;
    size_t length = 64;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct integrator integrator = receiver_integrator(&room->receivers[i], sound_speed);
        if (receiver_order(&room->receivers[i]))
            ringing = fmax(ringing, integrator_ringing(&integrator, 1));
    }
    while ((double)length < (double)frames + 2.0 * ringing * rate)
        length *= 2;
    return length;
}

static void filtering_close(struct filtering *f)
{
    fourier_free(&f->tables);
    free(f->re);
    free(f->im);
    free(f->spectrum);
}

/* The caller closes f after failures too. */
static int filtering_open(struct filtering *f, const struct traces *taps, const struct model *m, size_t lead,
                          struct error *e)
{
    const size_t length = transform_length(m->room, taps->frames + lead, taps->rate, m->grid.sound_speed);
    *f = (struct filtering){.taps = taps, .model = m, .lead = lead, .frames = taps->frames + lead};
    f->re = malloc(length / 2 * sizeof *f->re);
    f->im = malloc(length / 2 * sizeof *f->im);
    f->spectrum = malloc((length / 2 + 1) * sizeof *f->spectrum);
    if (f->re && f->im && f->spectrum && !fourier_make(&f->tables, length, e)) {
        f->transform = real_fourier_of(&f->tables, length);
        return 0;
    }
    return e && e->code == ERROR_STOPPED ? -1 : fail(e, ERROR_MEMORY, "out of memory");
}

/* out += scale times the n-fold integral of the tap. */
static int add_integrated(double *out, struct filtering *f, size_t tap, const struct integrator *integrator, int n,
                          double scale, struct error *e)
{
    const size_t length = f->transform.length;
    const double *in = f->taps->samples + tap * f->taps->frames;
    memset(f->re, 0, length / 2 * sizeof *f->re);
    memset(f->im, 0, length / 2 * sizeof *f->im);
    for (size_t i = f->lead; i < f->frames; i++)
        (i % 2 ? f->im : f->re)[i / 2] = in[i - f->lead];
    real_fourier_forward(&f->transform, f->re, f->im);
    for (size_t k = 0; k <= length / 2 && !stop_requested_at(k); k++) {
        double value[2], response[2] = {0.0, 0.0};
        const double angle = 2.0 * M_PI * (double)k / (double)length;
        const double omega = f->model->grid.mapped ? angle : 2.0 * tan(0.5 * angle);
        real_fourier_bin(&f->transform, f->re, f->im, k, value);
        if (k < length / 2)
            integrator_response(response, integrator, n, omega * f->taps->rate);
        f->spectrum[k][0] = value[0] * response[0] - value[1] * response[1];
        f->spectrum[k][1] = value[0] * response[1] + value[1] * response[0];
    }
    real_fourier_inverse(&f->transform, (const double(*)[2])f->spectrum, f->re, f->im);
    for (size_t i = 0; i < f->frames; i++)
        out[i] += scale / (double)length * (i % 2 ? f->im : f->re)[i / 2];
    return stop_check(e);
}

static void add_tap(double *out, const struct filtering *f, size_t tap, double scale)
{
    for (size_t i = 0; i < f->taps->frames && scale != 0.0; i++)
        out[f->lead + i] += scale * f->taps->samples[tap * f->taps->frames + i];
}

/* Forms the channels of a receiver, whose first tap is `tap`: out [receiver_channels][frames], zero
 * on entry. */
typedef int former(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e);

static int form_pressure(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e)
{
    (void)e;
    for (size_t i = 0; i < receiver_taps(r); i++)
        add_tap(out + i * f->frames, f, tap + i, 1.0);
    return 0;
}

/* theory (54): α W + (1 - α) (X, Y, Z) · u */
static int form_pattern(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e)
{
    const struct integrator integrator = receiver_integrator(r, f->model->grid.sound_speed);
    const double pressure = receiver_pressure(r);
    add_tap(out, f, tap, pressure);
    return add_integrated(out, f, tap + 1, &integrator, 1, 1.0 - pressure, e);
}

/* theory (55): u = -(X, Y, Z)/(ρc), m/s */
static int form_velocity(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e)
{
    const struct integrator integrator = receiver_integrator(r, f->model->grid.sound_speed);
    const struct air_conditions air = air_conditions(f->model->room);
    const double scale = -1.0 / (air_density(&air) * f->model->grid.sound_speed);
    for (size_t axis = 0; axis < 3; axis++)
        if (add_integrated(out + axis * f->frames, f, tap + axis, &integrator, 1, scale, e))
            return -1;
    return 0;
}

static int form_field(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e)
{
    const struct integrator integrator = receiver_integrator(r, f->model->grid.sound_speed);
    add_tap(out, f, tap, 1.0);
    for (size_t c = 1; c < receiver_taps(r); c++) {
        const int n = harmonics_order_of(c);
        if (add_integrated(out + c * f->frames, f, tap + c, &integrator, n, 1.0, e))
            return -1;
    }
    return 0;
}

/* The field, compensated for the measuring distance of the HRTF, through its filters. */
static int form_ears(double *out, struct filtering *f, const struct receiver *r, size_t tap, struct error *e)
{
    struct ear_filters filters = {0};
    const size_t frames = f->frames;
    double *heard = NULL, *field = calloc(receiver_taps(r) * frames + 1, sizeof *field);
    size_t count = 0;
    int status = field ? form_field(field, f, r, tap, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = ear_filters_make(&filters, &r->ears, (int)r->order, f->taps->rate, r->hrtf, e) ||
                         ear_filters_run(&heard, &count, &filters, field, frames, e)
                     ? -1
                     : 0;
    for (size_t ear = 0; ear < receiver_channels(r) && !status; ear++)
        memcpy(out + ear * frames, heard + ear * count, (count < frames ? count : frames) * sizeof *out);
    free(field);
    free(heard);
    ear_filters_free(&filters);
    return status;
}

static former *former_of(const struct receiver *r)
{
    switch (receiver_records(r)) {
    case RECORDS_PRESSURE:
        return form_pressure;
    case RECORDS_PATTERN:
        return form_pattern;
    case RECORDS_VELOCITY:
        return form_velocity;
    case RECORDS_HARMONICS:
        break;
    }
    return r->kind == RECEIVER_BINAURAL ? form_ears : form_field;
}

int directions_make(struct traces *channels, const struct traces *taps, size_t lead, const struct model *m,
                    struct error *e)
{
    const struct room *room = m->room;
    struct filtering f;
    *channels =
        (struct traces){.channels = room_channel_count(room), .frames = taps->frames + lead, .rate = taps->rate};
    channels->samples = calloc(channels->channels * channels->frames + 1, sizeof *channels->samples);
    if (!channels->samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = filtering_open(&f, taps, m, lead, e);
    for (size_t i = 0; i < room->receiver_count && !status; i++) {
        const struct receiver *r = &room->receivers[i];
        status = former_of(r)(channels->samples + room_first_channel(room, i) * channels->frames, &f, r,
                              room_first_tap(room, i), e);
    }
    filtering_close(&f);
    if (status)
        traces_free(channels);
    return status ? -1 : 0;
}

static int add_causal(double *out, const double *direct, size_t frames, const struct integrator *integrator, int n,
                      const struct model *m, struct error *e)
{
    double *taps;
    size_t count;
    if (causal_integrator_make(&taps, &count, integrator, n, m->grid.rate, !m->grid.mapped, e))
        return -1;
    for (size_t i = 0; i < frames && !stop_requested_at(i); i++) {
        double sum = 0.0;
        for (size_t k = 0; k < count && k <= i; k++)
            sum += taps[k] * direct[i - k];
        out[i] += sum;
    }
    free(taps);
    return stop_check(e);
}

int directions_part(struct traces *channels, size_t tap, const double *direct, size_t frames, size_t lead,
                    const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const struct receiver *r = room_receiver_of_tap(room, tap);
    const size_t receiver = (size_t)(r - room->receivers), harmonic = tap - room_first_tap(room, receiver);
    const struct integrator integrator = receiver_integrator(r, m->grid.sound_speed);
    const struct traces alone = {.samples = (double *)direct, .channels = 1, .frames = frames, .rate = channels->rate};
    const int n = harmonics_order_of(harmonic);
    double *out = channels->samples + (room_first_channel(room, receiver) + harmonic) * channels->frames;
    struct filtering f;
    const int status = filtering_open(&f, &alone, m, lead, e) || add_integrated(out, &f, 0, &integrator, n, -1.0, e) ||
                       add_causal(out + lead, direct, frames, &integrator, n, m, e);
    filtering_close(&f);
    return status ? -1 : 0;
}

void directions_fade_in(double *response, size_t frames, double rate, const double *arrival, const struct model *m)
{
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const struct receiver *r = &m->room->receivers[i];
        const double end = arrival[i] * rate;
        if (r->kind != RECEIVER_AMBISONIC)
            continue;
        for (size_t c = 1; c < receiver_channels(r); c++) {
            double *channel = response + (room_first_channel(m->room, i) + c) * frames;
            for (size_t n = 0; n < frames && (double)n < end; n++)
                channel[n] *= 0.5 - 0.5 * cos(M_PI * (double)n / end);
        }
    }
}

/* Per point of the transform: tables 16 bytes, scratch 8, spectrum 8. */
uint64_t directions_bytes(const struct room *room, size_t frames, double rate, double sound_speed)
{
    if (directions_are_none(room))
        return 0;
    return 32 * (uint64_t)transform_length(room, frames, rate, sound_speed) +
           8 * (uint64_t)room_channel_count(room) * frames;
}
