/* The bricks around walls with branches (cuda/bricks_plan.cu), which are laid on the host: in random rooms every point with branches is kept by
 * one brick, everything that a pass makes wrong is written by one, and no brick is more than its kernel can hold. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <setjmp.h>
#include <map>
#include <vector>

extern "C" {
#include "base/random.h"
#include "validate/scene.h"
}
#include "bricks_plan.cuh"
#include "state.cuh"

extern "C" {
#include <cmocka.h>
}

enum { ROOMS = 60, MOST = 70 };

/* A scene as the engine sees it. */
struct laid {
    scene s;
    cuda_state state;
};

static void lay_out(laid *l)
{
    struct error e;
    l->state.problem = &l->s.problem;
    assert_int_equal(rows_make(&l->state.rows, &l->s.problem, &e), 0);
    assert_int_equal(layout_make(&l->state.layout, &l->state.rows, &l->s.problem, &e), 0);
}

static void drop(laid *l)
{
    layout_free(&l->state.layout);
    rows_free(&l->state.rows);
    scene_free(&l->s);
}

/* How many bricks write a point, and how many keep its states. */
static void check_cover(const laid &l, const brick_cover &cover, int steps)
{
    const size_t *n = l.s.problem.points;
    std::vector<int> written(n[0] * n[1] * n[2], 0);
    std::map<uint64_t, int> kept; /* by pair */
    for (const brick &b : cover.bricks) {
        assert_true((size_t)b.size[0] * b.size[1] * b.size[2] <= BRICK_POINTS);
        assert_true((size_t)(b.size[0] + 2) * (b.size[1] + 2) * (b.size[2] + 2) <= BRICK_VALUES);
        assert_true(b.wall_count <= BRICK_THREADS);
        for (int axis = 0; axis < 3; axis++) { /* a margin, but at the edges of the grid */
            assert_true(b.from[axis] == 0 || b.low[axis] - b.from[axis] == steps);
            assert_true(b.from[axis] + b.size[axis] == (int)n[axis] || b.from[axis] + b.size[axis] - b.high[axis] == steps);
        }
        for (int z = b.low[2]; z < b.high[2]; z++)
            for (int y = b.low[1]; y < b.high[1]; y++)
                for (int x = b.low[0]; x < b.high[0]; x++)
                    written[((size_t)z * n[1] + y) * n[0] + x]++;
        for (uint32_t i = b.first_wall; i < b.first_wall + b.wall_count; i++)
            kept[cover.walls[i].pair] += cover.walls[i].reach == 0;
    }
    const size_t pitch = l.state.layout.pitch;
    for (const branch_place &place : branches_places(&l.state.rows, pitch)) {
        const int at[3] = {(int)(place.at % pitch), (int)(place.at / pitch % n[1]), (int)(place.at / pitch / n[1])};
        assert_int_equal(kept[place.pair], 1);
        for (int axis = 0; axis < 3; axis++)
            for (int far = 1 - steps; far < steps; far++) { /* along the axes the shell is deepest */
                int to[3] = {at[0], at[1], at[2]};
                to[axis] += far;
                if (to[axis] >= 0 && to[axis] < (int)n[axis])
                    assert_int_equal(written[((size_t)to[2] * n[1] + to[1]) * n[0] + to[0]], 1);
            }
    }
}

static void bricks_cover_what_a_pass_makes_wrong_around_random_walls(void **)
{
    struct random r = {(uint64_t)time(NULL)};
    size_t bricks = 0;
    print_message("seed %llu\n", (unsigned long long)r.state);
    for (int room = 0; room < ROOMS; room++) {
        laid l = {};
        struct error e;
        assert_int_equal(scene_random(&l.s, random_between(&r, 4, MOST), room % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE, &r, &e), 0);
        lay_out(&l);
        for (int steps = 3; steps <= 5; steps++) {
            const brick_cover cover = bricks_cover(&l.state, steps);
            bricks += cover.bricks.size();
            if (cover.fits)
                check_cover(l, cover, steps);
        }
        drop(&l);
    }
    assert_true(bricks > ROOMS);
}

/* Nearly every point at a wall: five steps would need more in a brick than it can take. */
static void what_no_brick_can_take_is_said(void **)
{
    laid l = {};
    struct error e;
    struct random r = {1};
    assert_int_equal(scene_box(&l.s, 40, 40, 40, PRECISION_SINGLE, &e), 0);
    scene_random_branches(&l.s, 0, 1, &r);
    for (size_t i = 0; i < 40 * 40 * 40; i++)
        if ((i % 40 + 2 * (i / 40 % 40) + 3 * (i / 1600)) % 7 == 0)
            l.s.cells[i] = CELL_SOLID;
    lay_out(&l);
    assert_false(bricks_cover(&l.state, 5).fits);
    const brick_cover four = bricks_cover(&l.state, 4);
    assert_true(four.fits);
    check_cover(l, four, 4);
    drop(&l);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bricks_cover_what_a_pass_makes_wrong_around_random_walls),
        cmocka_unit_test(what_no_brick_can_take_is_said),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
