/* SPDX-License-Identifier: MIT */
#include "render/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/ears/ear_filters.h"
#include "render/directions.h"
#include "room/grid/air.h"
#include "room/grid/sources.h"

/* ---- sources */

static bool has_file(const struct source_view *view)
{
    return view->source->directivity == DIRECTIVITY_FILE;
}

/* Coefficients of a file at the frequencies of late energy and of image paths. */
static int take_radiation(struct source_view *view, const struct path_sound *sound, struct error *e)
{
    const struct radiation *r = &view->source->radiation;
    for (size_t u = 0; u < r->used; u++)
        for (int k = 0; k < LATE_FREQUENCIES; k++) {
            double value[2];
            radiation_at(value, r, view->order, r->harmonic[u], ldexp(500.0, k));
            view->late[u][0][k] = value[0];
            view->late[u][1][k] = value[1];
        }
    if (!sound)
        return 0;
    view->over_frequency = malloc(r->used * sound->bins * sizeof *view->over_frequency);
    if (!view->over_frequency)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t u = 0; u < r->used; u++)
        for (size_t k = 0; k < sound->bins; k++) {
            double value[2];
            radiation_at(value, r, view->order, r->harmonic[u], sound->frequency[k]);
            view->over_frequency[u * sound->bins + k] = value[0] + I * value[1];
        }
    return 0;
}

int source_view_make(struct source_view *view, size_t source, const struct model *m, const struct path_sound *sound,
                     struct error *e)
{
    const struct source *s = &m->room->sources[source];
    const struct turn turn = turn_of(s->orientation[0], s->orientation[1], s->orientation[2]);
    *view = (struct source_view){.source = s, .back = turn_back(&turn), .order = m->orders[source]};
    for (int n = 0; n <= RADIATION_ORDER_MAX; n++)
        view->distance[n] = source_integrator(s, n, m->grid.sound_speed).distance;
    if (has_file(view))
        return take_radiation(view, sound, e);
    source_pattern(view->a, s->directivity, view->order);
    return 0;
}

void source_view_free(struct source_view *view)
{
    free(view->over_frequency);
    view->over_frequency = NULL;
}

/* P_n(z) for n to PATTERN_ORDER_MAX. */
static void legendre(double p[PATTERN_ORDER_MAX + 1], double z)
{
    p[0] = 1.0;
    p[1] = z;
    for (int n = 1; n < PATTERN_ORDER_MAX; n++)
        p[n + 1] = ((2 * n + 1) * z * p[n] - n * p[n - 1]) / (n + 1);
}

/* F_n(jkr)/F_n(jkR) = (R/r)^n θ_n(jkr)/θ_n(jkR) */
static double complex nearness(int n, double wavenumber, double distance, double known_at)
{
    double here[2], there[2];
    bessel_polynomial(here, n, wavenumber * distance);
    bessel_polynomial(there, n, wavenumber * known_at);
    return pow(known_at / distance, n) * (here[0] + I * here[1]) / (there[0] + I * there[1]);
}

void source_view_multiply(const void *context, double complex *gain, const struct path_sound *sound,
                          const double direction[3], double distance)
{
    const struct source_view *view = context;
    const struct radiation *r = &view->source->radiation;
    double own[3], y[RADIATION_HARMONICS_MAX], p[PATTERN_ORDER_MAX + 1];
    if (!view->order)
        return;
    turn_apply(own, &view->back, direction);
    legendre(p, own[0]);
    harmonics_at(y, view->order, own);
    for (size_t k = 0; k < sound->bins; k++) {
        const double wavenumber = 2.0 * M_PI * sound->frequency[k] / sound->sound_speed;
        double complex of_order[RADIATION_ORDER_MAX + 1] = {0.0}, sum;
        for (size_t u = 0; u < r->used && has_file(view); u++) {
            const int n = harmonics_order_of(r->harmonic[u]);
            if (n <= view->order)
                of_order[n] += y[r->harmonic[u]] * view->over_frequency[u * sound->bins + k];
        }
        for (int n = 0; n <= view->order && !has_file(view); n++)
            of_order[n] = view->a[n] * p[n];
        sum = of_order[0];
        for (int n = 1; n <= view->order; n++)
            sum += of_order[n] * nearness(n, wavenumber, distance, view->distance[n]);
        gain[k] *= sum;
    }
}

