/* SPDX-License-Identifier: MIT */
/* Ears: filters from ambisonic fields to two ears, against the HRTF that they are made of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complex_numbers.h"
#include "dsp/ears/ear_filters.h"
#include "dsp/ears/ear_responses.h"
#include "dsp/space/harmonics.h"
#include "io/sofa/hrtf.h"
#include "support/kemar.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { LEFT, RIGHT };

static void need_kemar(void)
{
    if (kemar_missing()) {
        print_message("skipped: %s\n", kemar_missing());
        skip();
    }
}

/* H of an ear of the file at a frequency */
static void file_response(double value[2], const struct hrtf *h, size_t direction, size_t ear, double frequency)
{
    const double step = 2.0 * M_PI * frequency / h->rate;
    const double *taps = h->responses + (2 * direction + ear) * h->taps;
    value[0] = value[1] = 0.0;
    for (size_t n = 0; n < h->taps; n++) {
        value[0] += taps[n] * cos(step * ((double)n + h->delay[direction][ear]));
        value[1] -= taps[n] * sin(step * ((double)n + h->delay[direction][ear]));
    }
}

/* s by which the right ear is later than the left: the largest value of the cross-correlation of what is below 1.5 kHz,
 * from the cross-spectrum left* right at 50 Hz steps. */
enum { ITD_BINS = 28, ITD_STEPS = 1000 };
static double time_difference(double (*left)[2], double (*right)[2])
{
    double best = -INFINITY, at = 0.0;
    for (int i = -ITD_STEPS; i <= ITD_STEPS; i++) {
        const double time = 1e-6 * i;
        double sum = 0.0;
        for (int k = 0; k < ITD_BINS; k++) {
            const double angle = 2.0 * M_PI * (100.0 + 50.0 * k) * time;
            const double re = left[k][0] * right[k][0] + left[k][1] * right[k][1];
            const double im = left[k][0] * right[k][1] - left[k][1] * right[k][0];
            sum += re * cos(angle) - im * sin(angle);
        }
        if (sum > best) {
            best = sum;
            at = time;
        }
    }
    return at;
}

static void itd_of_the_horizontal_plane_is_that_of_the_file_within_30_us(void **state)
{
    (void)state;
    need_kemar();
    struct error e;
    struct hrtf h;
    struct ear_filters f;
    must(hrtf_read(&h, KEMAR_PATH, HRTF_DISTANCE, &e), &e);
    assert_int_equal(h.directions, 710);
    assert_within(h.distance, 1.4, 1e-9);
    static const double rates[] = {44100.0, 48000.0};
    for (int r = 0; r < 2; r++) {
        double worst = 0.0, sum = 0.0;
        int count = 0;
        must(ear_filters_make(&f, &h, 3, rates[r], KEMAR_PATH, &e), &e);
        for (size_t m = 0; m < h.directions; m++) {
            double of[2][2][ITD_BINS][2]; /* [file, filters][ear] */
            if (fabs(h.direction[m][2]) > 1e-6)
                continue;
            for (size_t ear = 0; ear < 2; ear++)
                for (int k = 0; k < ITD_BINS; k++) {
                    file_response(of[0][ear][k], &h, m, ear, 100.0 + 50.0 * k);
                    ear_filters_response(of[1][ear][k], &f, ear, h.direction[m], 100.0 + 50.0 * k);
                }
            const double wanted = time_difference(of[0][0], of[0][1]), is = time_difference(of[1][0], of[1][1]);
            worst = fmax(worst, fabs(is - wanted));
            sum += (is - wanted) * (is - wanted);
            count++;
            if (h.direction[m][1] > 0.9) /* a source to the left is heard there first */
                assert_true(wanted > 500e-6 && is > 500e-6);
            if (h.direction[m][1] < -0.9)
                assert_true(wanted < -500e-6 && is < -500e-6);
        }
        print_message("ITD at %g Hz, %d directions: rms %.1f us, worst %.1f us\n", rates[r], count,
                      1e6 * sqrt(sum / count), 1e6 * worst);
        assert_int_equal(count, 72);
        assert_within(worst, 0.0, 30e-6);
        ear_filters_free(&f);
    }
    hrtf_free(&h);
}

