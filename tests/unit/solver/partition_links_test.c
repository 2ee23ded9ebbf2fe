/* SPDX-License-Identifier: MIT */
/* Partitions that transmit (solver/schemes/leapfrog/partition_links.h): which faces they link, that energy closes and
 * the field stays bounded however light and wherever they are, and that threads, parts and checkpoints leave the bits
 * alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/partition_links.h"
#include "solver/schemes/leapfrog/rows.h"
#include "solver/state.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { CODES = 4, FIRST = CELL_SOLID + 1 };

static struct error error;

static void make_box(struct scene *s, size_t nx, size_t ny, size_t nz, enum precision precision)
{
    assert_int_equal(scene_box(s, nx, ny, nz, precision, &error), 0);
}

static void fill(struct scene *s, size_t x0, size_t x1, size_t y0, size_t y1, size_t z0, size_t z1, uint8_t code)
{
    scene_fill(s, (const size_t[]){x0, y0, z0}, (const size_t[]){x1, y1, z1}, code);
}

static struct partition_links links_of(struct scene *s)
{
    struct partition_links links;
    assert_int_equal(scene_voxels(s, &error), 0);
    assert_int_equal(partition_links_make(&links, &s->problem, &error), 0);
    return links;
}

/* Number of links along each axis. */
static void count_links(struct scene *s, size_t counts[3])
{
    struct partition_links links = links_of(s);
    counts[0] = counts[1] = counts[2] = 0;
    for (size_t i = 0; i < links.count; i++)
        counts[links.list[i].axis]++;
    partition_links_free(&links);
}

static void expect_links(struct scene *s, size_t x, size_t y, size_t z)
{
    size_t counts[3];
    count_links(s, counts);
    assert_int_equal(counts[0], x);
    assert_int_equal(counts[1], y);
    assert_int_equal(counts[2], z);
}

static void a_partition_links_its_two_sides_and_not_its_ends(void **state)
{
    struct scene s;
    (void)state;
    make_box(&s, 20, 12, 7, PRECISION_DOUBLE);
    s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.5};
    fill(&s, 9, 11, 0, 12, 0, 7, FIRST);
    expect_links(&s, 12 * 7, 0, 0);
    fill(&s, 9, 11, 0, 3, 0, 7, CELL_AIR); /* the partition ends in the room: 9 long, 2 thick, 7 high */
    expect_links(&s, 9 * 7, 0, 0);
    fill(&s, 9, 11, 11, 12, 0, 7, CELL_AIR); /* at both ends */
    expect_links(&s, 8 * 7, 0, 0);
    fill(&s, 9, 11, 0, 12, 0, 7, CELL_AIR);
    fill(&s, 0, 20, 0, 12, 3, 4, FIRST); /* a floor */
    expect_links(&s, 0, 0, 20 * 12);
    scene_free(&s);
}

static void a_column_links_along_both_of_its_sides(void **state)
{
    struct scene s;
    (void)state;
    make_box(&s, 12, 12, 3, PRECISION_DOUBLE);
    s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.0};
    fill(&s, 4, 6, 4, 8, 0, 3, FIRST); /* 2 by 4: neither is more than 3 times the other */
    expect_links(&s, 4 * 3, 2 * 3, 0);
    fill(&s, 4, 6, 4, 11, 0, 3, FIRST); /* 2 by 7 */
    expect_links(&s, 7 * 3, 0, 0);
    scene_free(&s);
}

static void opaque_faces_and_the_edge_of_the_grid_are_no_ends_of_links(void **state)
{
    struct scene s;
    (void)state;
    make_box(&s, 12, 6, 5, PRECISION_DOUBLE);
    s.outside[FACE_X_MAX] = FIRST;
    s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.0};
    fill(&s, 5, 6, 0, 6, 0, 5, FIRST);
    fill(&s, 6, 7, 0, 6, 0, 5, FIRST + 1); /* the other side is opaque */
    fill(&s, 11, 12, 0, 6, 0, 5, FIRST);   /* beyond the grid */
    expect_links(&s, 0, 0, 0);
    scene_free(&s);
}

