/* SPDX-License-Identifier: MIT */
/* How the CPU engine lays out rows for its kernels (solver/cpu/corner_columns.h, solver/cpu/branch_layout.h): random rooms, every
 * point of air and every wall with branches once, with its sides and its kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "solver/cpu/branch_layout.h"
#include "solver/cpu/corner_columns.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { ROOMS = 200, LONGEST = 40, KIND_NONE = 65535 };

static void make_rows(struct scene *s, struct rows *rows, bool corners, struct random *random)
{
    struct error e;
    const enum precision precision = random_between(random, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    assert_int_equal(scene_random(s, LONGEST, precision, random, &e), 0);
    if (corners)
        scene_use_corners(s);
    assert_int_equal(scene_voxels(s, &e), 0);
    assert_int_equal(rows_make(rows, &s->problem, &e), 0);
}

/* Patterns of the points, 0: none. [rows][nx] */
static uint8_t *list_patterns(const struct rows *rows)
{
    uint8_t *patterns = calloc(rows->count * rows->nx, 1);
    assert_non_null(patterns);
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
            for (size_t k = 0; k < rows->runs[r].length; k++)
                patterns[row * rows->nx + rows->runs[r].start + k] = rows->runs[r].links;
    return patterns;
}

/* Takes the points of a vector off the patterns. */
static void take_vector(uint8_t *row, size_t nx, const struct corner_lanes *v, size_t first, size_t lanes)
{
    for (size_t k = 0; k < lanes; k++) {
        const unsigned bit = 1u << k;
        if (!(v->write & bit)) {
            assert_false((v->no_left | v->no_right) & bit);
            continue;
        }
        assert_true(first + k < nx);
        const unsigned pattern = row[first + k];
        assert_true(corner_mirrors(pattern));
        assert_int_equal(corner_sides(pattern, 0),
                         (v->no_left & bit ? 0u : SIDE_LOWER) | (v->no_right & bit ? 0u : SIDE_UPPER));
        assert_int_equal(corner_sides(pattern, 1), v->sides_y);
        assert_int_equal(corner_sides(pattern, 2), v->sides_z);
        row[first + k] = 0;
    }
}

static void check_alike(const struct corner_columns *c, const struct rows *rows, size_t row)
{
    for (size_t next = row + 1; next <= row + c->rows[row].alike; next++) {
        assert_true(next % rows->ny != 0);
        for (size_t v = 0; v < c->vectors; v++) {
            const struct corner_lanes *a = corner_lanes_of(c, next - 1) + v, *b = corner_lanes_of(c, next) + v;
            assert_true(a->write == b->write && a->no_left == b->no_left && a->no_right == b->no_right);
            assert_true(!a->write || (a->sides_z == b->sides_z && a->sides_y & SIDE_UPPER && b->sides_y & SIDE_LOWER));
        }
    }
}

static void every_point_is_in_one_vector_or_odd(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    uint64_t odd = 0, alike = 0;
    for (int room = 0; room < ROOMS; room++) {
        struct scene s;
        struct rows rows;
        struct corner_columns c;
        make_rows(&s, &rows, true, &random);
        const size_t lanes = (size_t)2 << random_between(&random, 0, 3);
        uint8_t *patterns = list_patterns(&rows);
        assert_int_equal(corner_columns_make(&c, &rows, lanes), 0);
        for (size_t row = 0; row < rows.count; row++) {
            uint8_t *here = patterns + row * rows.nx;
            for (size_t v = 0; v < c.vectors; v++)
                take_vector(here, rows.nx, corner_lanes_of(&c, row) + v, v * lanes, lanes);
            for (uint64_t i = c.odd_start[2 * row]; i < c.odd_start[2 * row + 2]; i++, odd++) {
                const struct odd_point at = c.odd[i];
                assert_true(at.pattern && corner_mirrors(at.pattern) == (i < c.odd_start[2 * row + 1]));
                assert_int_equal(here[at.x], at.pattern);
                here[at.x] = 0;
            }
            for (size_t next = row; next < row + c.rows[row].even && next < rows.count; next++)
                assert_true(c.odd_start[2 * next] == c.odd_start[2 * next + 2]);
            check_alike(&c, &rows, row);
            alike += c.rows[row].alike;
        }
        for (size_t i = 0; i < rows.count * rows.nx; i++)
            assert_int_equal(patterns[i], 0);
        free(patterns);
        corner_columns_free(&c);
        rows_free(&rows);
        scene_free(&s);
    }
    assert_true(odd > 1000 && alike > 1000);
}

