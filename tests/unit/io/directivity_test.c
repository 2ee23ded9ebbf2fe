/* SPDX-License-Identifier: MIT */
/* Patterns of sources: those with a name, fits of samples, SOFA files, and the filters of their drives. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dsp/space/harmonics.h"
#include "io/sofa/directivity.h"
#include "io/sofa/library.h"
#include "io/sofa/write.h"
#include "render/drives.h"
#include "render/mapping.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static void need_library(void)
{
    if (sofa_library.unavailable()) {
        print_message("skipped: %s\n", sofa_library.unavailable());
        skip();
    }
}

/* ---- patterns with a name */

static double pattern_at(enum directivity directivity, int order, double z)
{
    double a[PATTERN_ORDER_MAX + 1];
    source_pattern(a, directivity, order);
    const double p[] = {1.0, z, 1.5 * z * z - 0.5, 2.5 * z * z * z - 1.5 * z};
    double sum = 0.0;
    for (int n = 0; n <= order; n++)
        sum += a[n] * p[n];
    return sum;
}

/* ∫ D² dz from `from` to `to` by Simpson's rule, exact enough for polynomials of degree 6 at this step. */
static double power(enum directivity directivity, int order, double from, double to)
{
    enum { STEPS = 400 };
    double sum = 0.0;
    for (int i = 0; i <= STEPS; i++) {
        const double d = pattern_at(directivity, order, from + (to - from) * i / STEPS);
        sum += (i == 0 || i == STEPS ? 1.0 : i % 2 ? 4.0 : 2.0) * d * d;
    }
    return sum * (to - from) / STEPS / 3.0;
}

static void patterns_with_a_name_are_what_their_names_say(void **state)
{
    (void)state;
    static const double front_to_back[] = {0.0, 11.438951, 24.048270, 37.689967}; /* dB, supercardioids */
    for (int order = 1; order <= PATTERN_ORDER_MAX; order++) {
        for (double z = -1.0; z <= 1.0; z += 0.125) {
            assert_within(pattern_at(DIRECTIVITY_CARDIOID, order, z), pow(0.5 + 0.5 * z, order), 1e-14);
            assert_within(pattern_at(DIRECTIVITY_FIGURE_OF_EIGHT, order, z), pow(z, order), 1e-14);
        }
        for (enum directivity d = DIRECTIVITY_CARDIOID; d < DIRECTIVITIES; d++)
            assert_within(pattern_at(d, order, 1.0), 1.0, 1e-14);
        const double n = order + 1;
        assert_within(2.0 / power(DIRECTIVITY_HYPERCARDIOID, order, -1.0, 1.0), n * n,
                      1e-6); /* the greatest that there is */
        assert_within(10.0 * log10(power(DIRECTIVITY_SUPERCARDIOID, order, 0.0, 1.0) /
                                   power(DIRECTIVITY_SUPERCARDIOID, order, -1.0, 0.0)),
                      front_to_back[order], 1e-4);
    }
    double a[PATTERN_ORDER_MAX + 1];
    source_pattern(a, DIRECTIVITY_HYPERCARDIOID, 1);
    assert_within(a[0], directivity_pressure[DIRECTIVITY_HYPERCARDIOID], 1e-15);
}

/* ---- fits */

enum { DIRECTIONS = 300, FREQUENCIES = 5 };

struct sampled {
    double direction[DIRECTIONS][3], frequency[FREQUENCIES], value[FREQUENCIES][DIRECTIONS][2];
    double wanted[FREQUENCIES][49][2]; /* coefficients up to order 6 */
};

/* A pattern of random harmonics, of which order 0 is the strongest. */
static void sample(struct sampled *s, int order, struct random *r)
{
    double scratch[49];
    radiation_lattice(s->direction, DIRECTIONS);
    for (int k = 0; k < FREQUENCIES; k++) {
        s->frequency[k] = 100.0 * (k + 1);
        for (size_t c = 0; c < harmonics_count(order); c++)
            for (int part = 0; part < 2; part++)
                s->wanted[k][c][part] = (c ? 0.3 : 2.0) * (random_unit(r) - (c ? 0.5 : -1.0));
        radiation_sample(s->value[k], (const double(*)[3])s->direction, DIRECTIONS, (const double(*)[2])s->wanted[k],
                         order, scratch);
    }
}

