/* SPDX-License-Identifier: MIT */
/* Head-related impulse responses as files have them: units, ears, axes and distances. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sofa/hrtf.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { COUNT = 60, TAPS = 64, ROWS = 2 * COUNT };
static const double DEGREE = M_PI / 180.0;

enum heard { BY_BOTH, BY_LEVEL, BY_TIME, ALIKE };
enum placed { LEFT_FIRST, RIGHT_FIRST, NOWHERE };

/* A file: two ears without a head at +-0.09 m, with sources around them. */
struct file_of {
    enum heard heard;
    enum placed data, places; /* the ear that comes first */
    bool cartesian;
    double angle, length, rate; /* of the units, in degrees, metres and hertz; 0: 1 */
    const char *source_units;   /* NULL: none are written */
    const char *rate_units;
    double radius[2];        /* m: of the first and of the second half; 0: 1.5, and no second half */
    double scatter;          /* of the radius, by direction */
    const double *view, *up; /* NULL: not there */
};

static void direction_of(double direction[3], size_t m)
{
    const double z = 1.0 - (2.0 * (double)(m % COUNT) + 1.0) / COUNT, angle = 2.399963 * (double)(m % COUNT);
    direction[0] = sqrt(1.0 - z * z) * cos(angle);
    direction[1] = sqrt(1.0 - z * z) * sin(angle);
    direction[2] = z;
}

static double level_of(const struct file_of *f, double y)
{
    return f->heard == BY_BOTH || f->heard == BY_LEVEL ? pow(10.0, 0.5 * y) : 1.0;
}

static size_t arrival_of(const struct file_of *f, double y)
{
    return f->heard == BY_BOTH || f->heard == BY_TIME ? (size_t)lround(30.0 - 12.0 * y) : 30;
}

static double radius_of(const struct file_of *f, size_t m)
{
    const double radius = f->radius[m / COUNT] > 0.0 ? f->radius[m / COUNT] : 1.5;
    return radius * (1.0 + f->scatter * sin(17.0 * (double)m));
}

static struct sofa_variable *add(struct sofa_document *d, const char *name, const char *letters, size_t rows,
                                 size_t columns, size_t depth)
{
    struct error e;
    struct sofa_variable *v;
    must(sofa_add_variable(d, &v, name, letters, (size_t[]){rows, columns, depth}, &e), &e);
    return v;
}

static void describe(struct sofa_variable *v, const char *name, const char *text)
{
    struct error e;
    if (text)
        must(sofa_add_attribute(&v->attributes, name, text, &e), &e);
}

static double unit(double factor)
{
    return factor > 0.0 ? factor : 1.0;
}

static void fill_source(double *values, const struct file_of *f, size_t m)
{
    double direction[3];
    const double length = unit(f->length), angle = unit(f->angle), radius = radius_of(f, m);
    direction_of(direction, m);
    for (int k = 0; k < 3; k++)
        values[k] = radius * direction[k] / length;
    if (f->cartesian)
        return;
    values[0] = atan2(direction[1], direction[0]) / DEGREE / angle;
    values[1] = asin(direction[2]) / DEGREE / angle;
    values[2] = radius / length;
}

/* As two ears that look along the axes of `f` hear it. */
static double beside(const struct file_of *f, size_t m)
{
    double d[3];
    direction_of(d, m);
    const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1}, *v = f->view ? f->view : x, *u = f->up ? f->up : z;
    return (u[1] * v[2] - u[2] * v[1]) * d[0] + (u[2] * v[0] - u[0] * v[2]) * d[1] + (u[0] * v[1] - u[1] * v[0]) * d[2];
}

