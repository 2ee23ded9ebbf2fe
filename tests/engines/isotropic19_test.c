/* SPDX-License-Identifier: MIT */
/* The kernels of the 19-point scheme of the cpu engine against its point-by-point reference: the same bits, whatever
 * the rooms, walls, sources and receivers, and however rows are cut into tiles, temporal blocks, threads and blocks of
 * audio.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { STEPS = 20, CHANNELS = 4, SIDE_MAX = 20, TRIES = 2 };

static struct random random_source;

/* What a run leaves behind. */
struct outcome {
    double taps[CHANNELS * STEPS];
    unsigned char *field; /* level n, then level n - 1 */
    size_t bytes;         /* of a level */
    struct audit audit;
};

static void run(struct outcome *o, struct scene *s, const struct solver_options *c, const double *drive, uint64_t seed,
                size_t block_max)
{
    const size_t *n = s->problem.points;
    struct random noise = {seed};
    struct solver *solver;
    struct error e;
    o->bytes = n[0] * n[1] * n[2] * (s->problem.precision == PRECISION_DOUBLE ? 8 : 4);
    o->field = malloc(2 * o->bytes);
    assert_non_null(o->field);
    memset(o->taps, 0xff, sizeof o->taps); /* NaN: shows values that are not written */
    memset(o->field, 0xee, 2 * o->bytes);
    if (scene_open(&solver, s, c, &e))
        fail_msg("%s: %s", c->kernel, e.message);
    assert_int_equal(scene_noise(s, solver, 1.0, &noise, &e), 0);
    for (size_t done = 0, steps; done < STEPS; done += steps) {
        steps = random_between(&noise, 1, block_max);
        steps = steps < STEPS - done ? steps : STEPS - done;
        const struct block b = {drive + done, STEPS, o->taps + done, STEPS};
        assert_int_equal(solver_run(solver, steps, &b, &e), 0);
    }
    assert_int_equal(solver_get(solver, "p", 0, n[2], o->field, &e), 0);
    assert_int_equal(solver_get(solver, "p_previous", 0, n[2], o->field + o->bytes, &e), 0);
    assert_int_equal(solver_audit(solver, &o->audit, &e), 0);
    solver_close(solver);
}

/* Fields and taps to the bit; energies, which are sums in another order, to rounding of the precision. */
static void assert_same(const struct outcome *got, const struct outcome *expected, enum precision precision)
{
    const double scale = expected->audit.stored + expected->audit.absorbed + fabs(expected->audit.supplied);
    const double bound = (precision == PRECISION_DOUBLE ? 1e-13 : 1e-6) * scale;
    assert_memory_equal(got->taps, expected->taps, sizeof got->taps);
    assert_memory_equal(got->field, expected->field, 2 * expected->bytes);
    assert_true(fabs(got->audit.stored - expected->audit.stored) <= bound);
    assert_true(fabs(got->audit.absorbed - expected->audit.absorbed) <= bound);
    assert_true(fabs(got->audit.supplied - expected->audit.supplied) <= bound);
}

/* Sources and receivers of two points each, anywhere: at walls, too. */
static void furnish(struct scene *s, double drive[CHANNELS * STEPS], struct random *r)
{
    for (int i = 0; i < CHANNELS; i++) {
        scene_drive(s, scene_air_point(s, r), random_unit(r) - 0.5);
        scene_extend(&s->drives[i], scene_air_point(s, r), random_unit(r) - 0.5, 1);
        scene_tap(s, scene_air_point(s, r), 1.0);
        scene_extend(&s->taps[i], scene_air_point(s, r), random_unit(r), (int8_t)random_between(r, 0, 1));
    }
    for (int i = 0; i < CHANNELS * STEPS; i++)
        drive[i] = random_unit(r) - 0.5;
}

static void choose_tiles(struct solver_options *c, struct random *r)
{
    c->threads = (int)random_between(r, 1, 4);
    if (random_between(r, 0, 3) == 0)
        return; /* the engine's own */
    c->block[1] = (int)random_between(r, 1, 12);
    c->time_block = (int)random_between(r, 1, (size_t)c->block[1]);
}

static void check_scene(struct scene *s, struct random *r)
{
    double drive[CHANNELS * STEPS];
    const uint64_t noise = random_bits(r);
    struct outcome expected, got;
    furnish(s, drive, r);
    run(&expected, s, &(struct solver_options){.engine = "cpu", .kernel = "reference", .threads = 1}, drive, noise,
        STEPS);
    for (size_t k = 0; cpu_engine.kernel_name(&isotropic19_scheme, k); k++)
        for (int i = 0; i < TRIES && !cpu_engine.kernel_fault(&isotropic19_scheme, k); i++) {
            struct solver_options c = {.engine = "cpu", .kernel = cpu_engine.kernel_name(&isotropic19_scheme, k)};
            if (!strcmp(c.kernel, "reference"))
                continue;
            choose_tiles(&c, r);
            run(&got, s, &c, drive, noise, random_between(r, 1, STEPS));
            assert_same(&got, &expected, s->problem.precision);
            free(got.field);
        }
    free(expected.field);
    scene_free(s);
}