double source_view_energy(const void *context, const double direction[3])
{
    const struct source_view *view = context;
    const struct radiation *r = &view->source->radiation;
    double own[3], y[RADIATION_HARMONICS_MAX], p[PATTERN_ORDER_MAX + 1], sum = 0.0;
    turn_apply(own, &view->back, direction);
    if (!has_file(view)) {
        legendre(p, own[0]);
        for (int n = 0; n <= view->order; n++)
            sum += view->a[n] * p[n];
        return sum * sum;
    }
    harmonics_at(y, r->order, own);
    for (int k = 0; k < LATE_FREQUENCIES; k++) {
        double re = 0.0, im = 0.0;
        for (size_t u = 0; u < r->used; u++) {
            re += y[r->harmonic[u]] * view->late[u][0][k];
            im += y[r->harmonic[u]] * view->late[u][1][k];
        }
        sum += (re * re + im * im) / LATE_FREQUENCIES;
    }
    return sum;
}

/* ---- receivers */

void receiver_view_make(struct receiver_view *view, const struct receiver *r, const struct model *m)
{
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]);
    const struct air_conditions air = air_conditions(m->room);
    *view = (struct receiver_view){.receiver = r,
                                   .back = turn_back(&turn),
                                   .scale = -1.0 / (air_density(&air) * m->grid.sound_speed),
                                   .channels = 1,
                                   .order = receiver_order(r),
                                   .integrator = receiver_integrator(r, m->grid.sound_speed),
                                   .directed = receiver_order(r) > 0};
    if (receiver_records(r) == RECORDS_VELOCITY || receiver_records(r) == RECORDS_HARMONICS)
        view->channels = receiver_taps(r);
}

void receiver_view_orders(const void *context, double *gain, const double direction[3])
{
    const struct receiver_view *view = context;
    const size_t orders = (size_t)view->order + 1;
    double own[3], values[HARMONICS_MAX];
    turn_apply(own, &view->back, direction);
    memset(gain, 0, view->channels * orders * sizeof *gain);
    switch (receiver_records(view->receiver)) {
    case RECORDS_PRESSURE:
        gain[0] = 1.0;
        break;
    case RECORDS_PATTERN:
        gain[0] = receiver_pressure(view->receiver);
        gain[1] = (1.0 - gain[0]) * own[0];
        break;
    case RECORDS_VELOCITY:
        for (size_t axis = 0; axis < 3; axis++)
            gain[axis * orders + 1] = view->scale * own[axis];
        break;
    case RECORDS_HARMONICS:
        harmonics_at(values, view->order, own);
        for (size_t c = 0; c < view->channels; c++)
            gain[c * orders + (size_t)harmonics_order_of(c)] = values[c];
        break;
    }
}

void receiver_view_gains(const void *context, double *gain, const double direction[3])
{
    const struct receiver_view *view = context;
    const size_t orders = (size_t)view->order + 1;
    double by_order[HARMONICS_MAX * (HARMONICS_ORDER_MAX + 1)];
    receiver_view_orders(view, by_order, direction);
    for (size_t c = 0; c < view->channels; c++) {
        gain[c] = 0.0;
        for (size_t n = 0; n < orders; n++)
            gain[c] += by_order[c * orders + n];
    }
}

int receiver_view_add_ears(double *out, size_t frames, const double *field, const struct receiver_view *view,
                           double rate, double gain, struct error *e)
{
    const struct receiver *r = view->receiver;
    struct ear_filters filters = {0};
    double *heard = NULL;
    size_t count = 0;
    const int status = ear_filters_make(&filters, &r->ears, view->order, rate, r->hrtf, e) ||
                               ear_filters_run(&heard, &count, &filters, field, frames, e)
                           ? -1
                           : 0;
    for (size_t ear = 0; ear < 2 && !status; ear++)
        for (size_t n = 0; n < frames && n < count; n++)
            out[ear * frames + n] += gain * heard[ear * count + n];
    free(heard);
    ear_filters_free(&filters);
    return status;
}
