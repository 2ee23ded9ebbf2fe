/* SPDX-License-Identifier: MIT */
/* Rows of a voxel map (solver/schemes/leapfrog/rows.h) against a point-by-point evaluation: runs, walls and branches of
 * random rooms, with rows long enough for the vectorised comparison. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/leapfrog/corners.h"
#include "solver/schemes/leapfrog/rows.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { ROOMS = 300, LONGEST = 400, WIDEST = 9, NOTHING = 255 };

/* A point by the rows and by the map. */
struct point {
    unsigned links; /* NOTHING: no air */
    double weight;
    bool branched;
    struct wall_key key; /* of these */
    int listed;          /* how often, among walls and branches */
};

static struct point look(const struct scene *s, size_t x, size_t y, size_t z)
{
    const struct leapfrog_problem *l = &s->leapfrog;
    const size_t *n = s->problem.points, at[3] = {x, y, z};
    struct point p = {.links = NOTHING};
    struct wall_key key = {.mass = MASS_UNITS};
    double admittance = 0.0;
    if (s->cells[scene_point(s, x, y, z)] != CELL_AIR)
        return p;
    p.links = 0;
    for (int face = 0; face < FACES; face++) {
        size_t to[3] = {x, y, z};
        const int axis = face / 2;
        const int inside = face % 2 ? at[axis] + 1 < n[axis] : at[axis] > 0;
        to[axis] += face % 2 ? 1 : (size_t)-1;
        const uint8_t cell = inside ? s->cells[scene_point(s, to[0], to[1], to[2])] : s->outside[face];
        if (cell == CELL_AIR || cell == CELL_FIXED) {
            p.links |= 1u << face;
        } else {
            const uint64_t area = voxel_set_face(l->voxels, x, y, z, face)->area;
            admittance += (double)area / FACE_AREA_UNITS * l->admittance[cell];
            wall_key_add(&key, l, cell, (unsigned)area * (AREA_UNITS / FACE_AREA_UNITS));
        }
    }
    const double a = 0.5 * sqrt(l->courant_squared) * admittance, weight = a / (1.0 + a);
    p.branched = wall_key_branched(&key, l);
    if (p.branched)
        p.key = key;
    p.weight = p.branched ? 0.0 : s->problem.precision == PRECISION_DOUBLE ? weight : (double)(float)weight;
    p.listed = p.branched || p.weight > 0.0;
    return p;
}

/* Objects of all sizes in a room of long rows, some flush with a side, with few single cells or none. */
static void make_room(struct scene *s, struct random *r)
{
    struct error e;
    const enum precision precision = random_between(r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    assert_int_equal(scene_box(s, random_between(r, 1, LONGEST), random_between(r, 1, WIDEST),
                               random_between(r, 1, WIDEST), precision, &e),
                     0);
    struct leapfrog_problem *l = &s->leapfrog;
    const size_t *n = s->problem.points;
    for (int i = 1; i < SCENE_MATERIALS; i++) { /* rigid ones, real ones and such with branches */
        l->admittance[CELL_SOLID + i] = i % 3 ? random_unit(r) : 0.0;
        if (i > SCENE_MATERIALS / 2)
            scene_random_branches(s, i, 4, r);
    }
    for (int face = 0; face < FACES; face++)
        s->outside[face] = (uint8_t)random_between(r, CELL_SOLID, CELL_SOLID + SCENE_MATERIALS - 1);
    for (size_t objects = random_between(r, 0, 8); objects-- > 0;) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 1);
            to[axis] = random_between(r, from[axis] + 1, n[axis]);
        }
        scene_fill(s, from, to, (uint8_t)random_between(r, CELL_AIR, CELL_SOLID + SCENE_MATERIALS - 1));
    }
    for (size_t lone = random_between(r, 0, 1) ? random_between(r, 0, 40) : 0; lone-- > 0;)
        s->cells[random_bits(r) % (n[0] * n[1] * n[2])] = (uint8_t)random_between(r, CELL_AIR, CELL_SOLID + 2);
    if (random_between(r, 0, 2) == 0)
        scene_random_areas(s, r);
}

struct told {
    struct point *points;
    const struct rows *rows;
};

static void tell_branches(void *context, const struct branch_span *span)
{
    const struct told *t = context;
    const struct branch_segment *s = span->segment;
    assert_in_range(s->kind, 0, t->rows->branches.kind_count - 1);
    for (size_t i = 0; i < span->count; i++) {
        const size_t along = s->along_y ? 0 : span->first + i, row = span->row + (s->along_y ? i : 0);
        struct point *p = &t->points[row * t->rows->nx + s->x + along];
        p->key = t->rows->branches.kinds[s->kind].key;
        p->branched = true;
        p->listed++;
    }
}

