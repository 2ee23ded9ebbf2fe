/* SPDX-License-Identifier: MIT */
/* A set of voxels (geometry/voxels/voxel_set.h) against the map of bytes that it is made from, and its own rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxels/voxel_set.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { ROOMS = 200, LONGEST = 100, WIDEST = 9 };

struct map {
    size_t count[3];
    uint8_t *cells, outside[FACES];
};

/* The code at a voxel, or beyond the side of the box where it is outside; moves by -1, 0 or 1. */
static uint8_t code_beside(const struct map *m, const size_t at[3], int side)
{
    size_t to[3] = {at[0], at[1], at[2]};
    to[side / 2] += side % 2 ? 1 : (size_t)-1;
    if (to[side / 2] >= m->count[side / 2])
        return m->outside[side];
    return m->cells[(to[2] * m->count[1] + to[1]) * m->count[0] + to[0]];
}

static struct map random_map(struct random *r)
{
    struct map m = {
        .count = {random_between(r, 1, LONGEST), random_between(r, 1, WIDEST), random_between(r, 1, WIDEST)}};
    const size_t total = m.count[0] * m.count[1] * m.count[2];
    const unsigned codes = (unsigned)random_between(r, 1, 6);
    m.cells = calloc(total, 1);
    assert_non_null(m.cells);
    for (int side = 0; side < FACES; side++)
        m.outside[side] = (uint8_t)random_between(r, CELL_FIXED, CELL_CODES - 1);
    if (random_between(r, 0, 4) == 0) /* noise */
        for (size_t i = 0; i < total; i++)
            m.cells[i] = (uint8_t)random_between(r, 0, codes);
    for (size_t boxes = random_between(r, 0, 6); boxes-- > 0;) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, m.count[axis] - 1);
            to[axis] = random_between(r, from[axis] + 1, m.count[axis]);
        }
        const uint8_t code = (uint8_t)random_between(r, 0, codes);
        for (size_t z = from[2]; z < to[2]; z++)
            for (size_t y = from[1]; y < to[1]; y++)
                memset(m.cells + (z * m.count[1] + y) * m.count[0] + from[0], code, to[0] - from[0]);
    }
    return m;
}

/* How many voxels of air, and faces of them, the rows list; runs in order, within the set and joined. */
static void count_row(const struct voxel_set *v, size_t y, size_t z, uint64_t *air, uint64_t *faces)
{
    const struct voxel_row row = voxel_set_row(v, y, z);
    for (size_t i = 0; i < row.air_count; i++) {
        assert_true(row.air[i].start < row.air[i].end && row.air[i].end <= voxel_set_count(v, 0));
        assert_true(i == 0 || row.air[i - 1].end < row.air[i].start);
        *air += row.air[i].end - row.air[i].start;
    }
    for (int side = 0; side < FACES; side++)
        for (size_t i = 0; i < row.face_count[side]; i++) {
            const struct face_run *f = &row.faces[side][i], *before = f - 1;
            assert_int_equal(f->side, side);
            assert_true(f->length > 0);
            *faces += f->length;
            if (i == 0)
                continue;
            assert_true(before->start + before->length <= f->start);
            assert_false(before->start + before->length == f->start && before->code == f->code &&
                         before->area == f->area);
        }
}

static void compare(const struct map *m, const struct voxel_set *v)
{
    uint64_t air = 0, faces = 0, listed_air = 0, listed_faces = 0;
    for (size_t z = 0; z < m->count[2]; z++)
        for (size_t y = 0; y < m->count[1]; y++) {
            for (size_t x = 0; x < m->count[0]; x++) {
                const size_t at[3] = {x, y, z};
                const bool is_air = m->cells[(z * m->count[1] + y) * m->count[0] + x] == CELL_AIR;
                assert_int_equal(voxel_set_is_air(v, x, y, z), is_air);
                air += is_air;
                for (int side = 0; side < FACES; side++) {
                    const struct face_run *f = voxel_set_face(v, x, y, z, side);
                    const uint8_t beyond = code_beside(m, at, side);
                    if (!is_air || beyond == CELL_AIR) {
                        assert_null(f);
                        continue;
                    }
                    assert_non_null(f);
                    assert_int_equal(f->code, beyond);
                    assert_int_equal(f->area, FACE_AREA_UNITS);
                    faces++;
                }
            }
            count_row(v, y, z, &listed_air, &listed_faces);
        }
    assert_int_equal(voxel_set_air(v), air);
    assert_int_equal(listed_air, air);
    assert_int_equal(listed_faces, faces);
}