static struct radiation_samples samples_of(const struct sampled *s, size_t directions)
{
    return (struct radiation_samples){
        directions, FREQUENCIES, 2.0, (const double(*)[3])s->direction, s->frequency, (const double(*)[2])s->value[0]};
}

static void a_pattern_of_the_order_of_its_fit_is_found_over_its_front(void **state)
{
    (void)state;
    static struct sampled s;
    struct random random = random_cases("patterns");
    struct radiation r;
    struct error e;
    sample(&s, 3, &random);
    const struct radiation_samples samples = samples_of(&s, DIRECTIONS);
    must(radiation_fit(&r, &samples, 3, "test", &e), &e);
    assert_int_equal(r.used, 16);
    for (int k = 0; k < FREQUENCIES; k++) {
        const double complex front = s.value[k][0][0] + I * s.value[k][0][1];
        assert_true(r.residual[k] <= 2e-3); /* what the penalty costs */
        for (size_t c = 0; c < 16; c++) {
            double value[2];
            radiation_at(value, &r, 3, c, s.frequency[k]);
            const double complex wanted = (s.wanted[k][c][0] + I * s.wanted[k][c][1]) / front;
            assert_within(value[0], creal(wanted), 2e-3);
            assert_within(value[1], cimag(wanted), 2e-3);
        }
    }
    radiation_free(&r);
}

static void the_front_is_1_at_any_order_and_frequency(void **state)
{
    (void)state;
    static struct sampled s;
    struct random random = random_cases("fronts of patterns");
    sample(&s, 6, &random);
    const struct radiation_samples samples = samples_of(&s, DIRECTIONS);
    for (int order = 1; order <= RADIATION_ORDER_MAX; order++) {
        struct radiation r;
        struct error e;
        must(radiation_fit(&r, &samples, order, "test", &e), &e);
        for (int lower = 0; lower <= order; lower++)
            for (int k = 0; k < FREQUENCIES; k++) {
                double value[2];
                radiation_towards(value, &r, lower, (const double[]){1.0, 0.0, 0.0}, s.frequency[k]);
                assert_within(value[0], 1.0, 1e-3);
                assert_within(value[1], 0.0, 1e-3);
            }
        radiation_free(&r);
    }
}

/* Where nothing is below, as around a loudspeaker on a stand, the penalty keeps the fit small there. */
static void a_part_of_the_sphere_may_be_missing(void **state)
{
    (void)state;
    static struct sampled s;
    struct random random = random_cases("parts of spheres");
    struct radiation r;
    struct error e;
    size_t kept = 0;
    sample(&s, 2, &random);
    static double some[FREQUENCIES * DIRECTIONS][2];
    for (size_t i = 0; i < DIRECTIONS; i++)
        if (s.direction[i][2] > -0.7)
            kept++;
    for (size_t k = 0; k < FREQUENCIES; k++)
        for (size_t i = 0, to = 0; i < DIRECTIONS; i++)
            if (s.direction[i][2] > -0.7)
                memcpy(some[k * kept + to++], s.value[k][i], sizeof *some);
    for (size_t i = 0, to = 0; i < DIRECTIONS; i++)
        if (s.direction[i][2] > -0.7)
            memmove(s.direction[to++], s.direction[i], sizeof *s.direction);
    const struct radiation_samples samples = {
        kept, FREQUENCIES, 2.0, (const double(*)[3])s.direction, s.frequency, (const double(*)[2])some};
    must(radiation_fit(&r, &samples, 4, "test", &e), &e);
    for (size_t k = 0; k < FREQUENCIES; k++) {
        double value[2];
        assert_true(r.residual[k] <= 5e-3);
        radiation_towards(value, &r, 4, (const double[]){0.0, 0.0, -1.0}, s.frequency[k]);
        assert_true(hypot(value[0], value[1]) <= 3.0);
    }
    radiation_free(&r);
}