static struct point *tell(const struct rows *r, enum precision precision)
{
    struct point *points = calloc(r->count * r->nx, sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < r->count * r->nx; i++)
        points[i].links = NOTHING;
    for (size_t row = 0; row < r->count; row++) {
        const struct run *before = NULL;
        struct point *here = points + row * r->nx;
        for (uint64_t i = r->run_start[row]; i < r->run_start[row + 1]; i++) {
            const struct run *run = &r->runs[i];
            assert_true(run->length > 0 && run->start + run->length <= r->nx);
            if (before) { /* in order, and none that could be one with the last */
                assert_true(run->start >= before->start + before->length);
                assert_true(run->start > before->start + before->length || run->links != before->links);
            }
            for (size_t k = 0; k < run->length; k++)
                here[run->start + k].links = run->links;
            before = run;
        }
        for (uint64_t w = r->wall_start[row]; w < r->wall_start[row + 1]; w++) {
            assert_true(r->wall_x[w] < r->nx && (w == r->wall_start[row] || r->wall_x[w] > r->wall_x[w - 1]));
            here[r->wall_x[w]].weight = precision == PRECISION_DOUBLE ? ((const double *)r->wall_weight)[w]
                                                                      : (double)((const float *)r->wall_weight)[w];
            here[r->wall_x[w]].listed++;
        }
    }
    struct told told = {points, r};
    for (size_t z = 0; z < r->nz; z++)
        branches_visit(&r->branches, r->ny, z * r->ny, (z + 1) * r->ny, tell_branches, &told);
    return points;
}

static void rows_say_what_is_at_each_point(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    uint64_t air = 0, walls = 0, branched = 0;
    for (int room = 0; room < ROOMS; room++) {
        struct scene s;
        struct rows rows;
        struct error e;
        make_room(&s, &random);
        const size_t *n = s.problem.points;
        assert_int_equal(scene_voxels(&s, &e), 0);
        assert_int_equal(rows_make(&rows, &s.problem, &e), 0);
        struct point *points = tell(&rows, s.problem.precision);
        uint64_t here = 0, listed = 0;
        for (size_t i = 0; i < n[0] * n[1] * n[2]; i++) {
            const struct point p = look(&s, i % n[0], i / n[0] % n[1], i / n[0] / n[1]);
            if (points[i].links != p.links || points[i].weight != p.weight || points[i].branched != p.branched ||
                memcmp(&points[i].key, &p.key, sizeof p.key) || points[i].listed != p.listed)
                fail_msg("room %d of %zu x %zu x %zu, point %zu: links %u, not %u; weight %g, not %g; "
                         "%d parts, not %d; listed %d times, not %d",
                         room, n[0], n[1], n[2], i, points[i].links, p.links, points[i].weight, p.weight,
                         points[i].key.count, p.key.count, points[i].listed, p.listed);
            here += p.links != NOTHING;
            listed += p.listed != 0;
            walls += p.weight > 0.0;
            branched += p.branched;
        }
        assert_int_equal(rows.air_points, here);
        assert_int_equal(rows.wall_start[rows.count] + rows.branches.point_count, listed);
        air += here;
        free(points);
        rows_free(&rows);
        scene_free(&s);
    }
    print_message("%llu points of air, %llu at real walls, %llu at walls with branches\n", (unsigned long long)air,
                  (unsigned long long)walls, (unsigned long long)branched);
    assert_true(air > 100000 && walls > 10000 && branched > 10000);
}

/* Compares all lists, branches too. */
static void expect_same_rows(const struct rows *a, const struct rows *b, enum precision precision)
{
    const uint64_t runs = a->run_start[a->count], walls = a->wall_start[a->count];
    const struct branches *x = &a->branches, *y = &b->branches;
    assert_memory_equal(a->run_start, b->run_start, (a->count + 1) * sizeof *a->run_start);
    assert_memory_equal(a->wall_start, b->wall_start, (a->count + 1) * sizeof *a->wall_start);
    assert_memory_equal(a->runs, b->runs, runs * sizeof *a->runs);
    assert_memory_equal(a->wall_x, b->wall_x, walls * sizeof *a->wall_x);
    assert_memory_equal(a->wall_weight, b->wall_weight, walls * precision_bytes(precision));
    assert_true(!a->wall_mass == !b->wall_mass && (!a->wall_mass || !memcmp(a->wall_mass, b->wall_mass, walls)));
    assert_true(a->air_points == b->air_points && a->wall_max == b->wall_max);
    assert_true(x->kind_count == y->kind_count && x->factor_count == y->factor_count &&
                x->segment_count == y->segment_count && x->point_count == y->point_count &&
                x->state_count == y->state_count && x->max_in_plane == y->max_in_plane);
    assert_memory_equal(x->segment_start, y->segment_start, (a->count + 1) * sizeof *x->segment_start);
    for (uint64_t i = 0; i < x->segment_count; i++)
        assert_true(x->segments[i].x == y->segments[i].x && x->segments[i].kind == y->segments[i].kind &&
                    x->segments[i].length == y->segments[i].length &&
                    x->segments[i].along_y == y->segments[i].along_y && x->segments[i].states == y->segments[i].states);
    for (size_t i = 0; i < x->kind_count; i++)
        assert_true(!memcmp(&x->kinds[i].key, &y->kinds[i].key, sizeof x->kinds[i].key) &&
                    x->kinds[i].first == y->kinds[i].first && x->kinds[i].weight == y->kinds[i].weight);
}

