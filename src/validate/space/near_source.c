/* SPDX-License-Identifier: MIT */
/* A point source 16 cells away in free field: harmonics of its field relative to the pressure,
 * compared with Y_nm F_n(sr/c). Also cardioids of order 1 to 3 at that distance, in some
 * directions, compared with their patterns.
 *
 * The field is that of a large rigid box until reflections arrive, at complex frequencies, z =
 * e^{0.035 + jω}, for which everything after the record is negligible. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "dsp/space/integrators.h"
#include "room/grid/sources.h"
#include "validate/model_taps.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { STEPS = 170, ORDER = 3, FREQUENCIES = 5, EARS = SPACE_RECEIVERS };

static const double damping = 0.035, cells = 16.0, side = 8.8; /* per step; to the receiver; m */
static const double at_frequency[SPACE_SCHEMES][FREQUENCIES] = {{0.02, 0.03, 0.04, 0.054, 0.076},
                                                                {0.054, 0.08, 0.1, 0.13, 0.17}};

static double complex spectrum_at(const double *taps, double frequency)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < STEPS; n++)
        sum += taps[n] * cexp(-(damping + 2.0 * M_PI * I * frequency) * (double)n);
    return sum;
}

/* s X/c of the trapezoid rule. */
static double complex operator_at(const struct grid *g, double frequency)
{
    const double complex z = cexp(damping + 2.0 * M_PI * I * frequency);
    return 2.0 * (z - 1.0) / (z + 1.0) / sqrt(g->courant_squared);
}

/* θ_n(x)/x^n */
static double complex nearness(int n, double complex x)
{
    double complex sum = 0.0;
    for (int j = 0; j <= n; j++)
        sum += tgamma(n + j + 1) / (tgamma(j + 1) * tgamma(n - j + 1)) * cpow(2.0 * x, -j);
    return sum;
}

static void make_box(struct space_box *b, int scheme, struct random *r)
{
    space_box_init(b, (double[]){side, side, side}, 1e6);
    b->room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
    b->room.grid.rate = 8000.0;
    b->room.output.filter = FILTER_NONE;
    for (int axis = 0; axis < 3; axis++)
        b->source.position[axis] = 0.5 * side + 0.05 * random_unit(r);
}

