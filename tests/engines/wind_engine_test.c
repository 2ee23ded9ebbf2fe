/* SPDX-License-Identifier: MIT */
/* Wind instruments in the air of a grid, on every engine that can run here: one balance of energy, and the same bits for
 * any number of threads and parts and after a run is broken off. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/scheme.h"
#include "solver/schemes/bodies/bodies.h"
#include "solver/state.h"
#include "support/random_cases.h"
#include "support/winds.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

#include "support/within.h"

static const double RATE = 24000.0;
enum { STEPS = 3000, POINTS = 30, INSTRUMENTS = 2, HOLE = 10, POINTS_MAX = 64 };

struct band {
    struct scene scene;
    struct wind wind[INSTRUMENTS];
    struct opening openings[INSTRUMENTS][3];
    uint64_t points[INSTRUMENTS][POINTS_MAX];
    struct body body[INSTRUMENTS];
    struct bodies bodies;
    double spacing;
    double *drive; /* [drive_count][STEPS]: breath, lips and holes of each instrument */
};

/* Makes the opening, and appends its points, which lie about (x, y, z), to those of the instrument. */
static struct opening open_at(struct band *b, int i, size_t cell, double radius, size_t x, size_t y, size_t z)
{
    const struct bore_grid *grid = &b->wind[i].bore.grid;
    const double at[3] = {0.3, 0.2, 0.1};
    struct opening_point point[POINTS_MAX];
    const struct opening o =
        opening_in_field(cell, radius, 0.5 * grid->spacing, 2, at, b->spacing, grid, point, POINTS_MAX);
    size_t used = wind_points(&b->wind[i]);
    for (size_t k = 0; k < o.points; k++)
        b->points[i][used++] = scene_point(&b->scene, x + (size_t)point[k].axis[0], y + (size_t)point[k].axis[1], z);
    return o;
}

/* A reed and lips, each with two holes that share cells and a point of the field. */
static void make_instrument(struct band *b, int i, double radius, size_t z)
{
    const struct bore_grid grid = {.spacing = WINDS_SPEED / RATE / 0.999,
                                   .time_step = 1.0 / RATE,
                                   .density = WINDS_DENSITY,
                                   .sound_speed = WINDS_SPEED};
    const struct wall_loss loss = wall_loss_fit(grid.time_step);
    const double profile[2][2] = {{0.0, 2.0 * radius}, {24.0 * grid.spacing, 2.0 * radius}};
    double volume[24];
    struct wind *w = &b->wind[i];
    struct error e;
    bore_volumes(volume, 24, grid.spacing, profile, 2);
    if (bore_make(&w->bore, volume, 24, &grid, &loss, &e))
        fail_msg("%s", e.message);
    w->reed = i ? reed_lips(150.0) : reed_clarinet();
    w->openings = b->openings[i];
    w->points = b->points[i];
    w->spacing = b->spacing;
    w->openings[0] = open_at(b, i, HOLE, 0.004, 8, 15, z + 1);
    w->openings[0].share = 0.4;
    w->opening_count = 1;
    w->openings[1] = open_at(b, i, HOLE, 0.005, 8, 15, z + 1);
    w->openings[1].share = 0.9;
    w->opening_count = 2;
    w->openings[2] = open_at(b, i, 23, radius, 14, 15, z);
    w->opening_count = 3;
    if (wind_couple_openings(w, &e))
        fail_msg("%s", e.message);
    b->body[i].wind = w;
}

static void add_drive(struct band *b, size_t instrument, uint64_t value)
{
    struct channel *c = &b->scene.drives[scene_drive(&b->scene, value, 1.0)];
    c->entries[0].array = (uint16_t)(BODY_ARRAYS + instrument);
}