static void a_set_says_what_its_map_of_bytes_says(void **state)
{
    (void)state;
    struct random r = random_cases("sets of voxels");
    for (int room = 0; room < case_count(ROOMS); room++) {
        struct map m = random_map(&r);
        struct voxel_set *v;
        struct error e;
        assert_int_equal(voxel_set_of_cells(&v, m.count, m.cells, m.outside, &e), 0);
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(voxel_set_count(v, axis), m.count[axis]);
        compare(&m, v);
        voxel_set_free(v);
        free(m.cells);
    }
}

static void beyond_a_set_there_is_no_air(void **state)
{
    (void)state;
    const size_t count[3] = {3, 2, 2};
    const uint8_t cells[12] = {0}, outside[FACES] = {2, 3, 4, 5, 6, 7};
    struct voxel_set *v;
    struct error e;
    assert_int_equal(voxel_set_of_cells(&v, count, cells, outside, &e), 0);
    for (int axis = 0; axis < 3; axis++)
        for (int high = 0; high < 2; high++) {
            size_t at[3] = {0, 0, 0};
            at[axis] = high ? count[axis] : SIZE_MAX;
            assert_false(voxel_set_is_air(v, at[0], at[1], at[2]));
            for (int side = 0; side < FACES; side++)
                assert_null(voxel_set_face(v, at[0], at[1], at[2], side));
            const struct voxel_row row = voxel_set_row(v, at[1], at[2]);
            assert_int_equal(row.air_count, axis == 0 ? 1 : 0);
        }
    voxel_set_free(v);
}

static void a_set_refuses_air_beyond_its_box(void **state)
{
    (void)state;
    const size_t count[3] = {1, 1, 1};
    const uint8_t cells[1] = {0}, outside[FACES] = {2, 2, 2, CELL_AIR, 2, 2};
    struct voxel_set *v;
    struct error e;
    assert_int_not_equal(voxel_set_of_cells(&v, count, cells, outside, &e), 0);
    assert_null(v);
    assert_int_equal(e.code, ERROR_ENGINE);
}

static void runs_that_touch_are_joined(void **state)
{
    (void)state;
    const size_t count[3] = {20, 1, 1};
    const struct air_run air[] = {{0, 5}, {5, 9}, {9, 9}, {12, 20}};
    const struct face_run faces[] = {
        {.start = 0, .length = 4, .side = FACE_Y_MAX, .code = 7, .area = 32},
        {.start = 0, .length = 1, .side = FACE_X_MIN, .code = 3, .area = 20},
        {.start = 4, .length = 5, .side = FACE_Y_MAX, .code = 7, .area = 32},
        {.start = 12, .length = 3, .side = FACE_Y_MAX, .code = 7, .area = 32},
        {.start = 15, .length = 2, .side = FACE_Y_MAX, .code = 7, .area = 31},
        {.start = 17, .length = 3, .side = FACE_Y_MAX, .code = 8, .area = 31},
    };
    struct voxel_set_builder *b;
    struct error e;
    assert_int_equal(voxel_set_open(&b, count, &e), 0);
    assert_int_equal(voxel_set_append(b, air, 4, faces, 6, &e), 0);
    struct voxel_set *v = voxel_set_close(b);
    const struct voxel_row row = voxel_set_row(v, 0, 0);
    assert_int_equal(voxel_set_air(v), 17);
    assert_int_equal(row.air_count, 2);
    assert_int_equal(row.air[0].end, 9);
    assert_int_equal(row.face_count[FACE_X_MIN], 1);
    assert_int_equal(row.faces[FACE_X_MIN]->area, 20);
    assert_int_equal(row.face_count[FACE_X_MAX], 0);
    assert_int_equal(row.face_count[FACE_Y_MAX], 4); /* a gap, another area, another code */
    assert_int_equal(row.faces[FACE_Y_MAX]->length, 9);
    assert_int_equal(voxel_set_face(v, 16, 0, 0, FACE_Y_MAX)->area, 31);
    assert_null(voxel_set_face(v, 10, 0, 0, FACE_Y_MAX));
    voxel_set_free(v);
}