static void two_layers_add_up_and_areas_are_means(void **state)
{
    struct scene s;
    (void)state;
    make_box(&s, 9, 3, 2, PRECISION_DOUBLE);
    s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.5};
    s.leapfrog.transmission[FIRST + 1] = (struct transmission){30.0, 0.25};
    fill(&s, 4, 5, 0, 3, 0, 2, FIRST);
    fill(&s, 5, 6, 0, 3, 0, 2, FIRST + 1);
    struct partition_links links = links_of(&s);
    assert_int_equal(links.count, 6);
    for (size_t i = 0; i < links.count; i++) {
        const struct partition_link *l = &links.list[i];
        assert_true(l->inertance == 40.0 + 1.0 / sqrt(s.leapfrog.courant_squared) && l->resistance == 0.75);
        assert_true(l->coupling == sqrt(s.leapfrog.courant_squared));
        assert_int_equal(l->face[1] - l->face[0], 3);
    }
    partition_links_free(&links);
    scene_use_corners(&s);
    links = links_of(&s);
    assert_int_equal(links.count, 6);
    for (size_t i = 0; i < links.count; i++) {
        uint64_t points[2 * FACE_POINTS_MAX];
        assert_int_equal(partition_link_points(&links.list[i], &s.problem, points), FACE_POINTS_MAX);
        for (int k = 0; k < FACE_POINTS_MAX; k++) { /* the corners on both sides of the two voxels */
            assert_int_equal(points[k] % s.problem.points[0], 4);
            assert_int_equal(points[FACE_POINTS_MAX + k] - points[k], 2);
        }
        assert_int_equal(points[3] - points[0], s.problem.points[0] * (s.problem.points[1] + 1));
    }
    partition_links_free(&links);
    scene_free(&s);
}

static void partitions_without_admittance_are_no_walls_to_step(void **state)
{
    struct scene s;
    struct rows rows;
    (void)state;
    for (int corners = 0; corners < 2; corners++) {
        make_box(&s, 10, 6, 5, PRECISION_DOUBLE);
        s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.5};
        fill(&s, 5, 6, 0, 6, 0, 5, FIRST);
        if (corners)
            scene_use_corners(&s);
        assert_int_equal(scene_voxels(&s, &error), 0);
        assert_int_equal(rows_make(&rows, &s.problem, &error), 0);
        assert_int_equal(rows.wall_start[rows.count], 0);
        assert_int_equal(rows.branches.point_count, 0);
        rows_free(&rows);
        scene_free(&s);
    }
}

static void transmissions_that_cannot_be_stable_are_refused(void **state)
{
    (void)state;
    for (int corners = 0; corners < 2; corners++) {
        struct scene s;
        struct solver *solver;
        const struct solver_options cpu = {.engine = "cpu", .threads = 1};
        make_box(&s, 10, 6, 5, PRECISION_DOUBLE);
        if (corners)
            scene_use_corners(&s);
        const double least = transmission_least_inertance(&s.leapfrog);
        const struct transmission wrong[] = {{corners ? 0.99 * least : -1e-9, 0.0},
                                             {-1.0, 0.0},
                                             {NAN, 0.0},
                                             {INFINITY, 0.0},
                                             {10.0, -1e-9},
                                             {10.0, NAN}};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            s.leapfrog.transmission[FIRST] = wrong[i];
            assert_int_not_equal(scene_open(&solver, &s, &cpu, &error), 0);
            assert_int_equal(error.code, ERROR_ENGINE);
            assert_non_null(strstr(error.message, "transmission of a wall"));
        }
        s.leapfrog.transmission[FIRST] = (struct transmission){corners ? least : 1e-9, 0.0};
        assert_int_equal(scene_open(&solver, &s, &cpu, &error), 0);
        solver_close(solver);
        scene_free(&s);
    }
}