static void what_cannot_be_fitted_is_refused(void **state)
{
    (void)state;
    static struct sampled s;
    struct random random = random_cases("patterns without a front");
    struct radiation r;
    struct error e;
    sample(&s, 2, &random);
    struct radiation_samples samples = samples_of(&s, 15);
    assert_int_equal(radiation_fit(&r, &samples, 3, "x.sofa", &e), -1);
    assert_non_null(strstr(e.message, "x.sofa: 15 directions are too few for order 3, which needs 16"));
    samples.directions = DIRECTIONS;
    memset(s.value[2][0], 0, sizeof s.value[2][0]);
    assert_int_equal(radiation_fit(&r, &samples, 3, "x.sofa", &e), -1);
    assert_non_null(strstr(e.message, "at 300 Hz"));
    assert_null(r.coefficient);
}

static void between_frequencies_a_turning_phase_keeps_its_magnitude(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static double direction[DIRECTIONS][3], value[COUNT][DIRECTIONS][2], frequency[COUNT];
    struct radiation r;
    struct error e;
    radiation_lattice(direction, DIRECTIONS);
    for (int k = 0; k < COUNT; k++) {
        frequency[k] = 50.0 * (k + 1);
        for (int i = 0; i < DIRECTIONS; i++) { /* the sides are 1.2 ms later than the front: 22 degrees a step */
            const double complex v =
                1.0 + 0.5 * (1.0 - direction[i][0]) * (cexp(-2.0 * M_PI * I * 0.0012 * frequency[k]) - 1.0);
            value[k][i][0] = creal(v);
            value[k][i][1] = cimag(v);
        }
    }
    const struct radiation_samples samples = {
        DIRECTIONS, COUNT, 1.0, (const double(*)[3])direction, frequency, (const double(*)[2])value[0]};
    must(radiation_fit(&r, &samples, 1, "test", &e), &e);
    assert_int_equal(r.coarse, COUNT);
    for (double f = 100.0; f < 1900.0; f += 7.0) {
        double back[2];
        radiation_towards(back, &r, 1, (const double[]){-1.0, 0.0, 0.0}, f);
        assert_within(hypot(back[0], back[1]), 1.0, 3e-3);
    }
    radiation_free(&r);
}

/* ---- files */

struct file_of {
    const char *convention;
    size_t measurements, receivers, frequencies;
    const char *type;                                      /* of ReceiverPosition */
    double view[3], up[3];                                 /* of the source */
    void (*value)(double v[2], size_t receiver, double f); /* of the data */
    void (*place)(double at[3], size_t receiver);          /* of receivers */
    double first, step;                                    /* Hz */
    const char *scale;                                     /* of harmonics */
};

static double *numbers(struct sofa_document *d, const char *name, const char *letters, const size_t *extent,
                       const char *type, struct error *e)
{
    struct sofa_variable *v;
    must(sofa_add_variable(d, &v, name, letters, extent, e), e);
    if (type)
        must(sofa_add_attribute(&v->attributes, "Type", type, e), e);
    return v->values;
}

