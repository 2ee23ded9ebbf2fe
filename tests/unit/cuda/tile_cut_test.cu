/* SPDX-License-Identifier: MIT */
/* The division of a box of air into tiles of temporal blocks (cuda/temporal/tile_cut.cu), by both stencils, made on
 * the host: each point is written by one tile, far enough from the tile's edges. Tiles of clusters need a device to be
 * cut. */
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <setjmp.h>
#include <vector>

extern "C" {
#include "support/random_cases.h"
#include "validate/scene/scene.h"
}
#include "cuda/engine/state.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_cut.cuh"

extern "C" {
#include <cmocka.h>
}

enum { BOXES = 60, LONGEST = 400 };

/* A box in the engine's form. */
struct laid {
    scene s;
    cuda_state state;
};

/* A box of air of any size; some faces fixed, in the first layers of voxels or beyond them, the others rigid. */
static void lay_out(laid *l, struct random *r, bool corners)
{
    struct error e;
    const enum precision precision = random_between(r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    assert_int_equal(scene_box(&l->s, random_between(r, 8, LONGEST), random_between(r, 8, LONGEST),
                               random_between(r, 8, 12), precision, &e),
                     0);
    const size_t n[3] = {l->s.voxels[0], l->s.voxels[1], l->s.voxels[2]};
    for (int face = 0; face < FACES; face++) {
        const size_t layers = random_between(r, 0, 3);
        size_t from[3] = {0, 0, 0}, to[3] = {n[0], n[1], n[2]};
        if (random_between(r, 0, 1))
            continue;
        if (corners)
            l->s.outside[face] = CELL_FIXED;
        (face % 2 ? from : to)[face / 2] = face % 2 ? n[face / 2] - layers : layers;
        scene_fill(&l->s, from, to, CELL_FIXED);
    }
    if (corners)
        scene_use_corners(&l->s);
    l->state.problem = &l->s.problem;
    assert_int_equal(scene_voxels(&l->s, &e), 0);
    assert_int_equal(rows_make(&l->state.rows, &l->s.problem, &e), 0);
    assert_int_equal(layout_make(&l->state.layout, &l->state.rows, &l->s.problem, &e), 0);
    assert_int_equal(l->state.layout.irregular_count, 0);
}

static void drop(laid *l)
{
    layout_free(&l->state.layout);
    rows_free(&l->state.rows);
    scene_free(&l->s);
}

/* Where a tile ends inside the box, or beside a fixed end of it without a column of zeros, values are wrong: after
 * `steps` steps as many columns, and one row fewer, because a row is loaded on each side. */
static void check_halo(const tile_column &c, const struct layout *l, const struct tile_kernel *k)
{
    const int x_end = c.x + k->width, y_end = c.y + k->height, from[2] = {(int)l->from[0], (int)l->from[1]},
              to[2] = {(int)l->to[0], (int)l->to[1]};
    const bool mirrors = k->stencil == STENCIL_19_POINT;
    if (c.x > from[0] - (mirrors && l->missing & 1u ? 0 : 1))
        assert_true(c.x0 - c.x >= k->steps);
    if (x_end < to[0] + (mirrors && l->missing & 2u ? 0 : 1))
        assert_true(x_end - c.x1 >= k->steps);
    assert_true(c.y >= from[1]);
    if (c.y > from[1])
        assert_true(c.y0 - c.y >= k->steps - 1);
    if (y_end < to[1])
        assert_true(y_end - c.y1 >= k->steps - 1);
    assert_true(y_end <= to[1] || (c.y == from[1] && c.map)); /* the code for it */
}

static void check_cut(const laid &l, const struct tile_kernel *k)
{
    const struct layout *layout = &l.state.layout;
    const struct temporal_state any = {};
    const size_t nx = layout->points[0], ny = layout->points[1], nz = layout->points[2],
                 real = precision_bytes(l.s.problem.precision);
    tile_cut cut = tile_cut_best(&any, &l.state, k);
    std::vector<int> written(nx * ny, 0);
    assert_true(cut.columns.size() == (size_t)cut.across * (size_t)cut.along && cut.chunk >= 1);
    tile_cut_flag(cut, layout, k, true);
    for (size_t i = 0; i < cut.columns.size(); i++) {
        const tile_column &c = cut.columns[i];
        assert_int_equal((size_t)abs(c.x) * real % 16, 0); /* for the copy engine */
        check_halo(c, layout, k);
        for (int y = c.y0; y < c.y1; y++)
            for (int x = c.x0; x < c.x1; x++)
                written[(size_t)y * nx + (size_t)x]++;
        /* a thread writes all of its values or none */
        assert_true((c.x0 - c.x) % k->values == 0 && (c.x1 == (int)layout->to[0] || (c.x1 - c.x) % k->values == 0));
        for (size_t z = 0; z < nz; z++) {
            const unsigned flag = cut.flags[i * nz + z];
            assert_int_equal(!(flag & PLANE_OUTSIDE), z >= layout->from[2] && z < layout->to[2]);
            assert_int_equal(!(flag & PLANE_LOW), z != layout->from[2]);
            assert_int_equal(!(flag & PLANE_HIGH), z + 1 != layout->to[2]);
            assert_true(!(flag & PLANE_MAP) || (c.map && k->stencil == STENCIL_7_POINT));
        }
    }
    for (size_t y = layout->from[1]; y < layout->to[1]; y++)
        for (size_t x = layout->from[0]; x < layout->to[0]; x++)
            assert_int_equal(written[y * nx + x], 1);
}

static void check_boxes(bool corners)
{
    struct random r = random_cases("boxes");
    for (int i = 0; i < case_count(BOXES); i++) {
        laid l = {};
        lay_out(&l, &r, corners);
        for (const struct tile_kernel *k = tile_kernels(&l.s.problem); k->steps; k++) {
            assert_int_equal(k->stencil, l.s.leapfrog.stencil);
            if (!k->halo_columns)
                check_cut(l, k);
        }
        drop(&l);
    }
}

static void each_point_is_written_by_one_tile_within_its_halo(void **)
{
    check_boxes(false);
}

static void each_corner_is_written_by_one_tile_within_its_halo(void **)
{
    check_boxes(true);
}

/* Air in a few boxes of a solid room. */
static void lay_out_caves(laid *l, struct random *r, bool corners)
{
    struct error e;
    const enum precision precision = random_between(r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    assert_int_equal(scene_box(&l->s, random_between(r, 150, LONGEST), random_between(r, 150, LONGEST),
                               random_between(r, 20, 40), precision, &e),
                     0);
    if (corners)
        scene_use_corners(&l->s);
    const size_t n[3] = {l->s.voxels[0], l->s.voxels[1], l->s.voxels[2]};
    memset(l->s.cells, CELL_SOLID, n[0] * n[1] * n[2]);
    for (int i = 0; i < 3; i++) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 10);
            to[axis] = from[axis] + random_between(r, 5, 10);
        }
        scene_fill(&l->s, from, to, CELL_AIR);
    }
    l->state.problem = &l->s.problem;
    assert_int_equal(scene_voxels(&l->s, &e), 0);
    assert_int_equal(rows_make(&l->state.rows, &l->s.problem, &e), 0);
    assert_int_equal(layout_make(&l->state.layout, &l->state.rows, &l->s.problem, &e), 0);
}