/* dB, rms over the areas of directions, both ears and a band */
static double magnitude_error(const struct hrtf *h, const struct ear_filters *f, const double *areas, double low,
                              double high)
{
    double sum = 0.0, weight = 0.0;
    for (double frequency = low + 0.5 * (high - low) / 8.0; frequency < high; frequency += (high - low) / 8.0)
        for (size_t m = 0; m < h->directions; m += 5)
            for (size_t ear = 0; ear < 2; ear++) {
                double wanted[2], is[2];
                file_response(wanted, h, m, ear, frequency);
                ear_filters_response(is, f, ear, h->direction[m], frequency);
                const double db = 20.0 * log10(hypot(is[0], is[1]) / hypot(wanted[0], wanted[1]));
                sum += areas[m] * db * db;
                weight += areas[m];
            }
    return sqrt(sum / weight);
}

static void magnitudes_are_those_of_the_file(void **state)
{
    (void)state;
    need_kemar();
    static const double edges[] = {100.0, 500.0, 1000.0, 1800.0, 3600.0};
    static const double bounds[][4] = {
        {0.8, 1.7, 1.8, 2.5}, {0.4, 1.3, 2.1, 2.0}, {0.3, 1.0, 2.3, 2.1}, {0.3, 0.8, 1.7, 2.1}};
    struct error e;
    struct hrtf h;
    struct ear_filters f;
    must(hrtf_read(&h, KEMAR_PATH, HRTF_DISTANCE, &e), &e);
    double *areas = malloc(h.directions * sizeof *areas);
    assert_non_null(areas);
    must(sphere_areas(areas, (const double(*)[3])h.direction, h.directions, &e), &e);
    for (int order = 1; order <= 4; order++) {
        must(ear_filters_make(&f, &h, order, h.rate, KEMAR_PATH, &e), &e);
        for (int band = 0; band < 4; band++) {
            const double error = magnitude_error(&h, &f, areas, edges[band], edges[band + 1]);
            print_message("order %d, %g-%g Hz: %.2f dB\n", order, edges[band], edges[band + 1], error);
            assert_true(error <= bounds[order - 1][band]);
        }
        ear_filters_free(&f);
    }
    free(areas);
    hrtf_free(&h);
}

static void areas_of_an_even_set_are_equal(void **state)
{
    (void)state;
    const double six[7][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 0, 1}};
    double areas[7];
    struct error e;
    must(sphere_areas(areas, six, 7, &e), &e);
    for (int i = 0; i < 6; i++)
        assert_within(areas[i], 1.0 / 6.0, 1e-3);
    assert_within(areas[6], 0.0, 0.0);
}

/* An impulse in one harmonic of the field comes out as that filter, from frame 0 on. */
static void a_field_is_filtered_without_delay(void **state)
{
    (void)state;
    enum { TAPS = 7, LEAD = 3, FRAMES = 20 };
    double taps[2 * 4 * TAPS], field[4 * FRAMES] = {0}, *out;
    size_t frames;
    struct error e;
    struct ear_filters f = {.order = 1, .channels = 4, .taps = TAPS, .lead = LEAD, .rate = 8000.0, .filter = taps};
    for (int i = 0; i < 2 * 4 * TAPS; i++)
        taps[i] = i + 1;
    field[2 * FRAMES + 5] = 1.0;
    must(ear_filters_run(&out, &frames, &f, field, FRAMES, &e), &e);
    assert_int_equal(frames, FRAMES + TAPS - 1 - LEAD);
    for (int ear = 0; ear < 2; ear++)
        for (int n = 0; n < TAPS; n++)
            assert_within(out[ear * (int)frames + 5 - LEAD + n], taps[(ear * 4 + 2) * TAPS + n], 1e-4);
    free(out);
}