/* A box with partitions across every axis that meet in corners, a staircase, and blocks, some with admittances. */
static void make_house(struct scene *s, bool corners, enum precision precision, struct random *r)
{
    const size_t n[3] = {random_between(r, 8, 14), random_between(r, 8, 12), random_between(r, 6, 10)};
    make_box(s, n[0], n[1], n[2], precision);
    for (int i = 0; i < CODES; i++)
        if (random_between(r, 0, 1))
            s->leapfrog.admittance[FIRST + i] = random_unit(r);
    for (size_t partitions = random_between(r, 1, 4); partitions-- > 0;) {
        const size_t axis = random_between(r, 0, 2);
        size_t from[3] = {0, 0, 0}, to[3] = {n[0], n[1], n[2]};
        from[axis] = random_between(r, 1, n[axis] - 2);
        to[axis] = from[axis] + random_between(r, 1, 2);
        if (random_between(r, 0, 1))
            to[(axis + 1) % 3] = random_between(r, 1, n[(axis + 1) % 3]);
        to[axis] = to[axis] < n[axis] ? to[axis] : n[axis] - 1;
        scene_fill(s, from, to, (uint8_t)(FIRST + random_between(r, 0, CODES - 1)));
    }
    const uint8_t code = (uint8_t)(FIRST + random_between(r, 0, CODES - 1));
    for (size_t i = 0; i + 1 < n[0] && i < n[1]; i++)
        fill(s, i, i + 2, i, i + 1, 0, n[2], code);
    for (size_t blocks = random_between(r, 0, 12); blocks-- > 0;)
        s->cells[random_bits(r) % (n[0] * n[1] * n[2])] = (uint8_t)random_between(r, CELL_SOLID, FIRST + CODES - 1);
    s->cells[0] = s->cells[1] = CELL_AIR;
    if (random_between(r, 0, 1))
        scene_random_areas(s, r);
    if (corners)
        scene_use_corners(s);
}

/* At the bound or above, without and with resistance. */
static void let_through(struct scene *s, struct random *r)
{
    const double least = fmax(transmission_least_inertance(&s->leapfrog), 1e-9);
    const bool light = random_between(r, 0, 1);
    for (int i = 0; i < CODES; i++)
        s->leapfrog.transmission[FIRST + i] =
            (struct transmission){light ? least : fmax(least, random_log_uniform(r, 1e-9, 3000.0)),
                                  random_between(r, 0, 1) ? random_log_uniform(r, 0.01, 100.0) : 0.0};
}

/* The same random field at both levels, so that no closed part of a house has a velocity to keep. */
static void start_at_rest(const struct scene *s, struct solver *solver, struct random *r)
{
    const size_t *n = s->problem.points;
    double *p = malloc(n[0] * n[1] * n[2] * sizeof *p);
    assert_non_null(p);
    for (size_t i = 0; i < n[0] * n[1] * n[2]; i++)
        p[i] = random_unit(r) - 0.5;
    assert_int_equal(solver_put(solver, "p", 0, n[2], p, &error), 0);
    assert_int_equal(solver_put(solver, "p_previous", 0, n[2], p, &error), 0);
    free(p);
}

static double largest_pressure(const struct scene *s, struct solver *solver)
{
    const size_t *n = s->problem.points;
    double *p = malloc(n[0] * n[1] * n[2] * sizeof *p), largest = 0.0;
    assert_non_null(p);
    assert_int_equal(solver_get(solver, "p", 0, n[2], p, &error), 0);
    for (size_t i = 0; i < n[0] * n[1] * n[2]; i++)
        largest = nan_max(largest, fabs(p[i]));
    free(p);
    return largest;
}

static void mirror(struct scene *s, int axis)
{
    const size_t *n = s->voxels;
    for (size_t z = 0; z < n[2]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[0]; x++) {
                size_t at[3] = {x, y, z};
                at[axis] = n[axis] - 1 - at[axis];
                uint8_t *one = &s->cells[(z * n[1] + y) * n[0] + x];
                uint8_t *other = &s->cells[(at[2] * n[1] + at[1]) * n[0] + at[0]];
                const uint8_t kept = *one;
                if (one < other) {
                    *one = *other;
                    *other = kept;
                }
            }
}

/* Σ D, Σ E and Σ λs. */
static size_t sum_links(struct scene *s, double sums[3])
{
    struct partition_links links = links_of(s);
    const size_t count = links.count;
    sums[0] = sums[1] = sums[2] = 0.0;
    for (size_t i = 0; i < count; i++) {
        sums[0] += links.list[i].inertance;
        sums[1] += links.list[i].resistance;
        sums[2] += links.list[i].coupling;
    }
    partition_links_free(&links);
    return count;
}