/* How many chunks of a list step each point: [nz][ny][nx]. */
static std::vector<int> count_steps(const tile_cut &cut, const struct layout *l, int planes)
{
    std::vector<int> stepped(l->points[0] * l->points[1] * l->points[2], 0);
    for (const tile_chunk &chunk : cut.chunks) {
        const tile_column &c = cut.columns[(size_t)chunk.column];
        assert_true(chunk.z0 >= 0 && chunk.z1 <= (int)l->points[2]);
        assert_true(chunk.z0 < chunk.z1 && chunk.z1 - chunk.z0 <= planes);
        for (int z = chunk.z0; z < chunk.z1; z++)
            for (int y = c.y0; y < c.y1; y++)
                for (int x = c.x0; x < c.x1; x++)
                    stepped[((size_t)z * l->points[1] + (size_t)y) * l->points[0] + (size_t)x]++;
    }
    return stepped;
}

/* Points stepped; all air is. */
static size_t check_chunks(const laid &l, const tile_cut &cut, int planes)
{
    const struct rows *rows = &l.state.rows;
    const std::vector<int> stepped = count_steps(cut, &l.state.layout, planes);
    size_t sum = 0;
    for (int times : stepped) {
        assert_true(times <= 1);
        sum += (size_t)times;
    }
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t i = rows->run_start[row]; i < rows->run_start[row + 1]; i++)
            for (size_t x = rows->runs[i].start; x < rows->runs[i].start + rows->runs[i].length; x++)
                assert_int_equal(stepped[row * rows->nx + x], 1);
    return sum;
}

