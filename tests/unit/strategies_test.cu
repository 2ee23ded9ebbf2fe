/* The table of strategies (cuda/engine/strategies.cu): every row has all functions, and is found by its name. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <setjmp.h>

#include "cuda/step/one_step.cuh"

extern "C" {
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
        const struct step_kernel *k = static_cast<const struct step_kernel *>(row);
        assert_true(k->refusal && k->launch_single && k->launch_double);
    }
    assert_true(strategies[0]->single); /* takes what temporal blocks leave */
    assert_true(single > 0 && single < rows);
}

static void rows_are_found_by_their_names(void **)
{
    for (size_t i = 0; strategy_at(i); i++)
        assert_ptr_equal(strategy_named(strategy_at(i)->name), strategy_at(i));
    assert_null(strategy_named("no such"));
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
        cmocka_unit_test(the_name_of_the_release_before_is_an_alias),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