static void make_band(struct band *b, enum precision precision, struct random *r)
{
    struct error e;
    memset(b, 0, sizeof *b);
    assert_int_equal(scene_box(&b->scene, POINTS, POINTS, POINTS, precision, &e), 0);
    b->scene.leapfrog.admittance[CELL_SOLID] = random_uniform(r, 0.05, 0.5);
    b->spacing = WINDS_SPEED / RATE / sqrt(b->scene.leapfrog.courant_squared);
    make_instrument(b, 0, 0.0075, 7);
    make_instrument(b, 1, 0.025, 22);
    assert_true(b->openings[1][2].points > 1);
    b->bodies = (struct bodies){.body = b->body,
                                .count = INSTRUMENTS,
                                .array_count = INSTRUMENTS,
                                .time_step = 1.0 / RATE,
                                .joules_to_field = opening_gain(1, b->spacing, &b->wind[0].bore.grid) / WINDS_DENSITY};
    b->scene.leapfrog.bodies = &b->bodies;
    for (size_t i = 0; i < INSTRUMENTS; i++)
        for (uint64_t value = 0; value < 4; value++)
            add_drive(b, i, value);
    scene_tap(&b->scene, scene_point(&b->scene, 20, 9, 14), 1.0);
    for (size_t i = 0; i < INSTRUMENTS; i++)
        for (uint64_t value = 0; value < 4; value++) {
            struct channel *c = &b->scene.taps[scene_tap(&b->scene, value, 1.0)];
            c->entries[0].array = (uint16_t)(BODY_ARRAYS + i);
            c->entries[0].level = 1;
        }
    b->drive = calloc(INSTRUMENTS * 4 * STEPS, sizeof *b->drive);
    assert_non_null(b->drive);
    for (size_t n = 0; n < STEPS; n++)
        for (size_t i = 0; i < INSTRUMENTS; i++) {
            double *breath = b->drive + 4 * i * STEPS;
            breath[n] = (i ? 4000.0 : 3000.0) * fmin(1.0, (double)n / 200.0);
            breath[STEPS + n] = i ? 140.0 + 60.0 * (double)n / STEPS : 0.0;
            breath[2 * STEPS + n] = n % 1000 < 500 ? 0.0 : 1e-5;
            breath[3 * STEPS + n] = n % 700 < 300 ? 0.0 : 1e-5;
        }
}

static void free_band(struct band *b)
{
    for (int i = 0; i < INSTRUMENTS; i++) {
        bore_free(&b->wind[i].bore);
        free(b->wind[i].mutual);
    }
    b->scene.leapfrog.bodies = NULL;
    free(b->drive);
    scene_free(&b->scene);
}

/* The whole of one solver into another. */
static void hand_over(struct solver *to, struct solver *from, const struct problem *p)
{
    struct error e;
    const size_t planes = p->points[2];
    size_t bytes[POINTS + 1], most = planes * p->points[0] * p->points[1] * sizeof(double);
    assert_int_equal(solver_state_block_bytes(from, bytes, &e), 0);
    for (size_t i = 0; i <= planes; i++)
        most = bytes[i] > most ? bytes[i] : most;
    char *values = malloc(most);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(solver_get(from, p->scheme->arrays[i], 0, planes, values, &e), 0);
        assert_int_equal(solver_put(to, p->scheme->arrays[i], 0, planes, values, &e), 0);
    }
    for (size_t i = 0; i <= planes; i++) {
        assert_int_equal(solver_get_state_block(from, i, values, &e), 0);
        assert_int_equal(solver_put_state_block(to, i, values, bytes[i], &e), 0);
    }
    free(values);
}

struct heard {
    double *taps; /* [tap_count][STEPS] */
    struct audit audit;
    double worst; /* |stored + absorbed - supplied|, largest of the run */
};

/* `broken`: at that step another solver goes on; 0: none does. */
static struct heard play(struct band *b, const char *engine, int threads, int parts, size_t broken)
{
    const struct problem *p = &b->scene.problem;
    const struct solver_options choice = {
        .engine = engine, .threads = threads, .audit = true, .parts = {.count = parts}};
    struct heard h = {.taps = calloc(p->tap_count * STEPS, sizeof *h.taps)};
    struct solver *solver, *next;
    struct error e;
    if (scene_open(&solver, &b->scene, &choice, &e))
        fail_msg("%s", e.message);
    for (size_t done = 0; done < STEPS; done += 100) {
        const struct block block = {b->drive + done, STEPS, h.taps + done, STEPS};
        if (solver_run(solver, 100, &block, &e) || solver_audit(solver, &h.audit, &e))
            fail_msg("%s", e.message);
        assert_true(h.audit.balanced);
        h.worst = fmax(h.worst, fabs(h.audit.stored + h.audit.absorbed - h.audit.supplied));
        if (broken == done + 100) {
            assert_int_equal(scene_open(&next, &b->scene, &choice, &e), 0);
            hand_over(next, solver, p);
            solver_close(solver);
            solver = next;
        }
    }
    solver_close(solver);
    return h;
}

