/* SPDX-License-Identifier: MIT */
/* Lists of the chunks of a temporal block (cuda/temporal/chunk_list.cu), made on the host: all planes are in one chunk,
 * those that read halos come last, and chunks of any length leave less idle than equal ones. */
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <setjmp.h>
#include <utility>
#include <vector>

extern "C" {
#include "support/random_cases.h"
}
#include "cuda/temporal/chunk_list.cuh"

extern "C" {
#include <cmocka.h>
}

enum { CASES = 150 };

/* A machine without a GPU has no shared memory. */
static size_t no_bytes(int, size_t)
{
    return 0;
}

/* A part of a grid, or a whole one, its kernel and the air of its clusters. */
struct part {
    struct problem problem;
    std::unique_ptr<cuda_state> state;
    tile_kernel kernel;
    std::vector<air_span> spans;
};

static void lay_out(part *p, int side, int below, int own, int above, int depth)
{
    p->problem.precision = PRECISION_SINGLE;
    p->problem.points[2] = (size_t)(below + own + above);
    p->problem.counted[0] = (size_t)below;
    p->problem.counted[1] = (size_t)(below + own);
    p->state.reset(new cuda_state());
    p->state->problem = &p->problem;
    p->state->layout.pitch = p->state->layout.points[0] = p->state->layout.points[1] = (size_t)side;
    p->kernel.steps = depth;
    p->kernel.width = 128;
    p->kernel.height = 32;
    p->kernel.halo_columns = 4;
    p->kernel.stencil = STENCIL_7_POINT;
    p->kernel.bytes = no_bytes;
}

/* `columns` full of air. */
static void fill(part *p, int columns)
{
    for (int i = 0; i < columns; i++)
        p->spans.push_back({i, (int)p->problem.counted[0], (int)p->problem.counted[1]});
}

static int columns_of(const part &p)
{
    int columns = 0;
    for (const air_span &one : p.spans)
        columns = std::max(columns, one.cluster + 1);
    return columns;
}

static chunk_model model_of(const part &p, int at_once)
{
    const uint64_t points = 100000000; /* enough for a long search */
    return {points, columns_of(p), at_once, &p.kernel, PRECISION_SINGLE, halo_reads(p.state.get(), &p.kernel)};
}

static double time_of_equal(const part &p, const chunk_model &model)
{
    const int nz = (int)p.problem.points[2];
    double best = HUGE_VAL;
    for (int chunks = 1; chunks == 1 || chunks <= nz / 4; chunks++)
        best = std::min(best, chunk_list_time(chunk_list_equal(p.spans, (nz + chunks - 1) / chunks, model), model));
    return best;
}

/* How often the chunks cover each plane of each cluster. */
static void check_cover(const part &p, const chunk_list &list)
{
    const size_t nz = p.problem.points[2];
    std::vector<int> wanted, found;
    for (const auto &[spans, out] : {std::make_pair(&p.spans, &wanted), std::make_pair(&list.spans, &found)})
        for (const air_span &one : *spans) {
            assert_true(one.z0 < one.z1);
            if (out->size() < (size_t)(one.cluster + 1) * nz)
                out->resize((size_t)(one.cluster + 1) * nz, 0);
            for (int z = one.z0; z < one.z1; z++)
                ++(*out)[(size_t)one.cluster * nz + (size_t)z];
        }
    assert_true(wanted == found);
}

/* Chunks that read no halo, then those that read that below, then the others; in a part by their planes. */
static void check_order(const part &p, const chunk_list &list)
{
    const int depth = p.kernel.steps, first = (int)p.problem.counted[0], end = (int)p.problem.counted[1];
    const bool has_above = end < (int)p.problem.points[2];
    int last = 0, z0 = 0;
    size_t far = 0;
    for (const air_span &one : list.spans) {
        const bool above = has_above && one.z1 + depth > end, below = first > 0 && one.z0 - depth < first;
        const int rank = above ? 2 : below ? 1 : 0;
        assert_true(rank >= last);
        if ((first || has_above) && rank == last)
            assert_true(one.z0 >= z0);
        last = rank;
        z0 = one.z0;
        far += rank == 0;
    }
    assert_int_equal(list.far, far);
}