static void all_air_is_in_one_chunk_and_most_of_the_rest_in_none(void **)
{
    struct random r = random_cases("caves");
    for (int i = 0; i < case_count(BOXES); i++) {
        laid l = {};
        lay_out_caves(&l, &r, i % 2);
        struct temporal_state asked = {};
        asked.tile_chunk = (int)random_between(&r, 3, 9);
        for (const struct tile_kernel *k = tile_kernels(&l.s.problem); k->steps; k++) {
            if (k->halo_columns)
                continue;
            const tile_cut cut = tile_cut_best(&asked, &l.state, k);
            const size_t *n = l.state.layout.points;
            assert_true(cut.columns.size() == 1 || !cut.chunks.empty());
            if (cut.columns.size() > 8) /* three caves, of which each may lie in four tiles */
                assert_true(check_chunks(l, cut, asked.tile_chunk) < n[0] * n[1] * n[2]);
        }
        drop(&l);
    }
}

static void a_room_full_of_air_has_no_list_of_equal_chunks(void **)
{
    struct random r = random_cases("full boxes");
    for (int i = 0; i < case_count(BOXES); i++) {
        laid l = {};
        struct error e;
        struct temporal_state asked = {};
        asked.tile_chunk = (int)random_between(&r, 3, 9);
        assert_int_equal(
            scene_box(&l.s, random_between(&r, 8, LONGEST), random_between(&r, 8, LONGEST), 12, PRECISION_SINGLE, &e),
            0);
        l.state.problem = &l.s.problem;
        assert_int_equal(scene_voxels(&l.s, &e), 0);
        assert_int_equal(rows_make(&l.state.rows, &l.s.problem, &e), 0);
        assert_int_equal(layout_make(&l.state.layout, &l.state.rows, &l.s.problem, &e), 0);
        for (const struct tile_kernel *k = tile_kernels(&l.s.problem); k->steps; k++)
            if (!k->halo_columns)
                assert_true(tile_cut_best(&asked, &l.state, k).chunks.empty());
        drop(&l);
    }
}

/* Its neighbours have the air. */
static void a_part_without_air_of_its_own_has_chunks(void **)
{
    struct random r = random_cases("parts without air");
    for (int i = 0; i < case_count(BOXES); i++) {
        laid l = {};
        lay_out(&l, &r, i % 2);
        const size_t nz = l.state.layout.points[2];
        const struct temporal_state asked = {};
        l.s.problem.counted[0] = l.s.problem.counted[1] = nz / 2;
        for (const struct tile_kernel *k = tile_kernels(&l.s.problem); k->steps; k++) {
            if (k->halo_columns)
                continue;
            const tile_cut cut = tile_cut_best(&asked, &l.state, k);
            assert_true(cut.chunk >= 1);
            assert_true(!tile_chunks_all(cut, (int)nz).empty());
        }
        drop(&l);
    }
}