static bool has_points(const struct scene *s)
{
    const size_t *n = s->problem.points;
    for (uint64_t i = 0; i < (uint64_t)n[0] * n[1] * n[2]; i++)
        if (scene_is_air(s, i))
            return true;
    return false;
}

static void random_rooms_have_the_bits_of_the_reference(void **state)
{
    (void)state;
    const int rooms = case_count(20);
    for (int i = 0; i < rooms;) {
        struct scene s;
        struct error e;
        const enum precision precision = i % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
        assert_int_equal(scene_random(&s, SIDE_MAX, precision, &random_source, &e), 0);
        scene_use_corners(&s);
        if (!has_points(&s)) { /* fixed voxels around the last of the air */
            scene_free(&s);
            continue;
        }
        check_scene(&s, &random_source);
        i++;
    }
}

/* Rows as long as those of large rooms, between walls of all kinds, with a fixed layer or an object in some. */
static void boxes_have_the_bits_of_the_reference(void **state)
{
    (void)state;
    const int boxes = case_count(16);
    for (int i = 0; i < boxes; i++) {
        struct scene s;
        struct error e;
        struct random *r = &random_source;
        const bool few = i < 4; /* long rows */
        const size_t n[3] = {random_between(r, 4, few ? 600 : 90), random_between(r, 4, few ? 7 : 24),
                             random_between(r, 4, few ? 7 : 16)};
        assert_int_equal(scene_box(&s, n[0], n[1], n[2], i % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE, &e), 0);
        for (int face = 0; face < 6; face++) {
            s.outside[face] = (uint8_t)(CELL_SOLID + face);
            s.leapfrog.admittance[CELL_SOLID + face] = random_between(r, 0, 1) ? 2.0 * random_unit(r) : 0.0;
            if (i / 4 % 2 && random_between(r, 0, 1))
                scene_random_branches(&s, face, 4, r);
        }
        if (random_between(r, 0, 3) == 0) { /* a fixed layer */
            scene_fill(&s, (size_t[3]){0, 0, 0}, n, CELL_FIXED);
            scene_fill(&s, (size_t[3]){1, 1, 1}, (size_t[3]){n[0] - 1, n[1] - 1, n[2] - 1}, CELL_AIR);
        } else if (random_between(r, 0, 1)) { /* an object, on the floor or above it */
            size_t from[3], to[3];
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = random_between(r, 0, n[axis] - 2);
                to[axis] = random_between(r, from[axis] + 1, n[axis] - 1);
            }
            scene_fill(&s, from, to, CELL_SOLID + 2);
        }
        scene_use_corners(&s);
        check_scene(&s, r);
    }
}

/* Put and get step nothing: levels go round through slabs, and a run goes on from them. */
static void a_run_goes_on_from_what_was_put(void **state)
{
    (void)state;
    struct scene s;
    struct error e;
    struct outcome whole;
    double drive[CHANNELS * STEPS] = {0};
    const uint64_t noise = random_bits(&random_source);
    const struct solver_options c = {.engine = "cpu", .threads = 2};
    assert_int_equal(scene_random(&s, SIDE_MAX, PRECISION_SINGLE, &random_source, &e), 0);
    /* whose states cannot be put */
    memset(s.leapfrog.branch_count, 0, sizeof s.leapfrog.branch_count);
    memset(s.leapfrog.transmission, 0, sizeof s.leapfrog.transmission);
    scene_use_corners(&s);
    if (has_points(&s)) {
        run(&whole, &s, &c, drive, noise, STEPS);
        struct random again = {noise};
        struct solver *first, *second;
        const size_t nz = s.problem.points[2], cut = nz / 2;
        unsigned char *levels[2] = {malloc(whole.bytes), malloc(whole.bytes)};
        static const char *const names[] = {"p", "p_previous"};
        assert_int_equal(scene_open(&first, &s, &c, &e), 0);
        assert_int_equal(scene_noise(&s, first, 1.0, &again, &e), 0);
        assert_int_equal(solver_run(first, STEPS / 2, &(struct block){NULL, 0, NULL, 0}, &e), 0);
        assert_int_equal(scene_open(&second, &s, &c, &e), 0);
        for (int i = 0; i < 2; i++) {
            assert_non_null(levels[i]);
            assert_int_equal(solver_get(first, names[i], 0, nz, levels[i], &e), 0);
            assert_int_equal(solver_put(second, names[i], 0, cut, levels[i], &e), 0);
            assert_int_equal(solver_put(second, names[i], cut, nz - cut, levels[i] + cut * (whole.bytes / nz), &e), 0);
        }
        assert_int_equal(solver_run(second, STEPS - STEPS / 2, &(struct block){NULL, 0, NULL, 0}, &e), 0);
        assert_int_equal(solver_get(second, "p", 0, nz, levels[0], &e), 0);
        assert_memory_equal(levels[0], whole.field, whole.bytes);
        solver_close(first);
        solver_close(second);
        free(levels[0]);
        free(levels[1]);
        free(whole.field);
    }
    scene_free(&s);
}

int main(void)
{
    random_source = random_cases("rooms of the 19-point scheme");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rooms_have_the_bits_of_the_reference),
        cmocka_unit_test(boxes_have_the_bits_of_the_reference),
        cmocka_unit_test(a_run_goes_on_from_what_was_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
