/* SPDX-License-Identifier: MIT */
/* Levels of the boundary region (cuda/temporal/region_levels.cuh), by which values of a line of points are right: the
 * levels correct what a temporal block has computed wrong, and none of them is stepped further than it has to be. */
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <setjmp.h>
#include <vector>

#include "cuda/temporal/region_levels.cuh"

extern "C" {
#include <cmocka.h>
}

enum { POINTS = 60, WRONG = 20 /* what a temporal block takes for another point */, DEPTH_MIN = 3, DEPTH_MAX = 6 };

/* [point]: the value is right. */
typedef std::vector<bool> level;

static int links_from_wrong(int x)
{
    return x < WRONG ? WRONG - x : x - WRONG;
}

/* p^{t+1} where it is stepped within `reach` links: right where p^t around it and p^{t-1} are. */
static void step_level(level &next, const level &now, const level &before, int reach)
{
    const level old = before; /* `next` may be `before` */
    for (int x = 1; x + 1 < POINTS; x++)
        if (links_from_wrong(x) <= reach)
            next[(size_t)x] = now[(size_t)x - 1] && now[(size_t)x] && now[(size_t)x + 1] && old[(size_t)x];
}

/* Whether all of p^T and p^{T-1} is right; level `shorter` is stepped a link less. */
static bool levels_correct(int steps, int shorter)
{
    level first(POINTS, true), before(POINTS, true), next(POINTS), next_before(POINTS);
    for (int x = 0; x < POINTS; x++) { /* as the block has written them */
        next[(size_t)x] = links_from_wrong(x) > steps - 1;
        next_before[(size_t)x] = links_from_wrong(x) > steps - 2;
    }
    const auto of = [&](int t) -> level & {
        return t == steps ? next : t == steps - 1 ? next_before : t % 2 ? before : first;
    };
    for (int t = 1; t <= steps; t++) {
        const int reach = level_reach(t, steps) - (t == shorter);
        if (t < steps - 1) /* in place: what is not stepped is of an older level, and wrong as p^t */
            for (int x = 0; x < POINTS; x++)
                of(t)[(size_t)x] = of(t)[(size_t)x] && links_from_wrong(x) <= reach;
        step_level(of(t), of(t - 1), of(t - 2), reach);
    }
    bool right = true;
    for (int x = 2 * steps; x < POINTS - 2 * steps; x++)
        right = right && next[(size_t)x] && next_before[(size_t)x];
    return right;
}

static void levels_correct_what_a_block_got_wrong(void **)
{
    for (int steps = DEPTH_MIN; steps <= DEPTH_MAX; steps++)
        assert_true(levels_correct(steps, 0));
}

static void no_level_is_stepped_further_than_it_has_to_be(void **)
{
    for (int steps = DEPTH_MIN; steps <= DEPTH_MAX; steps++)
        for (int t = 1; t <= steps; t++)
            assert_false(levels_correct(steps, t));
}

/* Whether all of p^T and p^{T-1} is right in a part's own points, from HALO on; a block writes nothing before them. What
 * lies before the halo is not known: level t is right from t points on. */
static bool part_is_correct(int steps, int wrong, bool further)
{
    const int halo = steps;
    std::vector<level> levels(2 * (size_t)steps + 2, level(POINTS, true)); /* [t + 1] */
    const auto links = [&](int x) { return x < wrong ? wrong - x : x - wrong; };
    level next_before(POINTS, false), next(POINTS, false);
    for (int x = halo; x < POINTS; x++) {
        next[(size_t)x] = links(x) > steps - 1;
        next_before[(size_t)x] = links(x) > steps - 2;
    }
    for (int t = 1; t <= steps; t++) {
        const level &before = levels[(size_t)t - 1], &now = t == steps ? levels[(size_t)steps] : levels[(size_t)t];
        level out = t == steps ? next : t == steps - 1 ? next_before : level(POINTS, false);
        for (int x = 1; x + 1 < POINTS; x++) {
            const bool near = further && x < halo + level_planes_beside_halo(t, steps);
            if (links(x) <= (near ? level_reach_at_halo(t, steps) : level_reach(t, steps)))
                out[(size_t)x] = now[(size_t)x - 1] && now[(size_t)x] && now[(size_t)x + 1] && before[(size_t)x];
        }
        levels[(size_t)t + 1] = out;
    }
    bool right = true;
    for (int x = halo; x < POINTS - 2 * steps; x++)
        right = right && levels[(size_t)steps][(size_t)x] && levels[(size_t)steps + 1][(size_t)x];
    return right;
}

static void levels_of_a_part_do_not_need_what_a_block_leaves_unwritten(void **)
{
    for (int steps = DEPTH_MIN; steps <= DEPTH_MAX; steps++) {
        bool all = true;
        for (int wrong = 0; wrong < POINTS / 2; wrong++) {
            assert_true(part_is_correct(steps, wrong, true));
            all = all && part_is_correct(steps, wrong, false);
        }
        assert_false(all);
    }
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_correct_what_a_block_got_wrong),
        cmocka_unit_test(no_level_is_stepped_further_than_it_has_to_be),
        cmocka_unit_test(levels_of_a_part_do_not_need_what_a_block_leaves_unwritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