/* Records every tap of the model for one of its drives: taps [tap_count][STEPS], in new memory. */
static int record(double **taps, struct validation *v, const struct space_box *b, size_t drive, struct error *e)
{
    static const double signal[STEPS] = {1.0};
    const size_t count = room_tap_count(&b->room);
    *taps = calloc(count * STEPS, sizeof **taps);
    if (!*taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    return model_taps_record(*taps, v, b->model, drive, signal, STEPS, 0, count, e);
}

/* Places receivers 16 cells from the source; a first model determines the grid's spacing. */
static int place_receivers(struct space_box *b, double directions[EARS][3], enum receiver_kind_tag kind,
                           struct random *r, struct error *e)
{
    struct grid g;
    const struct grid_use use = grid_use_responses(&b->room);
    b->room.receiver_count = 0;
    if (grid_make_for(&g, &b->room, &use, e))
        return -1;
    b->room.receiver_count = EARS;
    for (int i = 0; i < EARS; i++) {
        space_direction(directions[i], r); /* of arrival at the receiver */
        b->receivers[i] = (struct receiver){.name = "R", .kind = kind, .order = ORDER};
        for (int axis = 0; axis < 3; axis++)
            b->receivers[i].position[axis] = b->source.position[axis] - cells * g.spacing * directions[i][axis];
    }
    return space_box_make(b, e);
}

static int check_receivers(struct validation *v, struct report *r, int scheme, struct error *e)
{
    static const double bound[SPACE_SCHEMES][ORDER + 1] = {{0.0, -27.0, -23.0, -20.0}, {0.0, -40.0, -31.0, -24.0}};
    struct space_box b;
    double directions[EARS][3], *taps, worst[ORDER + 1] = {0.0};
    make_box(&b, scheme, &v->random);
    if (place_receivers(&b, directions, RECEIVER_AMBISONIC, &v->random, e))
        return -1;
    const int status = record(&taps, v, &b, 0, e);
    for (int f = 0; f < FREQUENCIES && !status; f++) {
        const double complex s = operator_at(&b.model->grid, at_frequency[scheme][f]);
        double squares[ORDER + 1] = {0.0}, all[ORDER + 1] = {0.0};
        for (int i = 0; i < EARS; i++) {
            const double *own = taps + (size_t)i * harmonics_count(ORDER) * STEPS;
            const double complex pressure = spectrum_at(own, at_frequency[scheme][f]);
            double y[HARMONICS_MAX];
            harmonics_at(y, ORDER, directions[i]);
            for (size_t c = 1; c < harmonics_count(ORDER); c++) {
                const int n = harmonics_order_of(c);
                const double complex exact = y[c] * nearness(n, s * cells);
                const double complex measured = spectrum_at(own + c * STEPS, at_frequency[scheme][f]) / pressure *
                                                cpow(s / b.model->grid.spacing, -n);
                squares[n] += pow(cabs(measured - exact), 2.0);
                all[n] += pow(cabs(exact), 2.0);
            }
        }
        for (int n = 1; n <= ORDER; n++)
            worst[n] = nan_max(worst[n], squares[n] / all[n]);
    }
    for (int n = 1; n <= ORDER && !status; n++)
        report_bound(
            r, "near-source", 10.0 * log10(worst[n]), bound[scheme][n],
            "%s, point source 16 cells away, order %d relative to the pressure: largest error over frequency, dB",
            scheme ? "19-point" : "7-point", n);
    free(taps);
    space_box_free(&b);
    return status;
}

static void check_identities(struct report *r)
{
    double worst = 0.0;
    for (int n = 0; n <= 4; n++)
        for (double x = 0.3; x < 30.0; x *= 3.1) {
            double theta[2];
            bessel_polynomial(theta, n, x);
            double complex below = I * cexp(-I * x) / x, here = (I / x - 1.0) / x * cexp(-I * x), hankel = below;
            for (int k = 1; k <= n; k++) { /* spherical Hankel functions of the second kind */
                const double complex next = (2 * k + 1) / x * here - below;
                hankel = here;
                below = here;
                here = next;
            }
            const double complex exact = -I * x * cpow(I, -n) * hankel * cexp(I * x);
            worst = nan_max(worst, cabs((theta[0] + I * theta[1]) / cpow(I * x, n) / exact - 1.0));
        }
    report_bound(r, "near-source", worst, 1e-14,
                 "F_n = θ_n(x)/x^n compared with spherical Hankel functions, n up to 4: relative error");
}

int check_space_near_source(struct validation *v, struct report *r, struct error *e)
{
    check_identities(r);
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        if (check_receivers(v, r, scheme, e))
            return -1;
    return 0;
}

/* A cardioid of an order: its drives run one by one, those of order n times R^n/θ_n(sR/c),
 * relative to the monopole among them. */
static int check_cardioid(struct validation *v, struct report *r, int scheme, int order, struct error *e)
{
    static const double bound[SPACE_SCHEMES][ORDER + 1] = {{0.0, -33.0, -31.0, -29.0}, {0.0, -48.0, -44.0, -40.0}};
    struct space_box b;
    double directions[EARS][3], *heard[ORDER + 1] = {NULL}, a[ORDER + 1], worst = 0.0;
    make_box(&b, scheme, &v->random);
    b.source.directivity = DIRECTIVITY_CARDIOID;
    b.source.order = (size_t)order;
    for (int axis = 0; axis < 3; axis++)
        b.source.orientation[axis] = 360.0 * random_unit(&v->random) - 180.0;
    if (place_receivers(&b, directions, RECEIVER_OMNI, &v->random, e))
        return -1;
    source_pattern(a, DIRECTIVITY_CARDIOID, order);
    const double *angles = b.source.orientation;
    const struct turn turn = turn_of(angles[0], angles[1], angles[2]);
    const double distance = source_integrator(&b.source, order, b.model->grid.sound_speed).distance;
    int status = 0;
    for (int n = 0; n <= order && !status; n++)
        status = record(&heard[n], v, &b, (size_t)n, e);
    for (int f = 0; f < FREQUENCIES && !status; f++) {
        const struct grid *g = &b.model->grid;
        const double complex s = operator_at(g, at_frequency[scheme][f]) / g->spacing; /* s/c, 1/m */
        for (int i = 0; i < EARS; i++) {
            double complex measured = 0.0, exact = 0.0;
            double z = 0.0;
            for (int axis = 0; axis < 3; axis++)
                z -= turn.row[axis][0] * directions[i][axis]; /* from source to observer */
            const double p[] = {1.0, z, 1.5 * z * z - 0.5, 2.5 * z * z * z - 1.5 * z};
            for (int n = 0; n <= order; n++) { /* R^n/θ_n(sR/c) = (c/s)^n/F_n(sR/c) */
                const double complex known = nearness(n, s * distance);
                measured += spectrum_at(heard[n] + i * STEPS, at_frequency[scheme][f]) / cpow(s, n) / known;
                exact += a[n] * p[n] * nearness(n, s * cells * g->spacing) / known;
            }
            const double complex even = spectrum_at(heard[0] + i * STEPS, at_frequency[scheme][f]) / a[0];
            worst = nan_max(worst, cabs(measured / even - exact));
        }
    }
    if (!status)
        report_bound(
            r, "sources", 20.0 * log10(worst), bound[scheme][order],
            "%s, cardioid of order %d 16 cells away: largest error over direction and frequency, dB re monopole",
            scheme ? "19-point" : "7-point", order);
    for (int n = 0; n <= order; n++)
        free(heard[n]);
    space_box_free(&b);
    return status;
}

int check_space_sources(struct validation *v, struct report *r, struct error *e)
{
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        for (int order = 1; order <= ORDER; order++)
            if (check_cardioid(v, r, scheme, order, e))
                return -1;
    return 0;
}