static void make_document(struct sofa_document *d, const struct file_of *f)
{
    struct error e;
    const size_t point[] = {1, 3}, places[] = {f->receivers, 3}, one[] = {f->frequencies};
    const size_t data[] = {f->measurements, f->receivers, f->frequencies};
    memset(d, 0, sizeof *d);
    must(sofa_add_attribute(&d->attributes, "Conventions", "SOFA", &e), &e);
    must(sofa_add_attribute(&d->attributes, "SOFAConventions", f->convention, &e), &e);
    must(sofa_add_attribute(&d->attributes, "DataType", "TF", &e), &e);
    numbers(d, "ListenerPosition", "IC", point, "cartesian", &e);
    numbers(d, "SourcePosition", "IC", point, "cartesian", &e);
    memcpy(numbers(d, "SourceView", "IC", point, "cartesian", &e), f->view, sizeof f->view);
    memcpy(numbers(d, "SourceUp", "IC", point, "cartesian", &e), f->up, sizeof f->up);
    double *at = numbers(d, "ReceiverPosition", "RC", places, f->type, &e);
    for (size_t i = 0; i < f->receivers; i++)
        f->place(at + 3 * i, i);
    double *n = numbers(d, "N", "N", one, NULL, &e);
    for (size_t k = 0; k < f->frequencies; k++)
        n[k] = f->first + f->step * (double)k;
    double *part[2];
    part[0] = numbers(d, "Data.Real", "MRN", data, NULL, &e);
    if (f->scale) {
        struct sofa_attributes *a = &d->variables[d->variable_count - 1].attributes;
        must(sofa_add_attribute(a, "Normalization", f->scale, &e), &e);
    }
    part[1] = numbers(d, "Data.Imag", "MRN", data, NULL, &e);
    for (size_t i = 0; i < f->receivers; i++)
        for (size_t k = 0; k < f->frequencies; k++) {
            double v[2];
            f->value(v, i, f->first + f->step * (double)k);
            part[0][i * f->frequencies + k] = v[0];
            part[1][i * f->frequencies + k] = v[1];
        }
}

static double lattice[64][3];

static void on_lattice(double at[3], size_t receiver)
{
    radiation_lattice(lattice, 64);
    for (int k = 0; k < 3; k++)
        at[k] = 1.5 * lattice[receiver][k];
}

/* 2 + y in the room, with a phase that turns with the frequency. */
static void leaning_to_y(double v[2], size_t receiver, double f)
{
    v[0] = (2.0 + lattice[receiver][1]) * cos(f / 300.0);
    v[1] = (2.0 + lattice[receiver][1]) * sin(f / 300.0);
}

static const struct file_of by_directions = {
    "FreeFieldDirectivityTF", 1, 64, 4, "cartesian", {0, 1, 0}, {0, 0, 1}, leaning_to_y, on_lattice, 0.0, 100.0, NULL};

static void directions_of_a_file_are_those_of_its_source(void **state)
{
    (void)state;
    struct sofa_document document;
    struct directivity_data d;
    struct error e;
    make_document(&document, &by_directions);
    must(directivity_of(&d, &document, "x.sofa", &e), &e);
    assert_int_equal(d.frequencies, 3); /* 0 Hz is left out */
    assert_within(d.frequency[0], 100.0, 0.0);
    assert_within(d.distance, 1.5, 1e-12);
    for (size_t i = 0; i < 64; i++) { /* the front is y, the left -x */
        assert_within(d.direction[i][0], lattice[i][1], 1e-12);
        assert_within(d.direction[i][1], -lattice[i][0], 1e-12);
        assert_within(d.direction[i][2], lattice[i][2], 1e-12);
        assert_within(hypot(d.value[64 + i][0], d.value[64 + i][1]), 2.0 + lattice[i][1], 1e-12);
    }
    directivity_free(&d);
    sofa_document_free(&document);
}

static void about_the_source(double at[3], size_t receiver)
{
    (void)receiver;
    at[0] = at[1] = 0.0;
    at[2] = 3.0;
}

/* 1 + x/2, as SN3D has it. */
static void harmonic(double v[2], size_t channel, double f)
{
    (void)f;
    v[0] = channel == 0 ? 1.0 : channel == 3 ? 0.5 : 0.0;
    v[1] = 0.0;
}