static void all_planes_are_in_one_chunk_and_what_reads_halos_comes_last(void **)
{
    struct random r = random_cases("lists of chunks");
    for (int i = 0; i < case_count(CASES); i++) {
        part p = {};
        const int depth = (int)random_between(&r, 3, 5), halo = (int)random_between(&r, 1, depth);
        const int own = (int)random_between(&r, 8, 200), kind = (int)random_between(&r, 0, 3);
        lay_out(&p, 256, kind & 1 ? halo : 0, own, kind & 2 ? halo : 0, depth);
        const int first = (int)p.problem.counted[0], end = (int)p.problem.counted[1];
        for (int cluster = 0, clusters = (int)random_between(&r, 0, 30); cluster < clusters; cluster++)
            for (int z = first + (int)random_between(&r, 0, own / 2); z < end;) {
                const int z1 = std::min(end, z + (int)random_between(&r, 1, own));
                p.spans.push_back({cluster, z, z1});
                z = z1 + depth + 3;
            }
        const chunk_model model = model_of(p, (int)random_between(&r, 1, 40));
        double time, again;
        const chunk_list list = chunk_list_best(p.spans, (int)p.problem.points[2], model, HUGE_VAL, &time);
        check_cover(p, list);
        check_order(p, list);
        assert_true(time <= time_of_equal(p, model));
        assert_true(time == chunk_list_time(list, model));
        const chunk_list same = chunk_list_best(p.spans, (int)p.problem.points[2], model, HUGE_VAL, &again);
        assert_true(time == again && list.spans.size() == same.spans.size());
        for (size_t k = 0; k < same.spans.size(); k++)
            assert_memory_equal(&list.spans[k], &same.spans[k], sizeof(air_span));
    }
}

/* Nine columns do not divide among fifteen places. */
static void parts_of_any_length_leave_less_idle_than_equal_ones(void **)
{
    static const struct {
        int below, own, above;
        double gain; /* that was found at least */
    } cases[] = {{0, 512, 0, 0.03}, {0, 128, 0, 0.10}, {0, 128, 5, 0.07}, {5, 128, 5, 0.05}};
    for (const auto &one : cases) {
        part p = {};
        lay_out(&p, 512, one.below, one.own, one.above, 5);
        fill(&p, 9);
        const chunk_model model = model_of(p, 15);
        double time;
        check_cover(p, chunk_list_best(p.spans, (int)p.problem.points[2], model, HUGE_VAL, &time));
        assert_true(time >= 9.0 * one.own / 15.0);
        assert_true(time <= (1.0 - one.gain) * time_of_equal(p, model));
    }
}

/* Tiles of the 19-point stencil must stay in step. */
static void parts_are_equal_with_the_19_point_stencil(void **)
{
    part p = {};
    lay_out(&p, 512, 0, 512, 0, 3);
    fill(&p, 9);
    p.kernel.stencil = STENCIL_19_POINT;
    double time;
    const chunk_list list = chunk_list_best(p.spans, 512, model_of(p, 15), HUGE_VAL, &time);
    assert_true(list.spans[0].z1 - list.spans[0].z0 == chunk_list_longest(list));
    for (const air_span &one : list.spans)
        assert_true(one.z1 == 512 || one.z1 - one.z0 == chunk_list_longest(list));
}

static void an_even_part_is_the_shortest_that_makes_as_few_parts(void **)
{
    for (int planes = 1; planes <= 200; planes++)
        for (int most = 1; most <= 80; most++) {
            const int part = even_part(planes, most), parts = (planes + most - 1) / most;
            assert_true(part <= most && part * parts >= planes && (part - 1) * parts < planes);
        }
}

/* Whole columns of the 19-point stencil. */
static void lay_out_columns(part *p, int columns, int planes)
{
    lay_out(p, 1024, 0, planes, 0, 3);
    fill(p, columns);
    p->kernel.stencil = STENCIL_19_POINT;
}