struct marks {
    const struct rows *rows;
    uint16_t *kinds; /* [rows][nx] */
};

static void mark_span(void *context, const struct branch_span *span)
{
    const struct marks *m = context;
    const struct branch_segment *s = span->segment;
    for (size_t i = 0; i < span->count; i++)
        m->kinds[(span->row + (s->along_y ? i : 0)) * m->rows->nx + s->x + (s->along_y ? 0 : i)] = s->kind;
}

static void take_point(uint16_t *kinds, size_t at, uint32_t kind)
{
    assert_int_equal(kinds[at], kind);
    kinds[at] = KIND_NONE;
}

/* The next states are those of `values` points of a kind, with their branches. */
static void take_states(uint64_t *next, uint64_t states, const struct branch_kind *kind, size_t values, size_t line)
{
    assert_true(states >= *next && states < *next + line);
    *next = states + 2 * (uint64_t)kind->count * values;
}

static void every_wall_with_branches_is_in_one_line_or_strip(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    uint64_t points = 0, packed_points = 0, strips = 0, apart = 0; /* strips if no segments shared them */
    for (int room = 0; room < ROOMS; room++) {
        struct scene s;
        struct rows rows;
        struct branch_layout l;
        make_rows(&s, &rows, random_between(&random, 0, 1) != 0, &random);
        const size_t line = branch_line_points(s.problem.precision), strip = branch_strip_points(s.problem.precision);
        struct marks marks = {&rows, malloc((rows.count * rows.nx + 1) * sizeof *marks.kinds)};
        assert_non_null(marks.kinds);
        for (size_t i = 0; i < rows.count * rows.nx; i++)
            marks.kinds[i] = KIND_NONE;
        for (size_t z = 0; z < rows.nz; z++)
            branches_visit(&rows.branches, rows.ny, z * rows.ny, (z + 1) * rows.ny, mark_span, &marks);
        assert_int_equal(branch_layout_make(&l, &rows, s.problem.precision), 0);
        uint64_t next = 0;
        size_t kept = 0;
        for (size_t row = 0; row < rows.count; row++) {
            kept = row % rows.ny ? kept : 0;
            for (uint64_t i = l.run_start[row]; i < l.run_start[row + 1]; i++) {
                const struct branch_run *run = &l.runs[i];
                const size_t values = branch_run_lines(run, line) * line;
                assert_int_equal(run->states % line, 0);
                take_states(&next, run->states, &rows.branches.kinds[run->kind], values, line);
                kept += values;
                for (size_t x = run->from; x < run->end; x++, points++)
                    take_point(marks.kinds, row * rows.nx + x, run->kind);
            }
            for (uint64_t i = l.strip_start[row]; i < l.strip_start[row + 1]; i++) {
                const struct branch_strip *packed = &l.strips[i];
                take_states(&next, packed->states, &rows.branches.kinds[packed->kind], strip, line);
                kept += strip;
                strips++;
                assert_true(packed->count > 0 && packed->count <= strip && packed->rows[0] == 0);
                for (size_t k = 0; k < strip; k++) {
                    const size_t lane = k < packed->count ? k : packed->count - 1u, rows_on = packed->rows[lane];
                    assert_true(rows_on < STRIP_ROWS && (k == 0 || packed->rows[k - 1] <= packed->rows[k]));
                    assert_true(packed->at[k] == packed->at[lane] && packed->rows[k] == rows_on);
                    if (k >= packed->count)
                        continue;
                    assert_true(row % rows.ny + rows_on < rows.ny);
                    take_point(marks.kinds, (row + rows_on) * rows.nx + packed->at[k] - rows_on * rows.stride,
                               packed->kind);
                    packed_points++;
                }
            }
            assert_true(kept <= l.kept_max);
        }
        for (uint64_t i = 0; i < rows.branches.segment_count; i++)
            apart += rows.branches.segments[i].along_y ? (rows.branches.segments[i].length + strip - 1) / strip : 0;
        assert_true(next <= l.state_count && l.kept_max % line == 0);
        for (size_t i = 0; i < rows.count * rows.nx; i++)
            assert_int_equal(marks.kinds[i], KIND_NONE);
        free(marks.kinds);
        branch_layout_free(&l);
        rows_free(&rows);
        scene_free(&s);
    }
    assert_true(points > 5000 && packed_points > 5000);
    assert_true(10 * strips < 9 * apart); /* segments of one kind share their strips, which of them by the room drawn */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_is_in_one_vector_or_odd),
                                       cmocka_unit_test(every_wall_with_branches_is_in_one_line_or_strip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
