/* SPDX-License-Identifier: MIT */
/* Sets of points (cuda/grid/point_set.cuh) against a table of all points, in grids of any width. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <setjmp.h>
#include <vector>

extern "C" {
#include "base/random.h"
}
#include "cuda/grid/point_set.cuh"

extern "C" {
#include <cmocka.h>
}

enum { GRIDS = 200, LONGEST = 200, WIDEST = 8 };

struct table {
    size_t n[3];
    std::vector<char> in;

    char &at(size_t x, size_t y, size_t z)
    {
        return in[(z * n[1] + y) * n[0] + x];
    }
};

/* Draws few or many points, into both. */
static point_set draw(table &t, struct random *r)
{
    for (size_t &n : t.n)
        n = random_between(r, 1, &n == t.n ? LONGEST : WIDEST);
    t.in.assign(t.n[0] * t.n[1] * t.n[2], 0);
    point_set set(t.n);
    for (size_t count = random_between(r, 0, 30); count-- > 0;) {
        const size_t x = random_between(r, 0, t.n[0] - 1), end = random_between(r, x + 1, t.n[0]),
                     y = random_between(r, 0, t.n[1] - 1), z = random_between(r, 0, t.n[2] - 1);
        const bool in = random_between(r, 0, 3), one = random_between(r, 0, 2);
        for (size_t i = x; i < (one ? x + 1 : end); i++)
            t.at(i, y, z) = in;
        in ? set.add((int)x, (int)(one ? x + 1 : end), (int)y, (int)z)
           : set.remove((int)x, (int)(one ? x + 1 : end), (int)y, (int)z);
    }
    return set;
}

static void expect_same(table &t, const point_set &set)
{
    table seen = t;
    std::fill(seen.in.begin(), seen.in.end(), 0);
    for (size_t z = 0; z < t.n[2]; z++)
        for (size_t y = 0; y < t.n[1]; y++)
            set.each((int)y, (int)z, [&](int x) {
                assert_in_range(x, 0, (int)t.n[0] - 1); /* nothing beyond a row */
                seen.at((size_t)x, y, z) = 1;
            });
    assert_true(seen.in == t.in);
}

static struct random fresh()
{
    const struct random r = {getenv("SEED") ? strtoull(getenv("SEED"), nullptr, 10) : random_fresh_seed()};
    print_message("seed %llu\n", (unsigned long long)r.state);
    return r;
}

static void a_set_holds_what_was_added_and_not_removed(void **)
{
    struct random r = fresh();
    for (int grid = 0; grid < GRIDS; grid++) {
        table t;
        const point_set set = draw(t, &r);
        expect_same(t, set);
        const int reach_x = (int)random_between(&r, 1, t.n[0]), reach_y = (int)random_between(&r, 1, t.n[1]);
        box b = {{0, 0, 0}, {reach_x, reach_y, (int)t.n[2]}}, around = {{reach_x, reach_y, (int)t.n[2]}, {0, 0, 0}};
        for (int z = 0; z < (int)t.n[2]; z++)
            for (int y = 0; y < reach_y; y++)
                for (int x = 0; x < reach_x; x++) {
                    const int at[3] = {x, y, z};
                    assert_int_equal(set.has(x, y, z), t.at((size_t)x, (size_t)y, (size_t)z));
                    for (int axis = 0; axis < 3 && set.has(x, y, z); axis++) {
                        around.low[axis] = std::min(around.low[axis], at[axis]);
                        around.high[axis] = std::max(around.high[axis], at[axis] + 1);
                    }
                }
        assert_int_equal(set.shrink(b), around.high[0] > 0);
        assert_memory_equal(&b, &around, sizeof b);
    }
}

/* Whether two points are one link apart at most. */
static bool are_linked(int dx, int dy, int dz, bool diagonals)
{
    return abs(dx) + abs(dy) + abs(dz) <= (diagonals ? 2 : 1);
}

static void expect_widening(bool diagonals)
{
    struct random r = fresh();
    for (int grid = 0; grid < GRIDS; grid++) {
        table t;
        point_set set = draw(t, &r);
        const int reach = (int)random_between(&r, 0, 4);
        set.widen(reach, diagonals);
        for (int i = 0; i < reach; i++) {
            table before = t;
            const auto was_in = [&](int x, int y, int z) {
                return x >= 0 && y >= 0 && z >= 0 && x < (int)t.n[0] && y < (int)t.n[1] && z < (int)t.n[2] &&
                       before.at((size_t)x, (size_t)y, (size_t)z);
            };
            for (int z = 0; z < (int)t.n[2]; z++)
                for (int y = 0; y < (int)t.n[1]; y++)
                    for (int x = 0; x < (int)t.n[0]; x++)
                        for (int other = 0; other < 27; other++) {
                            const int dx = other % 3 - 1, dy = other / 3 % 3 - 1, dz = other / 9 - 1;
                            if (are_linked(dx, dy, dz, diagonals) && was_in(x + dx, y + dy, z + dz))
                                t.at((size_t)x, (size_t)y, (size_t)z) = 1;
                        }
        }
        expect_same(t, set);
    }
}

static void a_set_widens_by_links_along_the_axes(void **)
{
    expect_widening(false);
}

static void a_set_widens_by_links_across_the_diagonals_of_faces(void **)
{
    expect_widening(true);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_holds_what_was_added_and_not_removed),
        cmocka_unit_test(a_set_widens_by_links_along_the_axes),
        cmocka_unit_test(a_set_widens_by_links_across_the_diagonals_of_faces),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