static void a_mirrored_house_has_as_many_links_of_the_same_sum(void **state)
{
    enum { HOUSES = 60 };
    struct random r = random_cases(__func__);
    (void)state;
    for (int house = 0; house < case_count(HOUSES); house++) {
        struct scene s;
        double expected[3], got[3];
        make_house(&s, house % 2, PRECISION_DOUBLE, &r);
        s.areas = 0;
        let_through(&s, &r);
        if (!scene_air_points(&s)) {
            scene_free(&s);
            continue;
        }
        const size_t count = sum_links(&s, expected);
        for (int axis = 0; axis < 3; axis++) {
            mirror(&s, axis);
            assert_int_equal(sum_links(&s, got), count);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(got[k] - expected[k]) <= 1e-12 * expected[k]);
        }
        scene_free(&s);
    }
}

static void energy_closes_and_the_field_stays_bounded(void **state)
{
    enum { HOUSES = 10, STEPS = 20000, PART = 1000 };
    const struct solver_options cpu = {.engine = "cpu", .threads = 1};
    struct random r = random_cases(__func__);
    size_t linked = 0;
    (void)state;
    for (int house = 0; house < case_count(HOUSES); house++) {
        struct scene s;
        struct solver *solver;
        struct audit start, now;
        make_house(&s, house % 2, PRECISION_DOUBLE, &r);
        let_through(&s, &r);
        if (!scene_air_points(&s)) {
            scene_free(&s);
            continue;
        }
        struct partition_links links = links_of(&s);
        linked += links.count;
        partition_links_free(&links);
        assert_int_equal(scene_open(&solver, &s, &cpu, &error), 0);
        start_at_rest(&s, solver, &r);
        assert_int_equal(solver_audit(solver, &start, &error), 0);
        assert_true(start.balanced && start.stored > 0.0 && fabs(start.absorbed) <= 1e-14 * start.stored);
        for (int n = 0; n < STEPS; n += PART) {
            assert_int_equal(solver_run(solver, PART, &(struct block){NULL, 0, NULL, 0}, &error), 0);
            assert_int_equal(solver_audit(solver, &now, &error), 0);
            assert_true(fabs(now.stored + now.absorbed - start.stored) <= 1e-12 * start.stored);
            assert_true(now.stored >= 0.0 && now.absorbed >= -1e-12 * start.stored);
            assert_true(largest_pressure(&s, solver) <= 10.0);
        }
        solver_close(solver);
        scene_free(&s);
    }
    print_message("links: %zu\n", linked);
    assert_true(linked > (case_count(HOUSES) < HOUSES ? 0 : 500)); /* fewer houses under the sanitizers */
}

/* Runs from noise, with a source, `first` steps, and then the others in another solver. */
static double *run_house(struct scene *s, const struct solver_options *one, const struct solver_options *other,
                         size_t first, size_t steps, uint64_t seed, struct audit *audit)
{
    const size_t *n = s->problem.points, points = n[0] * n[1] * n[2];
    struct random noise = {seed};
    struct solver *solver, *next;
    double *p = malloc(2 * points * sizeof *p), *drive = malloc(steps * sizeof *drive);
    assert_true(p && drive);
    for (size_t i = 0; i < steps; i++)
        drive[i] = random_unit(&noise) - 0.5;
    assert_int_equal(scene_open(&solver, s, one, &error), 0);
    assert_int_equal(scene_noise(s, solver, 1.0, &noise, &error), 0);
    assert_int_equal(solver_run(solver, first, &(struct block){drive, steps, NULL, 0}, &error), 0);
    assert_int_equal(scene_open(&next, s, other, &error), 0);
    size_t *bytes = malloc((n[2] + 1) * sizeof *bytes);
    assert_non_null(bytes);
    assert_int_equal(solver_state_block_bytes(solver, bytes, &error), 0);
    for (size_t block = 0; block <= n[2]; block++) {
        char *state = malloc(bytes[block]);
        assert_int_equal(solver_get_state_block(solver, block, state, &error), 0);
        assert_int_equal(solver_put_state_block(next, block, state, bytes[block], &error), 0);
        free(state);
    }
    static const char *const arrays[] = {"p", "p_previous"};
    for (int a = 0; a < 2; a++) {
        assert_int_equal(solver_get(solver, arrays[a], 0, n[2], p, &error), 0);
        assert_int_equal(solver_put(next, arrays[a], 0, n[2], p, &error), 0);
    }
    solver_close(solver);
    assert_int_equal(solver_run(next, steps - first, &(struct block){drive + first, steps, NULL, 0}, &error), 0);
    assert_int_equal(solver_audit(next, audit, &error), 0);
    for (int a = 0; a < 2; a++)
        assert_int_equal(solver_get(next, arrays[a], 0, n[2], p + (size_t)a * points, &error), 0);
    solver_close(next);
    free(bytes);
    free(drive);
    return p;
}