static void make_document(struct sofa_document *d, const struct file_of *f)
{
    static const char *const texts[][2] = {
        {"Conventions", "SOFA"}, {"SOFAConventions", "SimpleFreeFieldHRIR"}, {"DataType", "FIR"}};
    const size_t rows = f->radius[1] > 0.0 ? ROWS : COUNT;
    struct error e;
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 3; i++)
        must(sofa_add_attribute(&d->attributes, texts[i][0], texts[i][1], &e), &e);
    add(d, "ListenerPosition", "IC", 1, 3, 1);
    if (f->view)
        memcpy(add(d, "ListenerView", "IC", 1, 3, 1)->values, f->view, 3 * sizeof(double));
    if (f->up)
        memcpy(add(d, "ListenerUp", "IC", 1, 3, 1)->values, f->up, 3 * sizeof(double));
    if (f->places != NOWHERE) {
        double *ears = add(d, "ReceiverPosition", "RCI", 2, 3, 1)->values;
        ears[1] = f->places == LEFT_FIRST ? 0.09 : -0.09;
        ears[4] = -ears[1];
    }
    struct sofa_variable *v = add(d, "SourcePosition", "MC", rows, 3, 1);
    describe(v, "Type", f->cartesian ? "cartesian" : "spherical");
    describe(v, "Units", f->source_units);
    for (size_t m = 0; m < rows; m++)
        fill_source(v->values + 3 * m, f, m);
    v = add(d, "Data.IR", "MRN", rows, 2, TAPS);
    for (size_t m = 0; m < rows; m++)
        for (size_t ear = 0; ear < 2; ear++) {
            const double y = (ear == (size_t)(f->data == RIGHT_FIRST) ? 1.0 : -1.0) * beside(f, m);
            v->values[(2 * m + ear) * TAPS + arrival_of(f, y)] = (m < COUNT ? 1.0 : 2.0) * level_of(f, y);
        }
    v = add(d, "Data.SamplingRate", "I", 1, 1, 1);
    v->values[0] = 48000.0 / unit(f->rate);
    describe(v, "Units", f->rate_units);
}

static int read_file(struct hrtf *h, const struct file_of *f, double distance, struct error *e)
{
    struct sofa_document d;
    make_document(&d, f);
    const int status = hrtf_of(h, &d, "x.sofa", distance, e);
    sofa_document_free(&d);
    return status;
}

/* The ears of `f` in the directions of its own head. */
static void need_ears(const struct hrtf *h, const struct file_of *f)
{
    for (size_t m = 0; m < h->directions; m++)
        for (size_t ear = 0; ear < 2; ear++) {
            const double y = (ear ? -1.0 : 1.0) * beside(f, m);
            assert_within(h->direction[m][1], beside(f, m), 1e-9);
            assert_within(h->responses[(2 * m + ear) * TAPS + arrival_of(f, y)], level_of(f, y), 1e-12);
        }
}

static void the_left_ear_is_that_which_hears_the_left_louder_and_earlier(void **state)
{
    (void)state;
    for (enum heard heard = BY_BOTH; heard <= BY_TIME; heard++)
        for (enum placed data = LEFT_FIRST; data <= RIGHT_FIRST; data++)
            for (enum placed places = LEFT_FIRST; places <= NOWHERE; places++) {
                const struct file_of f = {.heard = heard, .data = data, .places = places};
                struct error e;
                struct hrtf h;
                must(read_file(&h, &f, HRTF_DISTANCE, &e), &e);
                need_ears(&h, &f);
                assert_int_equal(h.warning_count, data != (places == NOWHERE ? LEFT_FIRST : places));
                assert_true(!h.warning_count || strstr(h.warnings[0], "x.sofa: "));
                assert_true(!h.warning_count || strstr(h.warnings[0], "ReceiverPosition"));
                assert_true(!h.warning_count || strstr(h.warnings[0], data ? "receiver 2" : "receiver 1"));
                hrtf_free(&h);
            }
}

static void ears_that_hear_alike_are_where_the_file_places_them(void **state)
{
    (void)state;
    for (enum placed places = LEFT_FIRST; places <= NOWHERE; places++) {
        const struct file_of f = {.heard = ALIKE, .places = places};
        struct error e;
        struct sofa_document d;
        struct hrtf h;
        make_document(&d, &f);
        ((struct sofa_variable *)sofa_variable(&d, "Data.IR"))->values[0] = 0.5; /* of the first ear */
        must(hrtf_of(&h, &d, "x.sofa", HRTF_DISTANCE, &e), &e);
        assert_within(h.responses[places == RIGHT_FIRST ? TAPS : 0], 0.5, 0.0);
        assert_int_equal(h.warning_count, 0);
        hrtf_free(&h);
        sofa_document_free(&d);
    }
}

