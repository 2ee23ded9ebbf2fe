/* SPDX-License-Identifier: MIT */
/* Levels of the boundary region (cuda/temporal/region_levels.cuh), by which values of a line of points, or of a plane
 * of a part of a grid, are right: the levels correct what a temporal block has computed wrong, and none of them is
 * stepped further than it has to be. */
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

/* A part of a plane: lines of points, of which the first STEPS are a halo. Of what lies before it nothing is known, so
 * that level t is right from line t on. A block writes no halo. */
struct part_of_plane {
    int steps, lines, width, wrong; /* wrong: the line of the wrong point, in its middle */
    bool diagonals;                 /* links across them, too: the 19-point stencil */

    part_of_plane(int steps_, int wrong_, bool diagonals_)
        : steps(steps_), lines(5 * steps_), width(8 * steps_), wrong(wrong_), diagonals(diagonals_)
    {
    }

    size_t at(int line, int i) const
    {
        return (size_t)(line * width + i);
    }

    int links(int line, int i) const
    {
        const int along = abs(line - wrong), across = abs(i - width / 2);
        return diagonals ? std::max(along, across) : along + across;
    }

    level written_by_block(int reach) const
    {
        level out((size_t)(lines * width), false);
        for (int line = steps; line < lines; line++)
            for (int i = 0; i < width; i++)
                out[at(line, i)] = links(line, i) > reach;
        return out;
    }

    /* Of what lies beyond the last line and at the sides all is right. */
    bool is_right(const level &of, int line, int i) const
    {
        return i < 0 || i >= width || line >= lines || of[at(line, i)];
    }

    bool is_right_around(const level &of, int line, int i) const
    {
        bool right = true;
        for (int l = -1; l <= 1; l++)
            for (int k = -1; k <= 1; k++)
                right = right && ((l && k && !diagonals) || is_right(of, line + l, i + k));
        return right;
    }

    void step(level &out, const level &now, const level &before, int t, int beside) const
    {
        for (int line = 1; line < lines; line++)
            for (int i = 0; i < width; i++) {
                const int reach = line < steps + beside ? level_reach_at_halo(t, steps) : level_reach(t, steps);
                if (links(line, i) <= reach)
                    out[at(line, i)] = is_right_around(now, line, i) && before[at(line, i)];
            }
    }

    /* Whether p^T and p^{T-1} are right in all own lines; level `shorter` is stepped further in a line less. */
    bool levels_correct(int shorter) const
    {
        const level all((size_t)(lines * width), true), none((size_t)(lines * width), false);
        level before = all, now = all;
        for (int t = 1; t <= steps; t++) {
            level out = t < steps - 1 ? none : written_by_block(t - 1);
            step(out, now, before, t, level_planes_beside_halo(t, steps) - (t == shorter));
            before = now;
            now = out;
        }
        for (int line = steps; line < lines; line++)
            for (int i = 0; i < width; i++)
                if (!now[at(line, i)] || !before[at(line, i)])
                    return false;
        return true;
    }
};

/* Wherever the wrong point is: at any line of the halo but the first, or beside it. */
static bool part_is_correct(int steps, int shorter, bool diagonals)
{
    bool correct = true;
    for (int wrong = 1; wrong < 4 * steps; wrong++)
        correct = correct && part_of_plane(steps, wrong, diagonals).levels_correct(shorter);
    return correct;
}

static void levels_of_a_part_do_not_need_what_a_block_leaves_unwritten(void **)
{
    for (int steps = DEPTH_MIN; steps <= DEPTH_MAX; steps++)
        for (bool diagonals : {false, true})
            assert_true(part_is_correct(steps, 0, diagonals));
}

static void no_plane_beside_a_halo_is_stepped_further_without_need(void **)
{
    for (int steps = DEPTH_MIN; steps <= DEPTH_MAX; steps++)
        for (int t = 1; t < steps; t++) /* the last one reaches as far everywhere */
            assert_false(part_is_correct(steps, t, true));
}

/* One of 2^33 points: vectors are numbered in 32 bits, and points in 40. */
static void levels_number_the_points_of_large_grids(void **)
{
    struct problem p = {};
    struct rows rows = {};
    struct layout l = {};
    l.pitch = l.points[0] = l.points[1] = 4096;
    l.points[2] = 512;
    assert_false(region_levels_possible(&p, &l, &rows)); /* nothing is irregular */
    l.irregular_count = 1;
    p.precision = PRECISION_SINGLE;
    assert_true(region_levels_possible(&p, &l, &rows));
    p.precision = PRECISION_DOUBLE;
    assert_false(region_levels_possible(&p, &l, &rows));
    l.points[2]--;
    assert_true(region_levels_possible(&p, &l, &rows));
    const uint64_t last = ((uint64_t)1 << 34) - 4;
    const unsigned kind = KIND_CODE | 63u << KIND_IN_GRID | KIND_DRIVEN;
    level_entry entry = {};
    entry.at = last;
    entry.kind = kind;
    assert_true(entry.at == last && entry.kind == kind);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_correct_what_a_block_got_wrong),
        cmocka_unit_test(no_level_is_stepped_further_than_it_has_to_be),
        cmocka_unit_test(levels_of_a_part_do_not_need_what_a_block_leaves_unwritten),
        cmocka_unit_test(no_plane_beside_a_halo_is_stepped_further_without_need),
        cmocka_unit_test(levels_number_the_points_of_large_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