/* Two rooms beside each other, and two above them behind a floor, all joined by partitions. */
static void make_storeys(struct scene *s, bool corners, size_t floor, struct random *r)
{
    make_box(s, 16, 11, 26, PRECISION_DOUBLE);
    fill(s, 7, 9, 0, 11, 0, 26, FIRST);
    fill(s, 0, 16, 5, 6, 0, 26, FIRST + 1);
    fill(s, 0, 16, 0, 11, floor, floor + 2, FIRST + 2);
    s->leapfrog.admittance[FIRST] = 0.1;
    if (corners)
        scene_use_corners(s);
    let_through(s, r);
    scene_drive(s, scene_point(s, 2, 2, 2), 1.0);
}

static void threads_parts_and_checkpoints_leave_the_bits_alone(void **state)
{
    enum { STEPS = 60 };
    struct random r = random_cases(__func__);
    (void)state;
    for (int house = 0; house < 6; house++) {
        struct scene s;
        struct audit expected, got;
        const struct solver_options plain = {.engine = "cpu", .threads = 1};
        make_storeys(&s, house % 2, random_between(&r, 8, 16), &r);
        const uint64_t seed = random_bits(&r);
        const size_t bytes = 2 * s.problem.points[0] * s.problem.points[1] * s.problem.points[2] * sizeof(double);
        double *whole = run_house(&s, &plain, &plain, 0, STEPS, seed, &expected);
        for (int run = 0; run < 6; run++) {
            struct solver_options c[2] = {plain, plain};
            for (int i = 0; i < 2; i++) {
                c[i].parts.count = (int)random_between(&r, 1, 3);
                c[i].parts.halo = (int)random_between(&r, 1, 2);
                c[i].threads = (int)random_between(&r, 1, 3);
            }
            double *p = run_house(&s, &c[0], &c[1], random_between(&r, 0, STEPS), STEPS, seed, &got);
            assert_memory_equal(p, whole, bytes);
            const double scale = expected.stored + expected.absorbed;
            assert_true(fabs(got.stored - expected.stored) <= 1e-12 * scale);
            assert_true(fabs(got.absorbed - expected.absorbed) <= 1e-12 * scale);
            free(p);
        }
        free(whole);
        scene_free(&s);
    }
}

static void parts_that_a_partition_leaves_no_cut_are_refused(void **state)
{
    struct scene s;
    struct solver *solver;
    const struct solver_options two = {.engine = "cpu", .threads = 1, .parts.count = 2, .parts.halo = 1};
    (void)state;
    make_box(&s, 6, 6, 8, PRECISION_DOUBLE);
    s.leapfrog.transmission[FIRST] = (struct transmission){10.0, 0.0};
    fill(&s, 0, 6, 0, 6, 1, 7, FIRST);
    assert_int_not_equal(scene_open(&solver, &s, &two, &error), 0);
    assert_int_equal(error.code, ERROR_USAGE);
    assert_non_null(strstr(error.message, "use fewer parts"));
    fill(&s, 0, 6, 0, 6, 1, 7, CELL_AIR);
    fill(&s, 0, 6, 0, 6, 1, 2, FIRST);
    assert_int_equal(scene_open(&solver, &s, &two, &error), 0);
    solver_close(solver);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partition_links_its_two_sides_and_not_its_ends),
        cmocka_unit_test(a_column_links_along_both_of_its_sides),
        cmocka_unit_test(opaque_faces_and_the_edge_of_the_grid_are_no_ends_of_links),
        cmocka_unit_test(two_layers_add_up_and_areas_are_means),
        cmocka_unit_test(partitions_without_admittance_are_no_walls_to_step),
        cmocka_unit_test(transmissions_that_cannot_be_stable_are_refused),
        cmocka_unit_test(a_mirrored_house_has_as_many_links_of_the_same_sum),
        cmocka_unit_test(energy_closes_and_the_field_stays_bounded),
        cmocka_unit_test(threads_parts_and_checkpoints_leave_the_bits_alone),
        cmocka_unit_test(parts_that_a_partition_leaves_no_cut_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