static void units_of_sources_and_rate_are_those_that_the_file_names(void **state)
{
    (void)state;
    static const struct {
        bool cartesian;
        double angle, length;
        const char *units;
    } sources[] = {{false, 1, 1, NULL},
                   {false, 1, 1, "degree, degree, metre"},
                   {false, 1, 1, "degree, degree, meters"},
                   {false, 1, 1, "degrees,degrees,m"},
                   {false, 1, 1, "Degree Degree Meter"},
                   {false, 180 / M_PI, 1, "radian, radian, metre"},
                   {false, 180 / M_PI, 0.01, "rad, rad, cm"},
                   {false, 1, 0.001, "degree, degree, millimetre"},
                   {true, 1, 1, "metre"},
                   {true, 1, 1, "metre, metre, metre"},
                   {true, 1, 0.01, "centimetre"},
                   {true, 1, 0.001, "mm"},
                   {true, 1, 1, ""}};
    static const struct {
        double rate;
        const char *units;
    } rates[] = {{1, NULL}, {1, "hertz"}, {1, "Hz"}, {1000, "kilohertz"}, {1000, "kHz"}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
            const struct file_of f = {.cartesian = sources[i].cartesian,
                                      .angle = sources[i].angle,
                                      .length = sources[i].length,
                                      .source_units = sources[i].units,
                                      .rate = rates[k].rate,
                                      .rate_units = rates[k].units};
            struct error e;
            struct hrtf h;
            must(read_file(&h, &f, HRTF_DISTANCE, &e), &e);
            need_ears(&h, &f);
            assert_within(h.distance, 1.5, 1e-9);
            assert_within(h.rate, 48000.0, 1e-9);
            assert_int_equal(h.warning_count + h.note_count, 0);
            hrtf_free(&h);
        }
}