/* Of a sphere of two ears without a head, in a document of the convention: what is wrong is named. */
/* Three directions along the axes, each ear a pulse of its own delay and level. */
static void a_direction_has_its_own_response_and_one_between_the_mean_delay_and_level(void **state)
{
    (void)state;
    enum { TAPS = 64, PULSE = 16 };
    double directions[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, responses[3][2][TAPS] = {{{0.0}}};
    double delays[3][2] = {{1.5, 40.0}, {10.0, 4.0}, {3.5, 1.0}};
    const double levels[3][2] = {{1.0, 2.0}, {0.5, 4.0}, {3.0, -3.0}}, frequencies[] = {0.0, 700.0, 5000.0, 17000.0};
    const double middle[3] = {0.57735026918962576, 0.57735026918962576, 0.57735026918962576};
    const double outside[3] = {0.0, -0.6, 0.8};
    const struct hrtf h = {.directions = 3,
                           .taps = TAPS,
                           .rate = 44100.0,
                           .distance = 1.0,
                           .direction = directions,
                           .responses = &responses[0][0][0],
                           .delay = delays};
    struct ear_responses r = {.hrtf = NULL};
    struct error e;
    for (int m = 0; m < 3; m++)
        for (int ear = 0; ear < 2; ear++)
            responses[m][ear][PULSE + m] = levels[m][ear];
    must(ear_responses_make(&r, &h, &e), &e);
    for (size_t ear = 0; ear < 2; ear++)
        for (size_t k = 0; k < 4; k++) {
            double complex out[8];
            const double step = 2.0 * M_PI * frequencies[k] / h.rate;
            for (size_t m = 0; m < 3; m++) {
                double value[2];
                assert_true(ear_responses_at(out, &r, directions[m], frequencies, 4));
                file_response(value, &h, m, ear, frequencies[k]);
                assert_within(cabs(out[4 * ear + k] - complex_of(value[0], value[1])), 0.0, 1e-6);
            }
            assert_true(ear_responses_at(out, &r, outside, frequencies, 4));
            assert_within(cabs(out[4 * ear + k]), fabs(levels[2][ear]), 1e-6);
            if (ear) /* levels of both signs */
                continue;
            const double delay = PULSE + 1.0 + (delays[0][0] + delays[1][0] + delays[2][0]) / 3.0;
            assert_true(ear_responses_at(out, &r, middle, frequencies, 4));
            assert_within(cabs(out[k] - 1.5 * cexp(-I * step * delay)), 0.0, 1e-6);
        }
    ear_responses_free(&r);
}

static void document_make(struct sofa_document *d, const char *without, bool cartesian)
{
    enum { COUNT = 40, TAPS = 32 };
    static const char *const texts[][2] = {
        {"Conventions", "SOFA"}, {"SOFAConventions", "SimpleFreeFieldHRIR"}, {"DataType", "FIR"}};
    static const struct {
        const char *name, *letters;
        size_t extent[3];
    } arrays[] = {{"ListenerPosition", "IC", {1, 3}},   {"ReceiverPosition", "RCI", {2, 3, 1}},
                  {"SourcePosition", "MC", {COUNT, 3}}, {"Data.IR", "MRN", {COUNT, 2, TAPS}},
                  {"Data.SamplingRate", "I", {1}},      {"Data.Delay", "IR", {1, 2}}};
    struct error e;
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 3; i++)
        if (strcmp(texts[i][0], without) != 0)
            must(sofa_add_attribute(&d->attributes, texts[i][0], texts[i][1], &e), &e);
    for (int i = 0; i < 6; i++) {
        struct sofa_variable *v;
        if (!strcmp(arrays[i].name, without))
            continue;
        must(sofa_add_variable(d, &v, arrays[i].name, arrays[i].letters, arrays[i].extent, &e), &e);
        if (i == 1)
            v->values[1] = -0.09, v->values[4] = 0.09; /* the left ear is the second */
        for (size_t m = 0; m < COUNT && i == 2; m++) {
            const double z = 1.0 - (2.0 * (double)m + 1.0) / COUNT, azimuth = 137.5 * (double)m;
            const double r = sqrt(1.0 - z * z), a = azimuth * M_PI / 180.0;
            const double spherical[3] = {azimuth, asin(z) * 180.0 / M_PI, 2.0},
                         place[3] = {2 * r * cos(a), 2 * r * sin(a), 2 * z};
            memcpy(v->values + 3 * m, cartesian ? place : spherical, sizeof place);
        }
        if (i == 2)
            must(sofa_add_attribute(&v->attributes, "Type", cartesian ? "cartesian" : "spherical", &e), &e);
        for (size_t k = 0; k < 2 * COUNT && i == 3; k++)
            v->values[k * TAPS + 4] = k % 2 ? 2.0 : 1.0;
        if (i == 4)
            v->values[0] = 48000.0;
        if (i == 5)
            v->values[0] = 1.5;
    }
}

