/* SPDX-License-Identifier: MIT */
/* Runs of solid voxels between faces that let sound through: those of mirrored rooms, and the work of finding them. */
#include "geometry/voxels/solid_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_cases.h"

#include <cmocka.h>

enum { CODES = 3, FIRST = CELL_SOLID + 1 };
static const uint8_t outside[FACES] = {CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID, CELL_SOLID};

struct cells {
    size_t count[3];
    uint8_t *of; /* [z][y][x] */
};

static uint8_t *cell(const struct cells *c, size_t x, size_t y, size_t z)
{
    return &c->of[(z * c->count[1] + y) * c->count[0] + x];
}

static struct cells make_cells(size_t nx, size_t ny, size_t nz)
{
    const struct cells c = {{nx, ny, nz}, calloc(nx * ny * nz, 1)};
    assert_non_null(c.of);
    memset(c.of, CELL_AIR, nx * ny * nz);
    return c;
}

static void fill(const struct cells *c, const size_t from[3], const size_t to[3], uint8_t code)
{
    for (size_t z = from[2]; z < to[2]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            for (size_t x = from[0]; x < to[0]; x++)
                *cell(c, x, y, z) = code;
}

/* Boxes of several materials, some of which touch, in air. */
static struct cells random_room(struct random *r)
{
    const struct cells c = make_cells(random_between(r, 6, 24), random_between(r, 6, 20), random_between(r, 5, 14));
    for (size_t boxes = random_between(r, 1, 8); boxes-- > 0;) {
        size_t from[3], to[3];
        for (int k = 0; k < 3; k++) {
            const size_t thick = random_between(r, 0, 2) ? random_between(r, 1, c.count[k]) : random_between(r, 1, 2);
            from[k] = random_between(r, 0, c.count[k] - 1);
            to[k] = from[k] + thick < c.count[k] ? from[k] + thick : c.count[k];
        }
        fill(&c, from, to, (uint8_t)(FIRST + random_between(r, 0, CODES - 1)));
    }
    return c;
}

static struct cells mirrored(const struct cells *c, int axis)
{
    const struct cells m = make_cells(c->count[0], c->count[1], c->count[2]);
    for (size_t z = 0; z < c->count[2]; z++)
        for (size_t y = 0; y < c->count[1]; y++)
            for (size_t x = 0; x < c->count[0]; x++) {
                size_t at[3] = {x, y, z};
                at[axis] = c->count[axis] - 1 - at[axis];
                *cell(&m, at[0], at[1], at[2]) = *cell(c, x, y, z);
            }
    return m;
}

/* What a run is, in the room that is mirrored along an axis; -1: in the room itself. */
struct found {
    uint64_t lower, axis, length, codes;
};
struct list {
    struct found *runs;
    size_t count;
    const struct voxel_set *set;
    int mirror;
};

static int order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct found));
}

static int note(void *context, const struct solid_run *run, struct error *e)
{
    struct list *l = context;
    size_t at[3] = {run->lower[0], run->lower[1], run->lower[2]};
    unsigned codes[2] = {run->faces[0]->code, run->faces[1]->code};
    (void)e;
    assert_int_equal(run->upper[run->axis] - run->lower[run->axis], run->length + 1);
    if (l->mirror >= 0)
        at[l->mirror] = voxel_set_count(l->set, l->mirror) - 1 - run->upper[l->mirror];
    l->runs = realloc(l->runs, (l->count + 1) * sizeof *l->runs);
    assert_non_null(l->runs);
    const bool swapped = l->mirror == run->axis;
    l->runs[l->count++] =
        (struct found){(at[2] * voxel_set_count(l->set, 1) + at[1]) * voxel_set_count(l->set, 0) + at[0],
                       (uint64_t)run->axis, run->length, codes[swapped] + 256u * codes[!swapped]};
    return 0;
}

static struct voxel_set *set_of(const struct cells *c)
{
    struct voxel_set *set;
    struct error e;
    assert_int_equal(voxel_set_of_cells(&set, c->count, c->of, outside, &e), 0);
    return set;
}

static struct solid_runs search_of(const struct voxel_set *set)
{
    struct solid_runs s = {.set = set};
    for (int i = 0; i < CODES - 1; i++) /* the last one lets nothing through */
        s.passes[FIRST + i] = true;
    return s;
}

static struct list runs_of(const struct cells *c, int mirror)
{
    struct voxel_set *set = set_of(c);
    struct list l = {.set = set, .mirror = mirror};
    struct solid_runs s = search_of(set);
    struct error e;
    assert_int_equal(solid_runs_visit(&s, note, &l, &e), 0);
    if (l.count)
        qsort(l.runs, l.count, sizeof *l.runs, order);
    voxel_set_free(set);
    return l;
}

