/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "solver/engine.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/kernel_rooms.h"
#include "validate/scene/scene.h"

enum {
    ROOMS = 24,
    BOXES = 6, /* of each kind */
    HALLS = 12,
    STEPS = 60,
    BETWEEN = 4, /* largest number of channels whose sources and receivers lie between points */
};

struct outcome {
    double *taps; /* [tap_count][STEPS] */
    void *field;  /* level n, canonical */
    size_t tap_bytes, field_bytes;
    bool in_place; /* temporal blocks ran in place */
};

static void outcome_free(struct outcome *o)
{
    free(o->taps);
    free(o->field);
}

/* The initial state of a room. */
struct start {
    double drive[HALL_CHANNELS * STEPS];
    uint64_t seed; /* of the noise */
    double loudness;
};

/* Faint: many values are below the smallest normal number of single precision, as at the front
 * of every wave. All engines flush these to zero. */
static void draw_start(struct start *start, bool faint, struct random *r)
{
    start->seed = random_bits(r);
    start->loudness = faint ? 0x1p-122 : 1.0;
    for (int i = 0; i < HALL_CHANNELS * STEPS; i++)
        start->drive[i] = start->loudness * (random_unit(r) - 0.5);
}

/* Runs the reference, which takes half a second per room, in pieces with checks for stop. Others
 * run each block as a whole, as that is under test. */
static int run_block(struct solver *solver, const struct solver_options *c, size_t steps, const struct block *b,
                     struct error *e)
{
    const size_t most = c->kernel && !strcmp(c->kernel, "reference") ? 8 : steps;
    for (size_t done = 0, count; done < steps; done += count) {
        const struct block piece = {b->drive + done, b->drive_stride, b->taps + done, b->tap_stride};
        count = steps - done < most ? steps - done : most;
        if (stop_check(e) || solver_run(solver, count, &piece, e))
            return -1;
    }
    return 0;
}

