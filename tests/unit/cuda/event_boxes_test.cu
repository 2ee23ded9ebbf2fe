/* SPDX-License-Identifier: MIT */
/* Boxes around sources and receivers of temporal blocks (cuda/temporal/event_boxes.cu). */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <setjmp.h>
#include <vector>

extern "C" {
#include "support/random_cases.h"
#include "validate/scene/scene.h"
}
#include "cuda/engine/state.cuh"
#include "cuda/temporal/event_boxes.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_cut.cuh"

extern "C" {
#include <cmocka.h>
}

enum { ROOMS = 80, LONGEST = 150 };

/* Points of a few stencils of up to 7 points along each axis, ascending. */
static std::vector<uint64_t> points_of_stencils(struct random *r, const size_t n[3], size_t stencils)
{
    std::vector<bool> in(n[0] * n[1] * n[2], false);
    for (size_t i = 0; i < stencils; i++) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 1);
            to[axis] = from[axis] + random_between(r, 1, 7) < n[axis] ? from[axis] + random_between(r, 1, 7) : n[axis];
            to[axis] = to[axis] < n[axis] ? to[axis] : n[axis];
        }
        for (size_t z = from[2]; z < to[2]; z++)
            for (size_t y = from[1]; y < to[1]; y++)
                for (size_t x = from[0]; x < to[0]; x++)
                    in[(z * n[1] + y) * n[0] + x] = true;
    }
    std::vector<uint64_t> points;
    for (size_t i = 0; i < in.size(); i++)
        if (in[i])
            points.push_back(i);
    return points;
}

/* Distance of a point to low .. high - 1, along the axis where it is largest. */
static int distance(const event_box &b, const int at[3])
{
    int out = 0;
    for (int axis = 0; axis < 3; axis++) {
        out = b.low[axis] - at[axis] > out ? b.low[axis] - at[axis] : out;
        out = at[axis] - b.high[axis] + 1 > out ? at[axis] - b.high[axis] + 1 : out;
    }
    return out;
}

static int times_listed(const event_boxes_plan &plan, const event_box &b, bool tap, uint32_t first)
{
    int times = 0;
    for (uint32_t i = 0; i < b.event_count; i++) {
        const tile_event &e = plan.events[b.first_event + i].event;
        times += e.tap == tap && e.first == first;
    }
    return times;
}

/* Each tap in one box that records it, each drive and what it reaches in a driven box, each drive in every box whose
 * results depend on it. */
static void check_points(const event_boxes_plan &plan, const cuda_state &s, int steps)
{
    const size_t *n = s.layout.points;
    for (int tap = 0; tap < 2; tap++) {
        const std::vector<uint64_t> &points = tap ? s.tap_history->points : s.drive_at;
        for (size_t i = 0; i < points.size(); i++) {
            const int at[3] = {(int)(points[i] % n[0]), (int)(points[i] / n[0] % n[1]), (int)(points[i] / n[0] / n[1])};
            int recorded = 0, reached = 0;
            for (size_t k = 0; k < plan.boxes.size(); k++) {
                const event_box &b = plan.boxes[k];
                const int away = distance(b, at), listed = times_listed(plan, b, tap, (uint32_t)i);
                assert_int_equal(b.driven != 0, k >= plan.first_driven);
                assert_true(listed <= 1);
                recorded += tap && listed;
                assert_true(tap || away >= steps || listed);
                assert_true(!listed || away <= steps);
                bool inside = true;
                for (int axis = 0; axis < 3; axis++)
                    inside = inside && at[axis] - b.low[axis] >= (at[axis] < steps ? at[axis] : steps - 1) &&
                             (b.high[axis] == (int)n[axis] || b.high[axis] - 1 - at[axis] >= steps - 1);
                reached += !tap && b.driven && inside;
            }
            assert_true(tap ? recorded >= 1 : reached >= 1);
        }
    }
}

