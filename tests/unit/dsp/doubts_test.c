/* SPDX-License-Identifier: MIT */
/* Bands of the whole band whose parameters are doubtful are told by the JSON beside a response, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "base/text.h"
#include "dsp/measure/doubts.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static const char json_format[] =
    "{ \"space\": { \"octave_bands\": [63, 125, 250, 500, 1000, 2000, 4000, 8000],"
    " \"eyring\": [1, 1, 1, 1, 1, 1, 0.5, null] },"
    " \"hybrid\": { \"full\": true, \"rays\": { \"from\": 700, \"alone_from\": 969 }, \"decay\": { \"octave\": "
    "500, \"t30\": { \"waves\": 1.0, \"rays\": %s }, \"edt\": { \"waves\": 1.0, "
    "\"rays\": %s }, \"c80\": { \"waves\": 8.0, \"rays\": %s } },"
    " \"default_scattering\": [%s] } }";

/* Of rays; those of waves are 1 s, 1 s and 8 dB. */
static struct doubts doubts_of_halves(const char *t30, const char *edt, const char *c80, const char *materials)
{
    char *text = text_format(json_format, t30, edt, c80, materials);
    cJSON *json = cJSON_Parse(text);
    struct doubts d;
    assert_non_null(json);
    assert_int_equal(doubts_take(&d, json), 0);
    cJSON_Delete(json);
    free(text);
    return d;
}

static struct doubts doubts_from(const char *rays, const char *materials)
{
    return doubts_of_halves(rays, "1.0", "8.0", materials);
}

/* By which the JSON of the previous release is read, too. */
static void the_former_name_of_the_member_is_known(void **state)
{
    (void)state;
    static const char *const texts[] = {"{ \"band\": { \"rays\": { \"from\": 700 } } }",
                                        "{ \"hybrid\": { \"rays\": { \"from\": 700 } } }"};
    for (size_t i = 0; i < 2; i++) {
        cJSON *json = cJSON_Parse(texts[i]);
        struct doubts d;
        assert_int_equal(doubts_take(&d, json), 0);
        assert_true(d.from == 700.0);
        doubts_free(&d);
        cJSON_Delete(json);
    }
}

/* Of an octave, or the broad band (centre 0), whose T30 is `time`. */
static unsigned doubt(const struct doubts *d, double centre, double time)
{
    struct metrics_band band = {.centre = centre,
                                .low = centre > 0.0 ? centre * M_SQRT1_2 : 44.5,
                                .high = centre > 0.0 ? centre * M_SQRT2 : 16000.0,
                                .t20.time = NAN,
                                .t30.time = time};
    const unsigned by_t30 = doubts_of(d, &band);
    band.t30.time = NAN;
    band.t20.time = time;
    assert_int_equal(doubts_of(d, &band), by_t30); /* T20 where there is no T30 */
    band.validity = METRICS_OUTSIDE;
    assert_int_equal(doubts_of(d, &band), 0);
    return by_t30;
}

static void a_single_number_is_doubtful_if_a_band_that_it_rests_on_is(void **state)
{
    (void)state;
    struct doubts d = doubts_from("1.0", "\"carpet\"");
    for (size_t i = 0; i < single_metric_count; i++) {
        const struct metric *single = &single_metrics[i];
        assert_true(single->rests.count > 0 && single->rests.first + single->rests.count <= METRICS_BANDS);
        for (size_t slow = 0; slow < METRICS_OCTAVES; slow++) {
            struct metrics m = {.rate = 48000.0};
            for (size_t b = 0; b < METRICS_BANDS; b++) {
                const double centre = b < METRICS_OCTAVES ? octave_band_centre[b] : 0.0;
                m.band[b] = (struct metrics_band){.centre = centre,
                                                  .low = centre > 0.0 ? centre * M_SQRT1_2 : 44.5,
                                                  .high = centre > 0.0 ? centre * M_SQRT2 : 16000.0,
                                                  .t30.time = b == slow ? 2.0 : 0.1};
            }
            const bool rests = slow >= single->rests.first && slow < single->rests.first + single->rests.count;
            const bool marked = slow >= 3 && slow < 7; /* rays from 700 Hz on; Eyring has no time at 8 kHz */
            if ((doubts_of_single(&d, &m, single) != 0) != (rests && marked))
                fail_msg("%s, octave %zu", single->name, slow);
        }
    }
    doubts_free(&d);
}