/* Runs from noise, with drives, in blocks of random lengths up to `block`. */
static int compute(struct outcome *o, struct scene *s, const struct solver_options *c, const struct start *start,
                   size_t block, struct error *e)
{
    const size_t *n = s->problem.points, real = precision_bytes(s->problem.precision);
    struct random noise = {start->seed};
    struct solver *solver = NULL;
    *o = (struct outcome){.tap_bytes = s->problem.tap_count * STEPS * sizeof(double),
                          .field_bytes = n[0] * n[1] * n[2] * real};
    o->taps = malloc(o->tap_bytes);
    o->field = malloc(o->field_bytes);
    if (!o->taps || !o->field) {
        outcome_free(o);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    memset(o->taps, 0xff, o->tap_bytes); /* NaN: reveals values that are not written */
    memset(o->field, 0xff, o->field_bytes);
    int status = scene_open(&solver, s, c, e) || scene_noise(s, solver, start->loudness, &noise, e);
    for (size_t done = 0; done < STEPS && !status;) {
        size_t steps = random_between(&noise, 1, block);
        steps = steps > STEPS - done ? STEPS - done : steps;
        const struct block b = {start->drive + done, STEPS, o->taps + done, STEPS};
        status = run_block(solver, c, steps, &b, e);
        done += steps;
    }
    status = status || solver_get(solver, "p", 0, n[2], o->field, e);
    o->in_place = !status && solver_plan_of(solver)->cuda.in_place;
    solver_close(solver);
    if (status)
        outcome_free(o);
    return status;
}

static double field_value(const struct outcome *o, enum precision precision, size_t i)
{
    return precision == PRECISION_DOUBLE ? ((const double *)o->field)[i] : (double)((const float *)o->field)[i];
}

/* Largest difference that counts as none. In faint rooms a GPU may have zero where a processor
 * has the smallest normal number, as it detects subnormal results before rounding, the processor
 * after it. */
static double negligible(const struct start *start, const struct solver_options *c)
{
    return start->loudness < 1.0 && strcmp(c->engine, "cpu") != 0 ? (double)FLT_MIN : 0.0;
}

/* Largest difference of taps and field relative to the largest expected value; NaN if any value
 * is NaN. */
static double difference(const struct outcome *got, const struct outcome *expected, enum precision precision,
                         double nothing)
{
    const size_t taps = expected->tap_bytes / sizeof(double);
    const size_t points = expected->field_bytes / (precision_bytes(precision));
    double peak = 0.0, worst = 0.0;
    for (size_t i = 0; i < taps + points; i++) {
        const double a = i < taps ? expected->taps[i] : field_value(expected, precision, i - taps);
        const double b = i < taps ? got->taps[i] : field_value(got, precision, i - taps);
        peak = fmax(peak, fabs(a));
        if (!(fabs(a - b) <= nothing))
            worst = nan_max(worst, fabs(a - b));
    }
    return worst > 0.0 || isnan(worst) ? worst / peak : 0.0;
}

struct kernel_tally {
    double worst;
    size_t rooms; /* number of rooms that the kernel could run */
};

struct tally {
    struct kernel_tally *kernels; /* in the order of the engine */
    double blocks, threads;
    bool at_walls; /* drives may lie at absorbing walls */
    bool faint;    /* rooms may be faint */
};

static void keep(double *worst, double value)
{
    *worst = nan_max(*worst, value);
}

/* Runs a room once more and compares. A requested kernel that does not apply is not a failure. */
static int compare(double *worst, struct scene *s, const struct solver_options *c, const struct start *start,
                   size_t block, const struct outcome *expected, struct error *e)
{
    struct outcome got;
    if (compute(&got, s, c, start, block, e))
        return e->code == ERROR_ENGINE && c->kernel ? 0 : -1;
    keep(worst, difference(&got, expected, s->problem.precision, negligible(start, c)));
    outcome_free(&got);
    return 0;
}

static int check_room(struct validation *v, const struct engine *engine, struct tally *tally, struct scene *s,
                      struct error *e)
{
    struct outcome expected, got;
    const enum precision precision = s->problem.precision;
    const struct solver_options reference = {.engine = "cpu", .kernel = "reference", .threads = 1};
    struct start start;
    if (!tally->at_walls) /* engines add drives and flows through partitions in different orders */
        memset(s->leapfrog.transmission, 0, sizeof s->leapfrog.transmission);
    furnish_room(s, tally->at_walls, &v->random);
    draw_start(&start, tally->faint && random_between(&v->random, 0, 2) == 0, &v->random);
    if (compute(&expected, s, &reference, &start, STEPS, e))
        return -1;
    int status = 0;
    for (size_t k = 0; engine->kernel_name(s->problem.scheme, k) && !status; k++) {
        struct solver_options c = v->choice;
        c.kernel = webb_kernel(engine->kernel_name(s->problem.scheme, k), v->webb_variant);
        if (v->choice.kernel && strcmp(v->choice.kernel, c.kernel) != 0)
            continue;
        c.engine = engine->name;
        c.threads = 1;
        struct error reason;
        if (compute(&got, s, &c, &start, STEPS, &reason)) {
            if (reason.code != ERROR_ENGINE) /* a kernel that does not apply to this room is not a failure */
                status = fail(e, reason.code, "%s: %.900s", c.kernel, reason.message);
            continue;
        }
        keep(&tally->kernels[k].worst, difference(&got, &expected, precision, negligible(&start, &c)));
        tally->kernels[k].rooms++;
        outcome_free(&got);
        if (!strcmp(engine->name, "cuda") && !strncmp(c.kernel, "room", 4)) { /* tiles that wait for tiles */
            c.block[0] = 32;
            c.block[1] = (int)random_between(&v->random, 1, 4);
            c.block[2] = (int)random_between(&v->random, 1, 4);
            status = compare(&tally->kernels[k].worst, s, &c, &start, STEPS, &expected, e);
        }
    }
    struct solver_options three = v->choice, one = v->choice;
    three.engine = one.engine = engine->name;
    three.threads = 3;
    one.threads = 1;
    /* in half the rooms random tiles and depths, otherwise the engine's choice; the reference
     * visits the grid in a fixed order */
    if (!strcmp(engine->name, "cpu") && engine->kernel_name(s->problem.scheme, 1)) {
        struct solver_options *both[2] = {&three, &one};
        for (int i = 0; i < 2 && random_between(&v->random, 0, 1); i++) {
            both[i]->block[1] = (int)random_between(&v->random, 1, 12);
            both[i]->time_block = (int)random_between(&v->random, 1, (size_t)both[i]->block[1]);
        }
    }
    status = status || compare(&tally->threads, s, &three, &start, STEPS, &expected, e) ||
             compare(&tally->blocks, s, &one, &start, 7, &expected, e);
    outcome_free(&expected);
    return status;
}

static void report_kernels(struct report *r, const struct tally *tally, const struct validation *v,
                           const struct engine *engine, const struct scheme *scheme, enum precision precision,
                           double bound)
{
    const char *name;
    for (size_t k = 0; (name = engine->kernel_name(scheme, k)); k++) {
        if (v->choice.kernel && strcmp(v->choice.kernel, webb_kernel(name, v->webb_variant)) != 0)
            continue;
        if (!tally->kernels[k].rooms)
            report_skip(r, "kernels", name);
        else if (strcmp(name, "reference") != 0)
            report_bound(r, "kernels", tally->kernels[k].worst, bound,
                         "%s/%s, %s: %zu random rooms%s compared with the reference, error relative to peak",
                         engine->name, name, precision_names[precision], tally->kernels[k].rooms,
                         tally->at_walls ? "" : " (sources apart and away from absorbing walls)");
    }
    const char *tiles = strcmp(engine->name, "cpu") ? "" : ", tiles and temporal blocks";
    report_bound(r, "kernels", tally->threads, bound, "    with three threads%s", tiles);
    report_bound(r, "kernels", tally->blocks, bound, "    split into random blocks of steps%s", tiles);
}

/* The bound for an engine's kernels: the same bits, except for drives at walls on the cuda
 * engine. */
static int check_drives(struct validation *v, const struct engine *engine, enum air_stencil stencil,
                        enum precision precision, bool at_walls, struct report *r, struct error *e)
{
    const struct scheme *scheme = stencil == STENCIL_19_POINT ? &isotropic19_scheme : &cartesian7_scheme;
    const bool same_bits = !strcmp(engine->name, "cpu") || !at_walls;
    const double bound = same_bits ? 0.0 : precision == PRECISION_DOUBLE ? 1e-12 : 1e-4;
    const int fewer = stencil == STENCIL_19_POINT ? 2 : 1; /* its reference is slower */
    const int rooms = v->cases ? v->cases : ROOMS / fewer, boxes = v->cases ? v->cases : BOXES / fewer;
    struct tally tally = {.at_walls = at_walls, .faint = same_bits && precision == PRECISION_SINGLE};
    tally.kernels = calloc(validation_kernels(engine, scheme), sizeof *tally.kernels);
    int status = tally.kernels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rooms + 2 * boxes && !status; i++) {
        const enum kernel_room form = i < rooms ? ROOM_RANDOM : i < rooms + boxes ? ROOM_FIXED_BOX : ROOM_ABSORBING_BOX;
        struct scene s;
        status = make_room(&s, form, stencil, precision, &v->random, e) || check_room(v, engine, &tally, &s, e);
        scene_free(&s);
    }
    if (!status)
        report_kernels(r, &tally, v, engine, scheme, precision, bound);
    free(tally.kernels);
    return status ? -1 : 0;
}

