/* SPDX-License-Identifier: MIT */
/* The table of parameters holds what everything that reads it needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "dsp/measure/figures.h"

#include <cmocka.h>

/* A row without a number would take that of the first. */
static void each_public_number_is_given_once(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < band_figure_count; i++) {
        const struct figure *figure = &band_figures[i];
        if (figure->public.number == FIGURE_NOT_PUBLIC)
            continue;
        count++;
        assert_true(figure->public.number >= 0);
        if (figure_of_number((size_t)figure->public.number) != figure)
            fail_msg("%s: its public number is that of another: give the next free one, or FIGURE_NOT_PUBLIC",
                     figure->name);
    }
    for (size_t number = 0; number < count; number++)
        assert_non_null(figure_of_number(number));
    assert_null(figure_of_number(count));
    assert_null(figure_of_number((size_t)FIGURE_NOT_PUBLIC));
}

static void public_rows_are_complete(void **state)
{
    const struct figure *figure;
    (void)state;
    for (size_t number = 0; (figure = figure_of_number(number)); number++) {
        assert_non_null(figure->public.name);
        assert_int_equal(strcasecmp(figure->public.name, figure->name), 0);
        assert_true(figure->public.unit && figure->public.meaning && *figure->public.meaning);
    }
}

/* Columns that their readers know by name. */
static void data_sets_keep_their_columns(void **state)
{
    static const char *const columns[] = {"edt", "t20", "t30", "c50", "c80", "d50", "ts", "g"};
    (void)state;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        assert_true(figure_in_data_sets(figure_find(columns[c])));
    assert_false(figure_in_data_sets(figure_find("range")) || figure_in_data_sets(figure_find("lf")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_public_number_is_given_once),
        cmocka_unit_test(public_rows_are_complete),
        cmocka_unit_test(data_sets_keep_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
