/* SPDX-License-Identifier: MIT */
/* The table of parameters holds what everything that reads it needs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "dsp/measure/metrics_table.h"

#include <cmocka.h>

/* A row without a number would take that of the first. */
static void each_public_number_is_given_once(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < band_metric_count; i++) {
        const struct metric *metric = &band_metrics[i];
        if (metric->public.number == METRIC_NOT_PUBLIC)
            continue;
        count++;
        assert_true(metric->public.number >= 0);
        if (metric_of_number((size_t)metric->public.number) != metric)
            fail_msg("%s: its public number is that of another: give the next free one, or METRIC_NOT_PUBLIC",
                     metric->name);
    }
    for (size_t number = 0; number < count; number++)
        assert_non_null(metric_of_number(number));
    assert_null(metric_of_number(count));
    assert_null(metric_of_number((size_t)METRIC_NOT_PUBLIC));
}

static void public_rows_are_complete(void **state)
{
    const struct metric *metric;
    (void)state;
    for (size_t number = 0; (metric = metric_of_number(number)); number++) {
        assert_non_null(metric->public.name);
        assert_int_equal(strcasecmp(metric->public.name, metric->name), 0);
        assert_true(metric->public.unit && metric->public.meaning && *metric->public.meaning);
    }
}

/* Columns that their readers know by name. */
static void data_sets_keep_their_columns(void **state)
{
    static const char *const columns[] = {"edt", "t20", "t30", "c50", "c80", "d50", "ts", "g"};
    (void)state;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        assert_true(metric_in_data_sets(metric_find(columns[c])));
    assert_false(metric_in_data_sets(metric_find("range")) || metric_in_data_sets(metric_find("lf")));
}

/* What is computed only of some responses is missing in all others, and not 0. */
static void what_is_not_measured_is_missing(void **state)
{
    (void)state;
    static const double silence[1000];
    const struct metrics_settings settings = {.scale = 1.0};
    struct metrics m;
    struct error e;
    assert_int_equal(metrics_measure(&m, silence, 1000, 48000.0, &settings, &e), 0);
    for (size_t i = 0; i < single_metric_count; i++)
        if (!isnan(metric_of_response(&single_metrics[i], &m)))
            fail_msg("%s: not NaN", single_metrics[i].name);
    for (size_t b = 0; b < METRICS_BANDS; b++)
        for (size_t i = 0; i < band_metric_count; i++)
            if (!isnan(metric_of_band(&band_metrics[i], &m.band[b])))
                fail_msg("%s: not NaN in band %zu", band_metrics[i].name, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_public_number_is_given_once),
        cmocka_unit_test(public_rows_are_complete),
        cmocka_unit_test(data_sets_keep_their_columns),
        cmocka_unit_test(what_is_not_measured_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