static void rows_made_in_shares_are_those_made_at_once(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int room = 0; room < ROOMS / 3; room++) {
        struct scene s;
        struct rows whole, shared;
        struct error e;
        make_room(&s, &random);
        assert_int_equal(scene_voxels(&s, &e), 0);
        assert_int_equal(rows_make_in_shares(&whole, &s.problem, 1, &e), 0);
        const int shares = 2 + (int)(4.0 * random_unit(&random)); /* more than some rooms have planes */
        assert_int_equal(rows_make_in_shares(&shared, &s.problem, shares, &e), 0);
        expect_same_rows(&whole, &shared, s.problem.precision);
        rows_free(&whole);
        rows_free(&shared);
        scene_free(&s);
    }
}

/* Two problems of one room: the second borrows, and its lists outlive it. */
static void rows_that_are_kept_are_scanned_once(void **state)
{
    (void)state;
    struct scene s;
    struct rows first, second, other;
    struct error e;
    struct kept_rows *kept = calloc(1, sizeof *kept);
    assert_int_equal(scene_box(&s, 9, 8, 7, PRECISION_DOUBLE, &e), 0);
    assert_int_equal(scene_voxels(&s, &e), 0);
    kept->voxels = s.leapfrog.voxels;
    s.leapfrog.kept_rows = kept;
    assert_int_equal(rows_make(&first, &s.problem, &e), 0);
    assert_int_equal(rows_make(&second, &s.problem, &e), 0);
    assert_ptr_equal(first.runs, second.runs);
    rows_free(&first);
    assert_int_equal(second.run_start[second.count], second.count * 3);
    rows_free(&second);
    s.problem.precision = PRECISION_SINGLE; /* weights of another size */
    assert_int_equal(rows_make(&other, &s.problem, &e), 0);
    assert_ptr_not_equal(other.runs, kept->rows.runs);
    rows_free(&other);
    kept_rows_free(kept);
    scene_free(&s);
}

/* Of four voxels around an edge one is fixed. */
static void a_fixed_voxel_holds_the_corners_of_its_faces(void **state)
{
    (void)state;
    for (int walled = 0; walled < 2; walled++) {
        struct scene s;
        struct error e;
        assert_int_equal(scene_box(&s, 2, 2, 1, PRECISION_DOUBLE, &e), 0);
        s.cells[scene_voxel(&s, 1, 1, 0)] = CELL_FIXED;
        if (walled) { /* the fixed voxel meets the air along an edge only */
            s.cells[scene_voxel(&s, 0, 1, 0)] = CELL_SOLID;
            s.cells[scene_voxel(&s, 1, 0, 0)] = CELL_SOLID;
        }
        scene_use_corners(&s);
        assert_int_equal(scene_voxels(&s, &e), 0);
        for (size_t z = 0; z < 2; z++) {
            const struct corner middle = corner_at(s.leapfrog.voxels, (size_t[]){1, 1, z});
            assert_int_equal(middle.pattern, !walled ? 0 : z ? 0x01 : 0x10);
            assert_int_equal(scene_is_air(&s, scene_point(&s, 1, 1, z)), walled);
        }
        struct rows rows;
        assert_int_equal(rows_make(&rows, &s.problem, &e), 0);
        assert_int_equal(rows.air_points, walled ? 8 : 10);
        rows_free(&rows);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_say_what_is_at_each_point),
                                       cmocka_unit_test(rows_made_in_shares_are_those_made_at_once),
                                       cmocka_unit_test(rows_that_are_kept_are_scanned_once),
                                       cmocka_unit_test(a_fixed_voxel_holds_the_corners_of_its_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