static int check_precision_of(struct validation *v, const struct engine *engine, enum air_stencil stencil,
                              enum precision precision, struct report *r, struct error *e)
{
    const bool apart = stencil == STENCIL_19_POINT && strcmp(engine->name, "cpu") != 0;
    return (apart && check_drives(v, engine, stencil, precision, false, r, e)) ||
                   check_drives(v, engine, stencil, precision, true, r, e)
               ? -1
               : 0;
}

struct temporal_tally {
    double worst;
    size_t runs, in_place, branches;
};

static bool has_branches(const struct scene *s)
{
    for (int code = CELL_SOLID; code < CELL_CODES; code++)
        if (s->leapfrog.branch_count[code])
            return true;
    return false;
}

/* Number of planes of a chunk: any, or such that one ends next to a receiver. */
static int draw_chunk(const struct scene *s, struct random *r)
{
    const size_t *n = s->problem.points, any = random_between(r, 1, n[2]);
    const struct channel *c = &s->taps[random_between(r, 0, s->problem.tap_count - 1)];
    const size_t z = c->entries[random_between(r, 0, c->count - 1)].point / n[0] / n[1];
    return (int)(z && random_between(r, 0, 1) ? z : any);
}

/* Compares temporal blocks of every depth and tile shape, in chunks of random size, in place or
 * not, with single steps. */