static void a_unit_that_is_not_known_is_refused_with_its_variable(void **state)
{
    (void)state;
    static const double view[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    static const struct {
        const char *name, *units;
    } cases[] = {{"SourcePosition", "furlong"},
                 {"SourcePosition", "gon, gon, metre"},
                 {"SourcePosition", "degree, metre"},
                 {"SourcePosition", "metre, metre, metre"},
                 {"SourcePosition", "degree, degree, foot"},
                 {"ListenerPosition", "degree, degree, metre"},
                 {"ListenerPosition", "inch"},
                 {"ReceiverPosition", "foot"},
                 {"ListenerView", "furlong"},
                 {"ListenerUp", "furlong"},
                 {"Data.SamplingRate", "megahertz"},
                 {"Data.SamplingRate", "metre"},
                 {"Data.Delay", "fortnight"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct file_of f = {.view = view, .up = up};
        struct sofa_document d;
        struct hrtf h;
        struct error e = {0};
        make_document(&d, &f);
        add(&d, "Data.Delay", "IR", 1, 2, 1);
        struct sofa_variable *v = (struct sofa_variable *)sofa_variable(&d, cases[i].name);
        if (!strcmp(cases[i].name, "ListenerPosition"))
            describe(v, "Type", "cartesian");
        describe(v, "Units", cases[i].units);
        assert_int_equal(hrtf_of(&h, &d, "x.sofa", HRTF_DISTANCE, &e), -1);
        assert_int_equal(e.code, ERROR_INPUT);
        if (!strstr(e.message, "x.sofa: ") || !strstr(e.message, cases[i].name) || !strstr(e.message, cases[i].units))
            fail_msg("%s", e.message);
        assert_null(h.direction);
        sofa_document_free(&d);
    }
}

static void delays_in_seconds_become_samples(void **state)
{
    (void)state;
    static const struct {
        const char *units;
        double value;
    } cases[] = {{NULL, 12.0}, {"sample", 12.0}, {"samples", 12.0}, {"second", 12.0 / 48000.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct file_of f = {.heard = BY_BOTH};
        struct sofa_document d;
        struct hrtf h;
        struct error e;
        make_document(&d, &f);
        struct sofa_variable *v = add(&d, "Data.Delay", "IR", 1, 2, 1);
        describe(v, "Units", cases[i].units);
        v->values[1] = cases[i].value;
        must(hrtf_of(&h, &d, "x.sofa", HRTF_DISTANCE, &e), &e);
        assert_within(h.delay[7][0], 0.0, 0.0);
        assert_within(h.delay[7][1], 12.0, 1e-9);
        hrtf_free(&h);
        sofa_document_free(&d);
    }
}

static void a_view_without_an_up_has_z_and_an_up_without_a_view_x(void **state)
{
    (void)state;
    static const double to_y[3] = {0, 1, 0}, to_z[3] = {0, 0, 1}, down[3] = {0, 0, -1}, back[3] = {-1, 0, 0};
    const struct file_of heads[] = {
        {.view = to_y}, {.view = to_y, .up = to_z}, {.view = back}, {.up = down}, {.up = to_y}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct error e;
        struct hrtf h;
        must(read_file(&h, &heads[i], HRTF_DISTANCE, &e), &e);
        need_ears(&h, &heads[i]);
        hrtf_free(&h);
    }
    const struct file_of parallel[] = {{.view = to_z}, {.view = to_z, .up = down}, {.up = back}};
    for (size_t i = 0; i < sizeof parallel / sizeof *parallel; i++) {
        struct error e = {0};
        struct hrtf h;
        assert_int_equal(read_file(&h, &parallel[i], HRTF_DISTANCE, &e), -1);
        assert_int_equal(e.code, ERROR_INPUT);
        if (!strstr(e.message, "parallel") || !strstr(e.message, "ListenerUp"))
            fail_msg("%s", e.message);
    }
}

/* Responses of the second half are twice as loud. */
static void of_several_distances_the_nearest_to_the_wanted_is_used_and_said(void **state)
{
    (void)state;
    static const struct {
        double radius[2], wanted, taken;
    } cases[] = {{{0.25, 1.5}, HRTF_DISTANCE, 1.5},
                 {{0.25, 1.5}, 0.3, 0.25},
                 {{2.0, 0.9}, HRTF_DISTANCE, 2.0},
                 {{1.0, 1.2}, 1.05, 1.0},
                 {{1.0, 1.2}, 7.0, 1.2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct file_of f = {.radius = {cases[i].radius[0], cases[i].radius[1]}, .scatter = 0.01};
        struct error e;
        struct hrtf h;
        char both[2][32];
        must(read_file(&h, &f, cases[i].wanted, &e), &e);
        assert_int_equal(h.directions, COUNT);
        assert_within(h.distance, cases[i].taken, 0.011 * cases[i].taken);
        double peak = 0.0;
        for (size_t n = 0; n < TAPS; n++)
            peak = fmax(peak, h.responses[n]);
        assert_within(peak, (cases[i].taken == f.radius[1] ? 2.0 : 1.0) * level_of(&f, beside(&f, 0)), 1e-9);
        assert_int_equal(h.note_count, 1);
        for (int k = 0; k < 2; k++) {
            snprintf(both[k], sizeof both[k], "%.1g", f.radius[k]);
            assert_non_null(strstr(h.notes[0], both[k]));
        }
        assert_non_null(strstr(h.notes[0], "are used"));
        hrtf_free(&h);
    }
}

static void distances_that_scatter_are_one_set(void **state)
{
    (void)state;
    struct random r = random_cases("distances that scatter");
    for (int i = 0; i < case_count(10); i++) {
        const struct file_of f = {.scatter = i ? random_uniform(&r, 0.0, 0.3) : 0.02};
        struct error e;
        struct hrtf h;
        must(read_file(&h, &f, HRTF_DISTANCE, &e), &e);
        assert_int_equal(h.directions, COUNT);
        need_ears(&h, &f);
        assert_true(h.note_count == 0 || strstr(h.notes[0], "each direction at one distance"));
        assert_true(i || h.note_count == 0);
        hrtf_free(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_left_ear_is_that_which_hears_the_left_louder_and_earlier),
        cmocka_unit_test(ears_that_hear_alike_are_where_the_file_places_them),
        cmocka_unit_test(units_of_sources_and_rate_are_those_that_the_file_names),
        cmocka_unit_test(a_unit_that_is_not_known_is_refused_with_its_variable),
        cmocka_unit_test(delays_in_seconds_become_samples),
        cmocka_unit_test(a_view_without_an_up_has_z_and_an_up_without_a_view_x),
        cmocka_unit_test(of_several_distances_the_nearest_to_the_wanted_is_used_and_said),
        cmocka_unit_test(distances_that_scatter_are_one_set),
    };
    return cmocka_run_group_tests_name("hrtf", tests, NULL, NULL);
}
