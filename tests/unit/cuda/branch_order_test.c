/* SPDX-License-Identifier: MIT */
/* The order in which states of walls leave the device (cuda/grid/branch_order.h), in random rooms whose points are
 * numbered at random: the values of [segment][branch][v, g][point], plane by plane, each once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/grid/branch_order.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { ROOMS = 100, LONGEST = 40, APART = 7 };

struct walls {
    struct rows rows;
    size_t pitch, count;
    struct branch_place *places;
    uint64_t *told; /* by value on the device: which point, branch and v or g it is */
    size_t values;
};

static uint64_t name_of(uint64_t at, uint32_t branch, size_t v_or_g)
{
    return (at * (BRANCHES_MAX * WALL_PARTS_MAX) + branch) * 2 + v_or_g + 1;
}

static int by_place(const void *a, const void *b)
{
    const struct branch_place *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}

static void add_places(void *context, const struct branch_span *span)
{
    struct walls *w = context;
    const struct branch_segment *s = span->segment;
    for (size_t i = 0; i < span->count; i++)
        w->places[w->count++] = (struct branch_place){
            .at = (span->row + (s->along_y ? i : 0)) * w->pitch + s->x + (s->along_y ? 0 : i), .kind = s->kind};
}

/* States of a point lie APART from branch to branch, those of up to APART points in turn. */
static void number_places(struct walls *w, struct random *r)
{
    const struct branches *b = &w->rows.branches;
    uint32_t most = 1;
    size_t *turns = malloc((w->count + 1) * sizeof *turns);
    assert_non_null(turns);
    for (size_t kind = 0; kind < b->kind_count; kind++)
        most = b->kinds[kind].count > most ? b->kinds[kind].count : most;
    for (size_t i = 0; i < w->count; i++) {
        const size_t other = random_between(r, 0, i);
        turns[i] = turns[other];
        turns[other] = i;
    }
    w->values = 2 * (w->count + APART) * most;
    w->told = calloc(w->values + 1, sizeof *w->told);
    assert_non_null(w->told);
    for (size_t i = 0; i < w->count; i++) {
        struct branch_place *place = &w->places[i];
        place->first_state = turns[i] / APART * APART * most + turns[i] % APART;
        for (uint32_t branch = 0; branch < b->kinds[place->kind].count; branch++)
            for (size_t v_or_g = 0; v_or_g < 2; v_or_g++)
                w->told[2 * (place->first_state + branch * APART) + v_or_g] = name_of(place->at, branch, v_or_g);
    }
    free(turns);
}

static void make_walls(struct walls *w, struct scene *s, struct random *r)
{
    struct error e;
    assert_int_equal(scene_random(s, LONGEST, random_between(r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE, r, &e), 0);
    for (int i = 1; i < SCENE_MATERIALS; i++)
        if (random_between(r, 0, 1))
            scene_random_branches(s, i, 4, r);
    if (random_between(r, 0, 1))
        scene_use_corners(s);
    assert_int_equal(scene_voxels(s, &e), 0);
    *w = (struct walls){.count = 0};
    assert_int_equal(rows_make(&w->rows, &s->problem, &e), 0);
    w->pitch = w->rows.nx + random_between(r, 0, 9);
    w->places = malloc((w->rows.branches.point_count + 1) * sizeof *w->places);
    assert_non_null(w->places);
    for (size_t z = 0; z < w->rows.nz; z++)
        branches_visit(&w->rows.branches, w->rows.ny, z * w->rows.ny, (z + 1) * w->rows.ny, add_places, w);
    assert_int_equal(w->count, w->rows.branches.point_count);
    qsort(w->places, w->count, sizeof *w->places, by_place);
    number_places(w, r);
}

static void free_walls(struct walls *w)
{
    rows_free(&w->rows);
    free(w->places);
    free(w->told);
}

static int list_planes(uint64_t *list, const struct walls *w, size_t z0, size_t nz, size_t places)
{
    return branch_order_list(list, &w->rows, z0, nz, w->places, places, w->pitch, APART);
}

/* What a plane's values are, by the segments. */
static size_t name_plane(uint64_t *names, const struct walls *w, size_t z)
{
    const struct branches *b = &w->rows.branches;
    size_t count = 0;
    for (size_t row = z * w->rows.ny; row < (z + 1) * w->rows.ny; row++)
        for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++) {
            const struct branch_segment *s = &b->segments[i];
            for (uint32_t branch = 0; branch < b->kinds[s->kind].count; branch++)
                for (size_t v_or_g = 0; v_or_g < 2; v_or_g++)
                    for (size_t k = 0; k < s->length; k++)
                        names[count++] = name_of(s->along_y ? (row + k) * w->pitch + s->x : row * w->pitch + s->x + k,
                                                 branch, v_or_g);
        }
    return count;
}

static void states_leave_in_the_order_of_segments(void **state)
{
    struct random r = random_cases("states_leave_in_the_order_of_segments");
    size_t branched = 0;
    (void)state;
    for (int room = 0; room < case_count(ROOMS); room++) {
        struct scene s;
        struct walls w;
        make_walls(&w, &s, &r);
        const size_t total = w.rows.branches.state_count;
        uint64_t *list = malloc((total + 1) * sizeof *list), *names = malloc((total + 1) * sizeof *names);
        uint8_t *seen = calloc(w.values + 1, 1);
        assert_true(list && names && seen);
        assert_int_equal(branch_order_count(&w.rows, 0, w.rows.nz), total);
        assert_int_equal(list_planes(list, &w, 0, w.rows.nz, w.count), 0);
        size_t count = 0;
        for (size_t z = 0; z < w.rows.nz; z++) {
            const size_t of_plane = name_plane(names + count, &w, z);
            assert_int_equal(branch_order_count(&w.rows, z, 1), of_plane);
            count += of_plane;
        }
        assert_int_equal(count, total);
        for (size_t i = 0; i < total; i++) {
            assert_true(list[i] < w.values);
            assert_int_equal(w.told[list[i]], names[i]);
            assert_int_equal(seen[list[i]]++, 0);
        }
        const size_t z0 = random_between(&r, 0, w.rows.nz - 1), nz = random_between(&r, 1, w.rows.nz - z0);
        const size_t before = branch_order_count(&w.rows, 0, z0), within = branch_order_count(&w.rows, z0, nz);
        assert_int_equal(list_planes(list, &w, z0, nz, w.count), 0);
        for (size_t i = 0; i < within; i++)
            assert_int_equal(w.told[list[i]], names[before + i]);
        if (w.count) /* the last point's place is missing */
            assert_int_equal(list_planes(list, &w, 0, w.rows.nz, w.count - 1), -1);
        branched += w.count > 0;
        free(list);
        free(names);
        free(seen);
        free_walls(&w);
        scene_free(&s);
    }
    assert_true(branched > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_leave_in_the_order_of_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