static void ears_directions_and_delays_are_read(void **state)
{
    (void)state;
    struct error e;
    struct sofa_document d;
    struct hrtf of[2];
    for (int cartesian = 0; cartesian < 2; cartesian++) {
        document_make(&d, "", cartesian);
        must(hrtf_of(&of[cartesian], &d, "x.sofa", HRTF_DISTANCE, &e), &e);
        sofa_document_free(&d);
        const struct hrtf *h = &of[cartesian];
        assert_within(h->distance, 2.0, 1e-12);
        assert_within(h->responses[4], 2.0, 0.0); /* the second receiver is to the left */
        assert_within(h->responses[h->taps + 4], 1.0, 0.0);
        assert_within(h->delay[3][0], 0.0, 0.0);
        assert_within(h->delay[3][1], 1.5, 0.0);
    }
    for (size_t m = 0; m < 40; m++)
        for (int k = 0; k < 3; k++)
            assert_within(of[0].direction[m][k], of[1].direction[m][k], 1e-12);
    hrtf_free(&of[0]);
    hrtf_free(&of[1]);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"Conventions",      "SOFAConventions", "DataType",
                                        "ListenerPosition", "SourcePosition",  "Data.IR"};
    struct error e;
    struct sofa_document d;
    struct hrtf h;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        document_make(&d, names[i], false);
        assert_int_equal(hrtf_of(&h, &d, "x.sofa", HRTF_DISTANCE, &e), -1);
        assert_non_null(strstr(e.message, "x.sofa: "));
        assert_non_null(strstr(e.message, names[i]));
        assert_int_equal(e.code, ERROR_INPUT);
        sofa_document_free(&d);
    }
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"SourcePosition", "Data.IR", "Data.SamplingRate", "Data.Delay"};
    struct error e;
    struct sofa_document d;
    struct hrtf h;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int bad = 0; bad < 2; bad++) {
            document_make(&d, "", false);
            ((struct sofa_variable *)sofa_variable(&d, names[i]))->values[0] = bad ? NAN : -1e9;
            assert_int_equal(hrtf_of(&h, &d, "x.sofa", HRTF_DISTANCE, &e), -1);
            assert_int_equal(e.code, ERROR_INPUT);
            sofa_document_free(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_of_an_even_set_are_equal),
        cmocka_unit_test(a_field_is_filtered_without_delay),
        cmocka_unit_test(a_direction_has_its_own_response_and_one_between_the_mean_delay_and_level),
        cmocka_unit_test(ears_directions_and_delays_are_read),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(itd_of_the_horizontal_plane_is_that_of_the_file_within_30_us),
        cmocka_unit_test(magnitudes_are_those_of_the_file),
    };
    return cmocka_run_group_tests_name("ears", tests, NULL, NULL);
}