/* As the tuner tries lengths of chunks: those that read halos come last. */
static void chunks_of_a_length_asked_for_step_the_own_planes_of_a_part(void **)
{
    struct random r = random_cases("lengths in parts");
    for (int i = 0; i < case_count(BOXES / 4); i++) {
        laid l = {};
        struct error e;
        struct temporal_state asked = {};
        const struct tile_kernel *k = nullptr;
        const int nz = (int)random_between(&r, 20, 60), depth = 3;
        asked.tile_chunk = (int)random_between(&r, 4, 20);
        assert_int_equal(scene_box(&l.s, random_between(&r, 40, 200), random_between(&r, 40, 200), (size_t)nz,
                                   i % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE, &e),
                         0);
        scene_use_corners(&l.s);
        l.state.problem = &l.s.problem;
        assert_int_equal(scene_voxels(&l.s, &e), 0);
        assert_int_equal(rows_make(&l.state.rows, &l.s.problem, &e), 0);
        assert_int_equal(layout_make(&l.state.layout, &l.state.rows, &l.s.problem, &e), 0);
        const int planes = (int)l.state.layout.points[2], first = depth, end = planes - depth;
        l.s.problem.counted[0] = (size_t)first;
        l.s.problem.counted[1] = (size_t)end;
        k = tile_kernels(&l.s.problem);
        assert_int_equal(k->steps, depth);
        const tile_cut cut = tile_cut_best(&asked, &l.state, k);
        const std::vector<int> stepped = count_steps(cut, &l.state.layout, asked.tile_chunk);
        const size_t plane = l.state.layout.points[0] * l.state.layout.points[1];
        for (size_t at = 0; at < stepped.size(); at++)
            assert_int_equal(stepped[at], (int)(at / plane) >= first && (int)(at / plane) < end ? 1 : 0);
        for (size_t c = 0; c < cut.chunks.size(); c++)
            assert_int_equal(c < cut.far_chunks, cut.chunks[c].z0 - depth >= first && cut.chunks[c].z1 + depth <= end);
        drop(&l);
    }
}

/* As clusters are on an H200, on a machine without a GPU, too. */
static int clusters_at_once(int cluster, size_t)
{
    static const int counts[] = {0, 132, 66, 39, 30, 24, 20, 16, 15};
    return counts[cluster];
}

static size_t no_bytes(int, size_t)
{
    return 0;
}

static bool is_uneven(const tile_cut &cut)
{
    int least = cut.chunk;
    for (const tile_chunk &one : cut.chunks)
        least = std::min(least, one.z1 - one.z0);
    return least < cut.chunk / 2;
}

/* Boxes of some millions of points, for which lists are searched for; whole, and between two neighbours. */
static void chunks_of_any_length_step_all_planes_of_clusters_once(void **)
{
    struct random r = random_cases("lists of clusters");
    int uneven = 0;
    for (int i = 0; i < case_count(12); i++) {
        laid l = {};
        struct error e;
        const size_t nz = random_between(&r, 60, 90), halo = i % 2 ? 5 : 0;
        assert_int_equal(
            scene_box(&l.s, random_between(&r, 300, 520), random_between(&r, 300, 520), nz, PRECISION_SINGLE, &e), 0);
        l.state.problem = &l.s.problem;
        assert_int_equal(scene_voxels(&l.s, &e), 0);
        assert_int_equal(rows_make(&l.state.rows, &l.s.problem, &e), 0);
        assert_int_equal(layout_make(&l.state.layout, &l.state.rows, &l.s.problem, &e), 0);
        l.s.problem.counted[0] = halo;
        l.s.problem.counted[1] = nz - halo;
        tile_kernel k = *tile_kernels(&l.s.problem);
        assert_true(k.halo_columns > 0);
        k.at_once = clusters_at_once;
        k.bytes = no_bytes;
        const struct temporal_state any = {};
        const tile_cut cut = tile_cut_best(&any, &l.state, &k);
        const struct layout *layout = &l.state.layout;
        if (cut.chunks.empty())
            assert_int_equal(halo, 0);
        else {
            const std::vector<int> stepped = count_steps(cut, layout, cut.chunk);
            const size_t plane = layout->points[0] * layout->points[1];
            for (size_t z = 0; z < nz; z++)
                for (size_t at = z * plane; at < (z + 1) * plane; at++)
                    assert_int_equal(stepped[at], z >= halo && z < nz - halo ? 1 : 0);
        }
        uneven += is_uneven(cut);
        drop(&l);
    }
    assert_true(uneven > 0 || under_sanitizers()); /* with fewer cases */
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_air_is_in_one_chunk_and_most_of_the_rest_in_none),
        cmocka_unit_test(a_room_full_of_air_has_no_list_of_equal_chunks),
        cmocka_unit_test(a_part_without_air_of_its_own_has_chunks),
        cmocka_unit_test(chunks_of_a_length_asked_for_step_the_own_planes_of_a_part),
        cmocka_unit_test(chunks_of_any_length_step_all_planes_of_clusters_once),
        cmocka_unit_test(each_point_is_written_by_one_tile_within_its_halo),
        cmocka_unit_test(each_corner_is_written_by_one_tile_within_its_halo),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