static void harmonics_of_a_file_are_n3d_unless_it_says_sn3d(void **state)
{
    (void)state;
    struct file_of f = {"FreeFieldDirectivityTF", 1,         9,         2,
                        "spherical harmonics",    {1, 0, 0}, {0, 0, 1}, harmonic,
                        about_the_source,         100.0,     100.0,     NULL};
    static const char *const scales[] = {NULL, "n3d", "sn3d"};
    for (int i = 0; i < 3; i++) {
        struct sofa_document document;
        struct directivity_data d;
        struct error e;
        f.scale = scales[i];
        make_document(&document, &f);
        must(directivity_of(&d, &document, "x.sofa", &e), &e);
        assert_int_equal(d.order, 2);
        assert_null(d.direction);
        assert_within(d.distance, 3.0, 0.0);
        assert_within(d.value[9 + 3][0], 0.5 * (i == 2 ? 1.0 : sqrt(3.0)), 1e-12);
        directivity_free(&d);
        sofa_document_free(&document);
    }
}

static void refuse(const struct file_of *f, const char *words)
{
    struct sofa_document document;
    struct directivity_data d;
    struct error e = {0};
    make_document(&document, f);
    assert_int_equal(directivity_of(&d, &document, "x.sofa", &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, words) || !strstr(e.message, "x.sofa"))
        fail_msg("%s", e.message);
    assert_null(d.value);
    sofa_document_free(&document);
}

static struct sofa_variable *variable_of(struct sofa_document *d, const char *name, const char *units)
{
    struct error e;
    struct sofa_variable *v = (struct sofa_variable *)sofa_variable(d, name);
    must(sofa_add_attribute(&v->attributes, "Units", units, &e), &e);
    return v;
}

static void units_of_places_and_frequencies_are_those_that_the_file_names(void **state)
{
    (void)state;
    struct sofa_document document;
    struct directivity_data d;
    struct error e;
    make_document(&document, &by_directions);
    struct sofa_variable *places = variable_of(&document, "ReceiverPosition", "centimetre"),
                         *n = variable_of(&document, "N", "kilohertz");
    for (size_t i = 0; i < 3 * 64; i++)
        places->values[i] *= 100.0;
    for (size_t k = 0; k < 4; k++)
        n->values[k] /= 1000.0;
    must(directivity_of(&d, &document, "x.sofa", &e), &e);
    assert_within(d.frequency[0], 100.0, 1e-9);
    assert_within(d.distance, 1.5, 1e-9);
    directivity_free(&d);
    sofa_document_free(&document);
    static const char *const names[] = {"N", "ReceiverPosition", "ListenerPosition", "SourcePosition", "SourceView"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make_document(&document, &by_directions);
        variable_of(&document, names[i], "furlong");
        assert_int_equal(directivity_of(&d, &document, "x.sofa", &e), -1);
        assert_int_equal(e.code, ERROR_INPUT);
        if (!strstr(e.message, names[i]) || !strstr(e.message, "furlong"))
            fail_msg("%s", e.message);
        sofa_document_free(&document);
    }
}

/* A cardioid by its plane, and one whose front is its null but for 1e-1.5. */
static void a_pattern_of_one_plane_or_without_a_front_is_told(void **state)
{
    (void)state;
    enum { RING = 72 };
    static const double frequency[1] = {1000.0};
    double direction[RING][3], value[RING][2] = {{0.0}};
    for (int weak = 0; weak < 2; weak++) {
        for (int i = 0; i < RING; i++) {
            const double angle = 2.0 * M_PI * i / RING;
            direction[i][0] = cos(angle);
            direction[i][1] = sin(angle);
            direction[i][2] = 0.0;
            value[i][0] = weak ? 0.03 + 0.485 * (1.0 - cos(angle)) : 0.5 + 0.5 * cos(angle);
        }
        const struct radiation_samples samples = {
            RING, 1, 2.0, (const double(*)[3])direction, frequency, (const double(*)[2])value};
        struct radiation r;
        struct error e;
        must(radiation_fit(&r, &samples, 1, "folder/x.sofa", &e), &e);
        assert_int_equal(r.warning_count, 1 + weak);
        assert_non_null(strstr(r.warnings[weak], "x.sofa covers only the horizontal plane"));
        assert_true(!weak || strstr(r.warnings[0], "below the average at 1000 Hz"));
        radiation_free(&r);
    }
}

