/* SPDX-License-Identifier: MIT */
/* The table of strategies (cuda/engine/strategies.cu): every row has all functions, and is found by its name among
 * those that step its stencil. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <setjmp.h>

#include "cuda/step/one_step.cuh"

extern "C" {
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/scene/scene.h"
#include <cmocka.h>
}

static const enum air_stencil stencils[] = {STENCIL_7_POINT, STENCIL_19_POINT};

static void every_row_has_all_functions(void **)
{
    size_t single = 0, rows = 0;
    for (; strategy_at(rows); rows++) {
        const struct strategy *row = strategy_at(rows);
        assert_true(row->applicable && row->plan && row->open && row->enqueue && row->close);
        assert_true(row->name && *row->name);
        assert_in_range(row->stencils, 1, ONLY_7_POINT | ONLY_19_POINT);
        single += row->single;
        if (!row->single)
            continue;
        const struct step_kernel *k = step_kernel_of(row);
        assert_true(k->refusal && k->launch_single && k->launch_double);
        assert_true(k->rows_per_thread >= 1 && k->values_per_thread[0] >= 1 && k->values_per_thread[1] >= 1);
    }
    assert_true(strategy_at(0)->single); /* takes what temporal blocks leave */
    assert_true(single > 0 && single < rows);
}

static void rows_are_found_by_their_names(void **)
{
    for (enum air_stencil stencil : stencils) {
        for (size_t i = 0; strategy_at(i); i++)
            if (strategy_steps(strategy_at(i), stencil))
                assert_ptr_equal(strategy_named(strategy_at(i)->name, stencil), strategy_at(i));
        assert_null(strategy_named("no such", stencil));
    }
}

/* A kernel named for the wrong scheme is found, and says why it cannot step it. */
static void rows_say_in_words_which_stencil_they_do_not_step(void **)
{
    for (enum air_stencil stencil : stencils)
        for (size_t i = 0; strategy_at(i); i++) {
            const struct strategy *row = strategy_at(i), *found = strategy_named(row->name, stencil);
            assert_non_null(found);
            assert_string_equal(found->name, row->name);
            if (strategy_steps(row, stencil))
                assert_null(strategy_stencil_refusal(row, stencil));
            else
                assert_non_null(strstr(strategy_stencil_refusal(row, stencil), stencil == STENCIL_19_POINT
                                                                                   ? "not support the 19-point"
                                                                                   : "not support the 7-point"));
        }
    assert_false(strategy_steps(strategy_named("tiling-3d", STENCIL_19_POINT), STENCIL_19_POINT));
}

/* Single steps of any room, which take what temporal blocks leave. */
static void every_stencil_has_a_kernel_that_is_named_room(void **)
{
    for (enum air_stencil stencil : stencils) {
        const struct strategy *room = strategy_named("room", stencil);
        assert_true(room && room->single && strategy_steps(room, stencil));
        assert_ptr_equal(strategy_listed(0, stencil), room);
        assert_true(step_kernel_of(room)->own_audio);
    }
    assert_ptr_not_equal(strategy_named("room", STENCIL_7_POINT), strategy_named("room", STENCIL_19_POINT));
}

/* Chooses the kernel of this name (NULL: any) for a box stepped by a stencil. */
static int choose(struct strategies_chosen *chosen, const char *kernel, enum air_stencil stencil, struct error *e)
{
    struct scene s;
    struct rows rows;
    struct layout layout;
    const struct solver_options choice = {.kernel = kernel, .cuda = {.no_tune = true}};
    assert_int_equal(scene_box(&s, 40, 30, 20, PRECISION_SINGLE, e), 0);
    if (stencil == STENCIL_19_POINT)
        scene_use_corners(&s);
    assert_int_equal(scene_voxels(&s, e), 0);
    assert_int_equal(rows_make(&rows, &s.problem, e), 0);
    assert_int_equal(layout_make(&layout, &rows, &s.problem, e), 0);
    struct strategy_case which = {&s.problem, &layout, &rows, &choice, nullptr};
    const int status = strategies_choose(chosen, &which, e);
    layout_free(&layout);
    rows_free(&rows);
    scene_free(&s);
    return status;
}

static void a_scheme_is_stepped_by_its_own_kernels_and_others_refuse_it_in_words(void **)
{
    static const char *const names[] = {"room", "room-narrow", nullptr};
    struct strategies_chosen chosen;
    struct error e;
    for (enum air_stencil stencil : stencils)
        for (const char *name : names) {
            assert_int_equal(choose(&chosen, name, stencil, &e), 0);
            assert_ptr_equal(chosen.single.strategy, strategy_named(name ? name : "room", stencil));
        }
    assert_int_equal(choose(&chosen, "room-tall", STENCIL_19_POINT, &e), 0);
    assert_string_equal(chosen.single.strategy->name, "room-tall");
    assert_int_not_equal(choose(&chosen, "room-tall", STENCIL_7_POINT, &e), 0);
    assert_int_equal(e.code, ERROR_ENGINE);
    assert_non_null(strstr(e.message, "the room-tall kernel cannot be used: it does not support the 7-point scheme"));
    assert_int_not_equal(choose(&chosen, "tiling-3d", STENCIL_19_POINT, &e), 0);
    assert_int_equal(e.code, ERROR_ENGINE);
    assert_non_null(strstr(e.message, "the tiling-3d kernel cannot be used: it does not support the 19-point scheme"));
    assert_int_not_equal(choose(&chosen, "rom", STENCIL_19_POINT, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
}

static void there_is_nothing_beyond_the_last_row(void **)
{
    size_t rows = 0;
    while (strategy_at(rows))
        rows++;
    assert_null(strategy_at(SIZE_MAX));
    for (enum air_stencil stencil : stencils) {
        size_t listed = 0;
        while (strategy_listed(listed, stencil)) {
            assert_true(strategy_steps(strategy_listed(listed, stencil), stencil));
            listed++;
        }
        assert_true(listed > 0 && listed < rows);
        for (size_t beyond = 0; beyond < 100; beyond++) {
            assert_null(strategy_at(rows + beyond));
            assert_null(strategy_listed(listed + beyond, stencil));
        }
        assert_null(strategy_listed(SIZE_MAX, stencil));
    }
}

static void variants_of_a_kernel_are_found_but_not_listed(void **)
{
    const struct strategy *variant = strategy_named("tiling-3d" WEBB_READ_ONLY_SUFFIX, STENCIL_7_POINT);
    assert_non_null(variant);
    for (size_t i = 0; strategy_listed(i, STENCIL_7_POINT); i++)
        assert_ptr_not_equal(strategy_listed(i, STENCIL_7_POINT), variant);
}

static void the_name_of_the_release_before_is_an_alias(void **)
{
    assert_string_equal(strategy_name("fused"), "temporal");
    assert_string_equal(strategy_name("room"), "room");
    assert_null(strategy_name(nullptr));
    assert_null(strategy_named("fused", STENCIL_7_POINT)); /* listed no more */
    assert_false(strategy_named("temporal", STENCIL_7_POINT)->single);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_all_functions),
        cmocka_unit_test(rows_are_found_by_their_names),
        cmocka_unit_test(rows_say_in_words_which_stencil_they_do_not_step),
        cmocka_unit_test(every_stencil_has_a_kernel_that_is_named_room),
        cmocka_unit_test(a_scheme_is_stepped_by_its_own_kernels_and_others_refuse_it_in_words),
        cmocka_unit_test(there_is_nothing_beyond_the_last_row),
        cmocka_unit_test(variants_of_a_kernel_are_found_but_not_listed),
        cmocka_unit_test(the_name_of_the_release_before_is_an_alias),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
