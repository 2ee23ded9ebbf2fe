/* Rows of a voxel map (schemes/leapfrog/rows.h) against a point-by-point evaluation: runs, walls and branches of
 * random rooms, with rows long enough for the vectorised comparison. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "schemes/leapfrog/corners.h"
#include "schemes/leapfrog/rows.h"
#include "support/random_cases.h"

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
        uint64_t bytes, counted_air, counted_walls;
        struct branches branches;
        assert_int_equal(rows_count(&bytes, &counted_air, &counted_walls, &branches, &s.problem, &e), 0);
        branches_free(&branches);
        assert_int_equal(counted_air, here);
        assert_int_equal(counted_walls, listed);
        air += here;
        free(points);
        rows_free(&rows);
        scene_free(&s);
    }
    print_message("%llu points of air, %llu at real walls, %llu at walls with branches\n", (unsigned long long)air,
                  (unsigned long long)walls, (unsigned long long)branched);
    assert_true(air > 100000 && walls > 10000 && branched > 10000);
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
                                       cmocka_unit_test(a_fixed_voxel_holds_the_corners_of_its_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