static void infinite(double v[2], size_t receiver, double f)
{
    (void)f;
    v[0] = receiver == 3 ? INFINITY : 1.0;
    v[1] = 0.0;
}

static void files_that_are_no_directivity_are_refused(void **state)
{
    (void)state;
    struct file_of f = by_directions;
    f.convention = "SimpleFreeFieldHRIR";
    refuse(&f, "\"FreeFieldDirectivityTF\" is required");
    f = by_directions;
    f.measurements = 2;
    refuse(&f, "has 2 measurements");
    f = by_directions;
    f.step = -1.0;
    refuse(&f, "must rise");
    f = by_directions;
    f.value = infinite;
    refuse(&f, "value of receiver 4");
    f = by_directions;
    memcpy(f.up, f.view, sizeof f.up);
    refuse(&f, "are parallel");
    f = by_directions;
    f.type = "spherical harmonics";
    f.receivers = 60;
    refuse(&f, "not a complete order");
    f.receivers = 64;
    refuse(&f, "require SourceView = x");
}

/* ---- the files that ship, against another way to the same formula: the velocity of the cap by numerical integration, the
 * functions of Hankel by their own derivative */

static double complex hankel(int n, double x)
{
    double complex below = I * cexp(-I * x) / x, here = (I / x - 1.0) * cexp(-I * x) / x;
    for (int k = 0; k < n; k++) {
        const double complex next = (2 * k + 3) / x * here - below;
        below = here;
        here = next;
    }
    return below;
}

static double legendre(int n, double z)
{
    double below = 1.0, here = z;
    for (int k = 1; k <= n; k++) {
        const double next = ((2 * k + 1) * z * here - k * below) / (k + 1);
        below = here;
        here = next;
    }
    return below;
}

struct cap {
    const char *file;
    double radius, cap, distance;
    bool axial;
};

/* (2n + 1)/2 ∫ over the cap of its radial velocity times P_n, by the midpoint rule in the angle. */
static double velocity(const struct cap *c, int n)
{
    enum { STEPS = 4000 };
    const double last = asin(c->cap / c->radius);
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        const double t = last * (i + 0.5) / STEPS, v = c->axial ? cos(t) : 1.0;
        sum += v * legendre(n, cos(t)) * sin(t) * last / STEPS;
    }
    return (2 * n + 1) / 2.0 * sum;
}

static double complex pressure(const struct cap *c, double frequency, double angle)
{
    const double k = 2.0 * M_PI * frequency / 343.2, a = c->radius, d = c->distance;
    const double x = a + d * cos(angle), y = d * sin(angle), r = hypot(x, y);
    double complex sum = 0.0;
    for (int n = 0; n < 36; n++) {
        const double complex slope =
            ((n ? n * hankel(n - 1, k * a) : 0.0) - (n + 1) * hankel(n + 1, k * a)) / (2 * n + 1);
        sum += velocity(c, n) * hankel(n, k * r) / slope * legendre(n, x / r);
    }
    return -d * cexp(I * k * d) / (k * a * a * velocity(c, 0)) * sum;
}