/* A box of 8 · 10^9 voxels, faces on all sides: rows cost their runs, and those alike are one. */
static void a_large_box_takes_little_memory(void **state)
{
    (void)state;
    enum { N = 2000 };
    const size_t count[3] = {N, N, N};
    const struct air_run air = {0, N};
    struct voxel_set_builder *b;
    struct error e;
    assert_int_equal(voxel_set_open(&b, count, &e), 0);
    for (size_t z = 0; z < N; z++)
        for (size_t y = 0; y < N; y++) {
            struct face_run faces[FACES];
            const bool is[FACES] = {true, true, y == 0, y == N - 1, z == 0, z == N - 1};
            size_t made = 0;
            for (unsigned side = 0; side < FACES; side++)
                if (is[side])
                    faces[made++] = (struct face_run){.start = side == FACE_X_MAX ? N - 1 : 0,
                                                      .length = side / 2 ? N : 1,
                                                      .side = side & 7,
                                                      .code = (CELL_SOLID + side) & 255,
                                                      .area = FACE_AREA_UNITS};
            assert_int_equal(voxel_set_append(b, &air, 1, faces, made, &e), 0);
        }
    struct voxel_set *v = voxel_set_close(b);
    assert_int_equal(voxel_set_air(v), (uint64_t)N * N * N);
    assert_true(voxel_set_bytes(v) < 20000000);
    assert_int_equal(voxel_set_face(v, 3, N - 1, 7, FACE_Y_MAX)->code, CELL_SOLID + FACE_Y_MAX);
    assert_null(voxel_set_face(v, 3, N - 2, 7, FACE_Y_MAX));
    voxel_set_free(v);
}

static void rows_that_are_not_given_have_no_air_and_more_than_there_are_are_refused(void **state)
{
    (void)state;
    const size_t count[3] = {4, 2, 1};
    const struct air_run air = {0, 4};
    struct voxel_set_builder *b;
    struct error e;
    assert_int_equal(voxel_set_open(&b, count, &e), 0);
    assert_int_equal(voxel_set_append(b, &air, 1, NULL, 0, &e), 0);
    struct voxel_set *v = voxel_set_close(b);
    assert_true(voxel_set_is_air(v, 3, 0, 0));
    assert_false(voxel_set_is_air(v, 3, 1, 0));
    assert_int_equal(voxel_set_air(v), 4);
    voxel_set_free(v);
    assert_int_equal(voxel_set_open(&b, count, &e), 0);
    for (int row = 0; row < 2; row++)
        assert_int_equal(voxel_set_append(b, &air, 1, NULL, 0, &e), 0);
    assert_int_not_equal(voxel_set_append(b, &air, 1, NULL, 0, &e), 0);
    voxel_set_abandon(b);
}

static void a_row_too_long_is_refused(void **state)
{
    (void)state;
    const size_t long_row[3] = {VOXEL_ROW_MAX + 1, 1, 1}, many_rows[3] = {1, SIZE_MAX / 4, 8};
    struct voxel_set_builder *b;
    struct error e;
    assert_int_not_equal(voxel_set_open(&b, long_row, &e), 0);
    assert_null(b);
    assert_int_not_equal(voxel_set_open(&b, many_rows, &e), 0);
    assert_null(b);
    voxel_set_abandon(b);
    voxel_set_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_says_what_its_map_of_bytes_says),
        cmocka_unit_test(beyond_a_set_there_is_no_air),
        cmocka_unit_test(a_set_refuses_air_beyond_its_box),
        cmocka_unit_test(runs_that_touch_are_joined),
        cmocka_unit_test(a_large_box_takes_little_memory),
        cmocka_unit_test(a_row_too_long_is_refused),
        cmocka_unit_test(rows_that_are_not_given_have_no_air_and_more_than_there_are_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