static double loudest(const double *x)
{
    double max = 0.0;
    for (size_t n = 0; n < STEPS; n++)
        max = fmax(max, fabs(x[n]));
    return max;
}

static void players_instruments_and_air_share_one_balance(void **state)
{
    struct random r = random_cases("rooms with wind instruments");
    struct band b;
    make_band(&b, PRECISION_DOUBLE, &r);
    const struct heard h = play(&b, *state, 1, 1, 0);
    print_message("balance %.1e\n", h.worst / h.audit.supplied);
    assert_within(h.worst / h.audit.supplied, 0.0, 1e-12);
    for (size_t i = 0; i < b.scene.problem.tap_count; i++)
        assert_true(loudest(h.taps + i * STEPS) > 0.0);
    assert_true(loudest(h.taps + STEPS) > 1000.0); /* Pa, in the clarinet */
    free(h.taps);
    free_band(&b);
}

static void threads_parts_and_pauses_leave_every_bit(void **state)
{
    struct random r = random_cases("wind instruments in parts");
    for (int single = 0; single < 2; single++) {
        struct band b;
        make_band(&b, single ? PRECISION_SINGLE : PRECISION_DOUBLE, &r);
        const size_t count = b.scene.problem.tap_count * STEPS, broken = 100 * random_between(&r, 1, STEPS / 100 - 1);
        const struct heard whole = play(&b, *state, 1, 1, 0);
        const int threads[] = {2, 1, 2}, parts[] = {1, 2, 1};
        for (int i = 0; i < 3; i++) {
            const struct heard other = play(&b, *state, threads[i], parts[i], i == 2 ? broken : 0);
            if (memcmp(whole.taps, other.taps, count * sizeof *whole.taps) != 0)
                fail_msg("other bits with %d threads, %d parts%s", threads[i], parts[i], i == 2 ? ", broken off" : "");
            assert_within(other.audit.stored, whole.audit.stored, 1e-9 * whole.audit.stored);
            free(other.taps);
        }
        free(whole.taps);
        free_band(&b);
    }
}

static void engines_agree_with_the_cpu(void **state)
{
    if (!strcmp(*state, "cpu"))
        skip();
    struct random r = random_cases("wind instruments on two engines");
    struct band b;
    make_band(&b, PRECISION_DOUBLE, &r);
    const struct heard expected = play(&b, "cpu", 1, 1, 0), got = play(&b, *state, 1, 1, 0);
    for (size_t tap = 0; tap < b.scene.problem.tap_count; tap++) {
        const double *x = expected.taps + tap * STEPS, *y = got.taps + tap * STEPS, peak = loudest(x);
        for (size_t n = 0; n < STEPS; n++)
            assert_within(y[n], x[n], 1e-9 * peak);
    }
    assert_within(got.audit.absorbed, expected.audit.absorbed, 1e-9 * expected.audit.supplied);
    assert_within(got.audit.supplied, expected.audit.supplied, 1e-9 * expected.audit.supplied);
    free(expected.taps);
    free(got.taps);
    free_band(&b);
}

int main(void)
{
    for (size_t i = 0; engines[i]; i++) {
        const char *reason = engines[i]->unavailable();
        if (reason) {
            print_message("[  SKIPPED ] engine %s: %s\n", engines[i]->name, reason);
            continue;
        }
        char *engine = (char *)(uintptr_t)engines[i]->name;
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(players_instruments_and_air_share_one_balance, engine),
            cmocka_unit_test_prestate(threads_parts_and_pauses_leave_every_bit, engine),
            cmocka_unit_test_prestate(engines_agree_with_the_cpu, engine),
        };
        if (cmocka_run_group_tests_name(engine, tests, NULL, NULL))
            return 1;
    }
    return 0;
}
