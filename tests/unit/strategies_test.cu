/* The table of strategies (cuda/engine/strategies.cu): every row has all functions, and is found by its name. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <setjmp.h>

#include "cuda/step/one_step.cuh"

extern "C" {
#include "schemes/leapfrog/webb.h"
#include <cmocka.h>
}

static void every_row_has_all_functions(void **)
{
    size_t single = 0, rows = 0;
    for (; strategy_at(rows); rows++) {
        const struct strategy *row = strategy_at(rows);
        assert_true(row->applicable && row->require && row->open && row->enqueue && row->close);
        assert_true(row->name && *row->name);
        single += row->single;
        if (!row->single)
            continue;
        const struct step_kernel *k = step_kernel_of(row);
        assert_true(k->refusal && k->launch_single && k->launch_double);
    }
    assert_true(strategy_at(0)->single); /* takes what temporal blocks leave */
    assert_true(single > 0 && single < rows);
}

static void rows_are_found_by_their_names(void **)
{
    for (size_t i = 0; strategy_at(i); i++)
        assert_ptr_equal(strategy_named(strategy_at(i)->name), strategy_at(i));
    assert_null(strategy_named("no such"));
}

static void there_is_nothing_beyond_the_last_row(void **)
{
    size_t rows = 0, listed = 0;
    while (strategy_at(rows))
        rows++;
    while (strategy_listed(listed))
        listed++;
    assert_true(listed > 0 && listed < rows);
    for (size_t beyond = 0; beyond < 100; beyond++) {
        assert_null(strategy_at(rows + beyond));
        assert_null(strategy_listed(listed + beyond));
    }
    assert_null(strategy_at(SIZE_MAX));
    assert_null(strategy_listed(SIZE_MAX));
}

static void variants_of_a_kernel_are_found_but_not_listed(void **)
{
    const struct strategy *variant = strategy_named("tiling-3d" WEBB_READ_ONLY_SUFFIX);
    assert_non_null(variant);
    for (size_t i = 0; strategy_listed(i); i++)
        assert_ptr_not_equal(strategy_listed(i), variant);
}

static void the_name_of_the_release_before_is_an_alias(void **)
{
    assert_string_equal(strategy_name("fused"), "temporal");
    assert_string_equal(strategy_name("room"), "room");
    assert_null(strategy_name(nullptr));
    assert_null(strategy_named("fused")); /* listed no more */
    assert_false(strategy_named("temporal")->single);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_all_functions),
        cmocka_unit_test(rows_are_found_by_their_names),
        cmocka_unit_test(there_is_nothing_beyond_the_last_row),
        cmocka_unit_test(variants_of_a_kernel_are_found_but_not_listed),
        cmocka_unit_test(the_name_of_the_release_before_is_an_alias),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