/* Planes of the longest chunk of these on an H200. */
static int longest_chunk(int columns, int planes)
{
    part p = {};
    double time;
    lay_out_columns(&p, columns, planes);
    return chunk_list_longest(chunk_list_best(p.spans, planes, model_of(p, 132), HUGE_VAL, &time));
}

/* One H200 was fastest in chunks of 22 planes, of 22 to 43 that were tried, on 512 points a side, and of 37 to 43 on
 * 1024 (docs/design/gpu.md). */
static void chunks_of_the_19_point_stencil_are_short_where_columns_are_few_and_long_where_they_are_many(void **)
{
    static const struct {
        int columns, planes, least, most;
    } cases[] = {{81, 512, 18, 24}, {323, 257, 36, 52}, {323, 1024, 36, 52}};
    for (const auto &one : cases)
        assert_in_range(longest_chunk(one.columns, one.planes), one.least, one.most);
}

/* A church of 131 columns and 285 planes, one H200: Gpoint/s in chunks of 36 to 48 planes 274 to 276, of 57 to 95
 * planes 259 to 250, and 229 in whole columns, all of them at work at once. */
static void long_columns_of_the_19_point_stencil_are_divided_though_all_of_them_have_places(void **)
{
    assert_in_range(longest_chunk(131, 285), 36, 52);
}

/* Of columns that just do not fill a layer, and that just do. */
static void the_time_of_chunks_does_not_jump_where_their_columns_fill_a_layer(void **)
{
    double before = 0.0;
    for (int columns = 120; columns <= 140; columns++) {
        part p = {};
        lay_out_columns(&p, columns, 285);
        const chunk_model model = model_of(p, 132);
        const double of_column = chunk_list_time(chunk_list_equal(p.spans, 41, model), model) / columns;
        assert_true(!before || (of_column > 0.85 * before && of_column < 1.15 * before));
        before = of_column;
    }
}

/* What is not looked at, because it takes longer by the bound, would not have been chosen. */
static void no_list_takes_less_time_than_the_lower_bound(void **)
{
    struct random r = random_cases("lower bounds of lists");
    for (int i = 0; i < case_count(CASES); i++) {
        part p = {};
        const bool close = random_between(&r, 0, 1); /* short chunks, and hardly a place is idle */
        const int planes = (int)random_between(&r, 10, 600), chunk = (int)random_between(&r, 5, close ? 17 : 600),
                  columns = (int)random_between(&r, 2, 300);
        lay_out(&p, 512, 0, planes, 0, 3);
        fill(&p, columns);
        p.kernel.stencil = random_between(&r, 0, 1) ? STENCIL_19_POINT : STENCIL_7_POINT;
        chunk_model model = model_of(p, close ? columns - 1 : (int)random_between(&r, 1, 140));
        model.precision = random_between(&r, 0, 1) ? PRECISION_SINGLE : PRECISION_DOUBLE;
        const double time = chunk_list_time(chunk_list_equal(p.spans, chunk, model), model);
        assert_true(chunk_list_least_time(p.spans, chunk, model) <= time * (1.0 + 1e-12));
    }
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_planes_are_in_one_chunk_and_what_reads_halos_comes_last),
        cmocka_unit_test(parts_of_any_length_leave_less_idle_than_equal_ones),
        cmocka_unit_test(long_columns_of_the_19_point_stencil_are_divided_though_all_of_them_have_places),
        cmocka_unit_test(the_time_of_chunks_does_not_jump_where_their_columns_fill_a_layer),
        cmocka_unit_test(an_even_part_is_the_shortest_that_makes_as_few_parts),
        cmocka_unit_test(parts_are_equal_with_the_19_point_stencil),
        cmocka_unit_test(chunks_of_the_19_point_stencil_are_short_where_columns_are_few_and_long_where_they_are_many),
        cmocka_unit_test(no_list_takes_less_time_than_the_lower_bound),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