static int check_hall(struct validation *v, const char *engine, struct temporal_tally *tally, struct scene *s,
                      struct error *e)
{
    /* of the tables in cuda/temporal/tile.cu and tile19.cu; clusters of tiles from the eighth on */
    static const int tiles[][2] = {{64, 64},  {64, 80},  {128, 40}, {64, 32},  {64, 40},  {64, 48},  {128, 32},
                                   {256, 32}, {128, 64}, {256, 64}, {256, 80}, {128, 80}, {512, 64}, {128, 160}};
    enum { TILES = sizeof tiles / sizeof *tiles, DEPTHS = 4 };
    const struct solver_options plain = {.engine = engine, .kernel = "room"};
    struct start start;
    struct outcome expected, got;
    draw_start(&start, s->problem.precision == PRECISION_SINGLE && random_between(&v->random, 0, 2) == 0, &v->random);
    if (compute(&expected, s, &plain, &start, STEPS, e))
        return -1;
    int status = 0;
    for (int i = 0; i < TILES + DEPTHS && !status; i++) {
        struct solver_options c = {.engine = engine, .kernel = "temporal"};
        c.cuda.in_place = random_between(&v->random, 0, 1) || i == TILES;
        struct error reason;
        if (i < TILES) {
            memcpy(c.block, tiles[i], sizeof tiles[i]);
            c.block[2] = draw_chunk(s, &v->random);
        } else if (i > TILES) {
            c.time_block = i - TILES + 2;
        }
        if (compute(&got, s, &c, &start, i % 2 ? 23 : STEPS, &reason)) {
            if (reason.code != ERROR_ENGINE) /* this precision has no such shape */
                status = fail(e, reason.code, "%s: %.900s", c.kernel, reason.message);
            continue;
        }
        keep(&tally->worst, difference(&got, &expected, s->problem.precision, 0.0));
        tally->runs++;
        tally->in_place += got.in_place;
        tally->branches += has_branches(s);
        outcome_free(&got);
    }
    outcome_free(&expected);
    return status;
}

static int check_temporal_blocks(struct validation *v, const char *engine, enum air_stencil stencil,
                                 enum precision precision, struct report *r, struct error *e)
{
    const int halls = v->cases ? v->cases : HALLS;
    struct temporal_tally tally = {0};
    for (int i = 0; i < halls; i++) {
        struct scene s;
        /* rooms with objects do not run in place */
        const enum plain_hall plain = stencil == STENCIL_19_POINT && i < PLAIN_HALLS ? (enum plain_hall)i : NOT_PLAIN;
        const size_t objects_max = stencil == STENCIL_19_POINT && i < PLAIN_HALLS ? 0 : 2;
        /* too many points for most tiles in place */
        const int between = i % 3 == 2 ? 0 : BETWEEN;
        const int status = make_hall(&s, stencil, precision, !plain && i % 2, objects_max, plain, i % 4 > 1 && !plain,
                                     between, &v->random, e) ||
                           check_hall(v, engine, &tally, &s, e);
        scene_free(&s);
        if (status)
            return -1;
    }
    if (!tally.runs)
        report_skip(r, "kernels", "temporal blocks");
    else
        report_bound(r, "kernels", v->cases || (tally.in_place && tally.branches) ? tally.worst : NAN, 0.0,
                     "%s, %s: %zu runs in temporal blocks, %zu in place, %zu with branches, compared with single steps",
                     engine, precision_names[precision], tally.runs, tally.in_place, tally.branches);
    return 0;
}

int kernels_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    const bool cuda = !strcmp(engine->name, "cuda");
    if (cuda && v->choice.kernel && !strcmp(v->choice.kernel, "fused"))
        v->choice.kernel = "temporal"; /* its former name */
    return check_precision_of(v, engine, stencil, PRECISION_DOUBLE, r, e) ||
           check_precision_of(v, engine, stencil, PRECISION_SINGLE, r, e) ||
           (cuda && (check_temporal_blocks(v, engine->name, stencil, PRECISION_DOUBLE, r, e) ||
                     check_temporal_blocks(v, engine->name, stencil, PRECISION_SINGLE, r, e)));
}

int check_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_7_POINT, e);
}