static void shipped_files_are_what_the_formula_gives(void **state)
{
    (void)state;
    need_library();
    static const struct cap caps[] = {{"directivities/loudspeaker.sofa", 0.15, 0.065, 2.0, true},
                                      {"directivities/talker.sofa", 0.09, 0.015, 1.0, false}};
    static const double wanted[] = {62.5, 500.0, 1000.0, 2500.0, 6000.0}; /* Hz: ka from 0.1 to 16 */
    for (size_t i = 0; i < 2; i++) {
        struct error e;
        struct directivity_data d;
        char *path = data_path(caps[i].file, &e);
        assert_non_null(path);
        must(directivity_read(&d, path, &e), &e);
        assert_within(d.distance, caps[i].distance, 1e-6);
        for (size_t f = 0; f < 5; f++) {
            const size_t k = (size_t)lround(wanted[f] / 62.5) - 1;
            assert_within(d.frequency[k], wanted[f], 1e-9);
            for (size_t m = 0; m < d.receivers; m += 37) { /* on the axis and off */
                const double complex exact = pressure(&caps[i], wanted[f], acos(d.direction[m][0])),
                                     there = d.value[k * d.receivers + m][0] + I * d.value[k * d.receivers + m][1];
                if (!(cabs(there - exact) <= 1e-5 * (1.0 + cabs(exact))))
                    fail_msg("%s at %g Hz: %g %+gj, expected %g %+gj", caps[i].file, wanted[f], creal(there),
                             cimag(there), creal(exact), cimag(exact));
            }
        }
        directivity_free(&d);
        free(path);
    }
}

/* ---- filters of drives */

static void drives_of_a_file_have_its_coefficients_over_the_valid_band(void **state)
{
    (void)state;
    need_library();
    for (int scheme = 0; scheme < 2; scheme++) {
        struct error e;
        struct room *room;
        struct model *m;
        static const char text[] =
            "room: { size = [1.5, 1.5, 1.5]; }; grid: { max_frequency = 3000.0; scheme = \"%s\"; };\n"
            "sources: ( { position = [0.75, 0.75, 0.75]; directivity = \"talker.sofa\"; } );\n"
            "receivers: ( { position = [0.5, 0.5, 0.5]; } );\n";
        char file[600];
        snprintf(file, sizeof file, text, scheme ? "19-point" : "7-point");
        scratch_write(scratch_path("talker.cfg"), file, strlen(file));
        must(room_read(&room, scratch_path("talker.cfg"), NULL, 0, &e), &e);
        must(model_make(&m, room, &e), &e);
        const struct radiation *r = &room->sources[0].radiation;
        double worst = 0.0;
        assert_int_equal(source_drives(&room->sources[0]), 6); /* harmonics that an axis along x has */
        for (double f = 200.0; f <= m->grid.valid_frequency; f += 61.0)
            for (size_t k = 0; k < r->used; k++) {
                double value[2], exact[2];
                must(drives_response(value, m, 0, k, m->grid.mapped ? mapping_grid_frequency(&m->grid, f) : f, &e), &e);
                radiation_at(exact, r, 3, r->harmonic[k], f);
                worst = fmax(worst, hypot(value[0] - exact[0], value[1] - exact[1]));
            }
        print_message("%s: %.1f dB\n", scheme ? "19-point" : "7-point", 20.0 * log10(worst));
        assert_true(worst <= 1.5e-3); /* below, the filter's 25 ms blur what changes within 40 Hz: -46 dB at 40 Hz */
        model_free(m);
        room_free(room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_with_a_name_are_what_their_names_say),
        cmocka_unit_test(a_pattern_of_the_order_of_its_fit_is_found_over_its_front),
        cmocka_unit_test(the_front_is_1_at_any_order_and_frequency),
        cmocka_unit_test(a_part_of_the_sphere_may_be_missing),
        cmocka_unit_test(what_cannot_be_fitted_is_refused),
        cmocka_unit_test(between_frequencies_a_turning_phase_keeps_its_magnitude),
        cmocka_unit_test(directions_of_a_file_are_those_of_its_source),
        cmocka_unit_test(harmonics_of_a_file_are_n3d_unless_it_says_sn3d),
        cmocka_unit_test(files_that_are_no_directivity_are_refused),
        cmocka_unit_test(units_of_places_and_frequencies_are_those_that_the_file_names),
        cmocka_unit_test(a_pattern_of_one_plane_or_without_a_front_is_told),
        cmocka_unit_test(shipped_files_are_what_the_formula_gives),
        cmocka_unit_test(drives_of_a_file_have_its_coefficients_over_the_valid_band),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