static void a_mirrored_room_has_the_mirrored_runs(void **state)
{
    enum { ROOMS = 200 };
    struct random r = random_cases(__func__);
    size_t total = 0;
    (void)state;
    for (int room = 0; room < case_count(ROOMS); room++) {
        const struct cells c = random_room(&r);
        struct list expected = runs_of(&c, -1);
        total += expected.count;
        for (int axis = 0; axis < 3; axis++) {
            const struct cells m = mirrored(&c, axis);
            struct list got = runs_of(&m, axis);
            if (got.count != expected.count)
                fail_msg("room %d, axis %d: %zu runs instead of %zu", room, axis, got.count, expected.count);
            if (got.count)
                assert_memory_equal(got.runs, expected.runs, got.count * sizeof *got.runs);
            free(got.runs);
            free(m.of);
        }
        free(expected.runs);
        free(c.of);
    }
    print_message("runs: %zu\n", total);
    assert_true(total > (size_t)case_count(ROOMS));
}

/* From either end, the same run. */
static void both_faces_of_a_run_find_it(void **state)
{
    struct random r = random_cases(__func__);
    (void)state;
    for (int room = 0; room < case_count(50); room++) {
        const struct cells c = random_room(&r);
        struct voxel_set *set = set_of(&c);
        struct solid_runs s = search_of(set);
        for (size_t z = 0; z < c.count[2]; z++)
            for (size_t y = 0; y < c.count[1]; y++)
                for (size_t x = 0; x < c.count[0]; x++)
                    for (int side = 0; side < FACES; side++) {
                        struct solid_run run, back;
                        if (!solid_run_behind(&run, &s, (const size_t[3]){x, y, z}, side))
                            continue;
                        assert_int_equal(run.axis, side / 2);
                        assert_true(solid_run_behind(&back, &s, side % 2 ? run.upper : run.lower, side ^ 1));
                        assert_memory_equal(run.lower, back.lower, sizeof run.lower);
                        assert_memory_equal(run.upper, back.upper, sizeof run.upper);
                        assert_true(run.faces[0] == back.faces[0] && run.faces[1] == back.faces[1]);
                    }
        voxel_set_free(set);
        free(c.of);
    }
}

static size_t count_of(const struct cells *c)
{
    struct list l = runs_of(c, -1);
    free(l.runs);
    return l.count;
}

/* A wall of 12 voxels between two walls across it: sound passes those, and not the length of the first. */
static void a_wall_between_two_walls_joins_no_ends(void **state)
{
    (void)state;
    const struct cells c = make_cells(18, 13, 3);
    fill(&c, (const size_t[]){3, 6, 0}, (const size_t[]){15, 7, 3}, FIRST);
    fill(&c, (const size_t[]){2, 0, 0}, (const size_t[]){3, 13, 3}, FIRST);
    fill(&c, (const size_t[]){15, 0, 0}, (const size_t[]){16, 13, 3}, FIRST);
    assert_int_equal(count_of(&c), 3 * (12 + 12 + 12));
    free(c.of);
}

static int ignore(void *context, const struct solid_run *run, struct error *e)
{
    (void)run;
    (void)e;
    ++*(size_t *)context;
    return 0;
}

/* Some voxels looked at for each solid one, however large the wall is. */
static void the_work_grows_with_the_wall_and_not_faster(void **state)
{
    (void)state;
    for (size_t n = 50; n <= 400; n *= 2)
        for (size_t thick = 1; thick <= 12; thick += 11) {
            struct error e;
            size_t runs = 0;
            const struct cells c = make_cells(thick + 8, n, n);
            fill(&c, (const size_t[]){4, 1, 1}, (const size_t[]){4 + thick, n - 1, n - 1}, FIRST);
            struct voxel_set *set = set_of(&c);
            struct solid_runs s = search_of(set);
            assert_int_equal(solid_runs_visit(&s, ignore, &runs, &e), 0);
            assert_int_equal(runs, (n - 2) * (n - 2));
            assert_true(s.looked <= 12 * thick * n * n);
            voxel_set_free(set);
            free(c.of);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mirrored_room_has_the_mirrored_runs),
        cmocka_unit_test(both_faces_of_a_run_find_it),
        cmocka_unit_test(a_wall_between_two_walls_joins_no_ends),
        cmocka_unit_test(the_work_grows_with_the_wall_and_not_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