static void halves_two_noticeable_differences_apart_doubt_the_octave_above(void **state)
{
    static const struct {
        const char *t30, *edt, *c80;
        unsigned expected;
    } cases[] = {{"1.09", "1.0", "8.0", 0},
                 {"1.11", "1.0", "8.0", DOUBT_HALVES},
                 {"0.91", "1.0", "8.0", 0},
                 {"0.89", "1.0", "8.0", DOUBT_HALVES},
                 {"null", "null", "null", 0},
                 {"1.0", "1.11", "8.0", DOUBT_HALVES},
                 {"null", "0.89", "null", DOUBT_HALVES},
                 {"1.0", "1.0", "9.9", 0},
                 {"1.0", "1.0", "5.9", DOUBT_HALVES}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct doubts d = doubts_of_halves(cases[i].t30, cases[i].edt, cases[i].c80, "");
        assert_int_equal(doubt(&d, 250.0, 9.0), 0);
        assert_int_equal(doubt(&d, 400.0, 9.0), 0);                 /* a third that ends below 700 Hz */
        assert_int_equal(doubt(&d, 500.0, 0.1), cases[i].expected); /* ends at 707 Hz */
        assert_int_equal(doubt(&d, 1000.0, 0.1), cases[i].expected);
        assert_int_equal(doubt(&d, 1259.0, 0.1), cases[i].expected); /* a third of that octave */
        assert_int_equal(doubt(&d, 2000.0, 1.0), 0);                 /* the difference may have another sign */
        assert_int_equal(doubt(&d, 8000.0, 1.0), 0);
        assert_int_equal(doubt(&d, 0.0, 1.0), cases[i].expected);
        doubts_free(&d);
    }
}

static void a_decay_far_above_eyrings_is_doubted_where_scattering_is_the_default(void **state)
{
    struct doubts d = doubts_from("1.0", "\"carpet\", \"plaster\""), given = doubts_from("1.0", "");
    (void)state;
    assert_int_equal(doubt(&d, 1000.0, 1.15), 0);
    assert_int_equal(doubt(&d, 1000.0, 1.25), DOUBT_SCATTERING);
    assert_int_equal(doubt(&d, 1259.0, 1.25), DOUBT_SCATTERING); /* a third of that octave */
    assert_int_equal(doubt(&d, 4000.0, 0.7), DOUBT_SCATTERING);
    assert_int_equal(doubt(&d, 8000.0, 9.0), 0); /* Eyring's is not known */
    assert_int_equal(doubt(&d, 250.0, 9.0), 0);  /* of waves alone */
    assert_int_equal(doubt(&d, 1000.0, NAN), 0);
    assert_int_equal(doubt(&d, 0.0, 9.0), 0);
    assert_int_equal(doubt(&given, 1000.0, 9.0), 0);
    char *text = doubt_text(&d, DOUBT_SCATTERING);
    assert_non_null(strstr(text, "carpet, plaster"));
    free(text);
    doubts_free(&d);
    doubts_free(&given);
}

static void nothing_is_doubted_without_such_a_json(void **state)
{
    static const char *const texts[] = {"{}", "[]", "{ \"hybrid\": { \"full\": false } }",
                                        "{ \"band\": 3, \"space\": [] }",
                                        "{ \"hybrid\": { \"rays\": { \"from\": -1 }, \"default_scattering\": 3 } }"};
    const struct doubts none = {.from = 0.0};
    (void)state;
    assert_int_equal(doubt(&none, 1000.0, 9.0), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cJSON *json = cJSON_Parse(texts[i]);
        struct doubts d;
        assert_int_equal(doubts_take(&d, json), 0);
        assert_int_equal(doubt(&d, 1000.0, 9.0), 0);
        doubts_free(&d);
        cJSON_Delete(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_number_is_doubtful_if_a_band_that_it_rests_on_is),
        cmocka_unit_test(halves_two_noticeable_differences_apart_doubt_the_octave_above),
        cmocka_unit_test(a_decay_far_above_eyrings_is_doubted_where_scattering_is_the_default),
        cmocka_unit_test(the_former_name_of_the_member_is_known),
        cmocka_unit_test(nothing_is_doubted_without_such_a_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