static void check_boxes(const event_boxes_plan &plan, const cuda_state &s, const struct tile_kernel *k,
                        const tile_cut &cut, int chunk)
{
    const size_t real = precision_bytes(s.problem->precision);
    size_t largest = 0;
    for (const event_box &b : plan.boxes) {
        size_t values = 1;
        unsigned tiles = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int n = (int)s.layout.points[axis], end = b.from[axis] + b.size[axis];
            assert_true(b.low[axis] < b.high[axis]);
            assert_true(b.from[axis] == (b.low[axis] > k->steps ? b.low[axis] - k->steps : 0));
            assert_true(end == (b.high[axis] + k->steps < n ? b.high[axis] + k->steps : n));
            values *= (size_t)b.size[axis] + 2;
        }
        assert_true(2 * values * real <= event_boxes_bytes_max(k, chunk));
        largest = values > largest ? values : largest;
        for (const tile_column &c : cut.columns)
            for (int z = 0; z < (int)s.layout.points[2]; z += chunk)
                tiles += c.x0 < b.high[0] && c.x1 > b.low[0] && c.y0 < b.high[1] && c.y1 > b.low[1] && z < b.high[2] &&
                         z + chunk > b.low[2];
        assert_int_equal(b.tiles, b.driven ? tiles : 0);
    }
    assert_true(plan.values == largest);
}

/* A kernel without clusters, whose tiles can be cut where no GPU says how many clusters it takes. */
static const struct tile_kernel *kernel_without_clusters(const struct problem *p, struct random *r)
{
    std::vector<const struct tile_kernel *> found;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        if (!k->halo_columns)
            found.push_back(k);
    return found[random_between(r, 0, found.size() - 1)];
}

static void boxes_hold_what_sources_and_receivers_need(void **)
{
    struct random r = random_cases("rooms");
    int used[2] = {0, 0}; /* by stencil */
    for (int i = 0; i < case_count(ROOMS); i++) {
        struct error e;
        scene scene;
        cuda_state s = {};
        tap_history history = {};
        const struct temporal_state any = {};
        const enum precision precision = random_between(&r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
        assert_int_equal(scene_box(&scene, random_between(&r, 8, LONGEST), random_between(&r, 8, LONGEST),
                                   random_between(&r, 8, 60), precision, &e),
                         0);
        const bool corners = random_between(&r, 0, 1);
        if (corners)
            scene_use_corners(&scene);
        s.problem = &scene.problem;
        assert_int_equal(scene_voxels(&scene, &e), 0);
        assert_int_equal(rows_make(&s.rows, &scene.problem, &e), 0);
        assert_int_equal(layout_make(&s.layout, &s.rows, &scene.problem, &e), 0);
        history.points = points_of_stencils(&r, s.layout.points, random_between(&r, 0, 5));
        s.drive_at = points_of_stencils(&r, s.layout.points, random_between(&r, 0, 2));
        for (size_t point = 0; point < s.drive_at.size(); point++)
            s.drive_points.push_back({s.drive_at[point], 0, (uint32_t)point, (uint32_t)point + 1, 1.0});
        s.tap_history = &history;
        const struct tile_kernel *k = kernel_without_clusters(&scene.problem, &r);
        tile_cut cut = tile_cut_best(&any, &s, k);
        const int chunk = cut.chunk = (int)random_between(&r, 4, 40);
        cut.chunks.clear(); /* all of them */
        event_boxes_plan plan;
        const size_t idle = random_between(&r, 0, 12);
        event_boxes_make(&plan, &s, k, cut, idle);
        assert_true(plan.blocks <= plan.boxes.size() && plan.blocks <= idle);
        if (plan.blocks) {
            used[corners]++;
            check_points(plan, s, k->steps);
            check_boxes(plan, s, k, cut, chunk);
        }
        layout_free(&s.layout);
        rows_free(&s.rows);
        scene_free(&scene);
    }
    assert_true(used[0] > 0 && used[1] > 0);
}

/* With up to 196 KB of shared memory, of which a thread block takes 1 KB besides, the first-level cache has 60 KB of
 * 256, with more 28. */
static void tiles_without_events_leave_their_first_level_cache_as_large_however_long_their_chunks_are(void **)
{
    for (const struct tile_kernel *k = tile19_kernels_single; k->steps; k++)
        for (int planes = 1; planes < 4096; planes *= 2)
            assert_in_range(k->bytes(planes, 0), 1, (196 - 1) * 1024);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_what_sources_and_receivers_need),
        cmocka_unit_test(tiles_without_events_leave_their_first_level_cache_as_large_however_long_their_chunks_are),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
