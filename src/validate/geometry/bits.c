/* SPDX-License-Identifier: MIT */
/* Every kernel of the engine compared with its single steps, bit for bit, in random rooms:
 * meshes with objects and sheets, models, blocks and scattered cells, with walls of any kind,
 * and in boxes behind fixed layers. Temporal blocks have every depth, one of their tiles, and
 * also run in place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "solver/engine.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/rows.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/random_room.h"
#include "validate/geometry/voxel_run.h"

enum { CASES = 8, CASES_CUDA = 60, CHANNELS = 5, STEPS_MAX = 240, STEPS_MAX_CPU = 60, DEPTHS = 8 };

/* For one stencil and precision. */
struct tally {
    size_t rooms, runs, blocks, in_place; /* number of runs; of these in temporal blocks; of these in place */
    size_t of_form[RANDOM_ROOM_FORMS];
    uint64_t wrong;  /* number of values that differ */
    char first[300]; /* the first run with a difference */
};

struct bits {
    struct voxel_run run;
    struct kept_rows *rows;
    struct channel drives[CHANNELS], taps[CHANNELS];
    struct channel_entry entries[2][CHANNELS][2];
    double drive[CHANNELS * STEPS_MAX], expected_taps[CHANNELS * STEPS_MAX], got_taps[CHANNELS * STEPS_MAX];
    size_t steps, block; /* of a run; of one call */
    void *noise[2];      /* p and p_previous, [points] in the problem's precision */
    void *expected, *got;
    bool took_blocks, in_place; /* in the last run */
};

/* --- the room --- */

/* A random point that is stepped; with the 19-point stencil, those at fixed voxels are not. */
static uint64_t stepped_point(const struct bits *b, const struct rows *rows, struct random *r)
{
    for (;;) {
        const uint64_t point = random_between(r, 0, b->run.points - 1);
        if (rows_mass(rows, point) > 0.0)
            return point;
    }
}

static int furnish(struct bits *b, size_t steps_max, struct random *r, struct error *e)
{
    struct rows rows;
    if (rows_make(&rows, &b->run.problem, e)) /* cached for all runs */
        return -1;
    if (!rows.air_points) {
        rows_free(&rows);
        return fail(e, ERROR_ENGINE, "the room contains no point to step");
    }
    for (int i = 0; i < CHANNELS; i++) {
        for (int k = 0; k < 2; k++) {
            const struct channel_entry drive = {stepped_point(b, &rows, r), random_unit(r) - 0.5, 0, 1};
            const struct channel_entry tap = {stepped_point(b, &rows, r), random_unit(r), 0,
                                              (int8_t)random_between(r, 0, 1)};
            b->entries[0][i][k] = drive;
            b->entries[1][i][k] = tap;
        }
        b->drives[i] = (struct channel){b->entries[0][i], 2};
        b->taps[i] = (struct channel){b->entries[1][i], 2};
    }
    b->run.problem.drives = b->drives;
    b->run.problem.taps = b->taps;
    b->run.problem.drive_count = b->run.problem.tap_count = CHANNELS;
    b->steps = random_between(r, 20, steps_max);
    b->block = random_between(r, 0, 1) ? b->steps : random_between(r, 1, b->steps);
    for (size_t i = 0; i < CHANNELS * b->steps; i++)
        b->drive[i] = random_unit(r) - 0.5;
    rows_free(&rows);
    return 0;
}

static int make_noise(struct bits *b, struct random *r, struct error *e)
{
    const bool wide = b->run.problem.precision == PRECISION_DOUBLE;
    const size_t bytes = b->run.points * precision_bytes(b->run.problem.precision);
    b->expected = malloc(bytes);
    b->got = malloc(bytes);
    for (int level = 0; level < 2; level++) {
        b->noise[level] = malloc(bytes);
        for (size_t i = 0; i < b->run.points && b->noise[level]; i++) {
            const double value = b->run.mass[i] > 0.0 ? random_unit(r) - 0.5 : 0.0;
            if (wide)
                ((double *)b->noise[level])[i] = value;
            else
                ((float *)b->noise[level])[i] = (float)value;
        }
    }
    return b->expected && b->got && b->noise[0] && b->noise[1] ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static void bits_free(struct bits *b)
{
    if (!b)
        return;
    kept_rows_free(b->rows);
    voxel_run_free(&b->run);
    free(b->noise[0]);
    free(b->noise[1]);
    free(b->expected);
    free(b->got);
    free(b);
}

/* --- runs --- */

static int compute(struct bits *b, const struct solver_options *c, void *field, double *taps, struct error *e)
{
    const size_t planes = b->run.problem.points[2];
    struct solver *solver = NULL;
    memset(taps, 0xff, CHANNELS * b->steps * sizeof *taps); /* NaN: reveals values that are not written */
    int status = solver_open(&solver, &b->run.problem, c, e) || solver_put(solver, "p", 0, planes, b->noise[0], e) ||
                 solver_put(solver, "p_previous", 0, planes, b->noise[1], e);
    for (size_t done = 0; done < b->steps && !status;) {
        const size_t steps = b->steps - done < b->block ? b->steps - done : b->block;
        const struct block block = {b->drive + done, b->steps, taps + done, b->steps};
        status = stop_check(e) || solver_run(solver, steps, &block, e);
        done += steps;
    }
    status = status || solver_get(solver, "p", 0, planes, field, e);
    if (!status) {
        b->took_blocks = c->time_block > 1 || solver_plan_of(solver)->time_block > 1;
        b->in_place = solver_plan_of(solver)->cuda.in_place;
    }
    solver_close(solver);
    return status ? -1 : 0;
}

static uint64_t count_wrong(const struct bits *b)
{
    const bool wide = b->run.problem.precision == PRECISION_DOUBLE;
    uint64_t wrong = 0;
    for (size_t i = 0; i < b->run.points; i++)
        wrong += wide ? !(((const double *)b->got)[i] == ((const double *)b->expected)[i])
                      : !(((const float *)b->got)[i] == ((const float *)b->expected)[i]);
    for (size_t i = 0; i < CHANNELS * b->steps; i++)
        wrong += !(b->got_taps[i] == b->expected_taps[i]);
    return wrong;
}

/* Describes the first wrong run, and whether it and single steps reproduce: results that change
 * from run to run indicate a race. */
static int describe_wrong(struct tally *t, struct bits *b, const struct solver_options *single,
                          const struct solver_options *c, struct error *e)
{
    const size_t *n = b->run.problem.points;
    const bool in_place = b->in_place;
    if (compute(b, c, b->got, b->got_taps, e))
        return -1;
    const uint64_t again = count_wrong(b);
    if (compute(b, single, b->got, b->got_taps, e))
        return -1;
    snprintf(t->first, sizeof t->first,
             "; first in room %zu, %zu x %zu x %zu, %zu steps, kernel %s, depth %d, block %d x %d x %d%s; repeated: "
             "%llu, single steps repeated: %llu",
             t->rooms + 1, n[0], n[1], n[2], b->steps, c->kernel, c->time_block, c->block[0], c->block[1], c->block[2],
             in_place ? ", in place" : "", (unsigned long long)again, (unsigned long long)count_wrong(b));
    return 0;
}

/* A kernel, depth or tile that does not apply to the room is not a failure. */
static int compare(struct tally *t, struct bits *b, const struct solver_options *single, const struct solver_options *c,
                   struct error *e)
{
    struct error reason;
    if (compute(b, c, b->got, b->got_taps, &reason))
        return reason.code == ERROR_ENGINE || reason.code == ERROR_USAGE
                   ? 0
                   : fail(e, reason.code, "%s: %.900s", c->kernel, reason.message);
    const uint64_t wrong = count_wrong(b);
    const bool in_place = b->in_place;
    if (wrong && !t->wrong && describe_wrong(t, b, single, c, e))
        return -1;
    t->wrong += wrong;
    t->runs++;
    t->blocks += c->time_block > 1 || b->took_blocks;
    t->in_place += in_place;
    return 0;
}

/* On the CPU: temporal blocks of a random depth. */
static int compare_passes(struct tally *t, struct bits *b, const struct solver_options *single,
                          const struct solver_options *plain, struct random *r, struct error *e)
{
    struct solver_options c = *plain;
    c.time_block = (int)random_between(r, 2, DEPTHS);
    c.block[1] = (int)random_between(r, (size_t)c.time_block, 2 * DEPTHS);
    return compare(t, b, single, &c, e);
}

/* On a GPU: those of every depth, in place if possible, in a tile and in a cluster of tiles. */
static int compare_blocks(struct tally *t, struct bits *b, const struct solver_options *single,
                          const struct solver_options *plain, struct random *r, struct error *e)
{
    enum { TILES = 7 };
    static const int tiles[2][TILES][2] = {
        {{64, 64}, {64, 80}, {128, 40}, {64, 32}, {64, 40}, {64, 48}, {128, 32}},
        {{256, 32}, {128, 64}, {256, 64}, {256, 80}, {128, 80}, {512, 64}, {128, 160}},
    };
    int status = 0;
    for (int depth = 2; depth <= DEPTHS && !status; depth++) {
        struct solver_options c = *plain;
        c.time_block = depth;
        c.cuda.in_place = random_between(r, 0, 3) == 0;
        status = compare(t, b, single, &c, e);
    }
    for (int i = 0; i < 2 && !status; i++) {
        struct solver_options c = *plain;
        memcpy(c.block, tiles[i][random_between(r, 0, TILES - 1)], sizeof tiles[i][0]);
        c.block[2] = (int)random_between(r, 1, b->run.problem.points[2]);
        c.cuda.in_place = random_between(r, 0, 3) == 0;
        status = compare(t, b, single, &c, e);
    }
    return status;
}

/* On a GPU also with thread blocks of few points, for which a step of a box waits for tiles of
 * the previous step: docs/design/gpu.md (G19). */
static int compare_small_tiles(struct tally *t, struct bits *b, const struct solver_options *single,
                               const struct solver_options *plain, struct random *r, struct error *e)
{
    struct solver_options c = *plain;
    if (strncmp(c.kernel, "room", 4) != 0)
        return 0;
    c.time_block = 1;
    c.block[0] = 32;
    c.block[1] = (int)random_between(r, 1, 4);
    c.block[2] = (int)random_between(r, 1, 4);
    return compare(t, b, single, &c, e);
}

static int compare_kernels(struct tally *t, struct bits *b, struct validation *v, const struct engine *engine,
                           struct error *e)
{
    const struct scheme *scheme = b->run.problem.scheme;
    const bool cuda = !strcmp(engine->name, "cuda");
    const struct solver_options single = {.engine = engine->name,
                                          .kernel = cuda ? "room" : "reference",
                                          .threads = 1,
                                          .device = v->choice.device,
                                          .time_block = cuda ? 1 : 0,
                                          .cuda.no_tune = true};
    int status = compute(b, &single, b->expected, b->expected_taps, e);
    for (size_t k = 0; engine->kernel_name(scheme, k) && !status; k++) {
        struct solver_options c = single;
        c.kernel = webb_kernel(engine->kernel_name(scheme, k), v->webb_variant);
        c.time_block = 0;
        c.threads = cuda ? 0 : (int)random_between(&v->random, 1, 3);
        if ((v->choice.kernel && strcmp(v->choice.kernel, c.kernel) != 0) || !strcmp(c.kernel, "reference"))
            continue;
        status = compare(t, b, &single, &c, e) ||
                 (cuda ? compare_blocks : compare_passes)(t, b, &single, &c, &v->random, e) ||
                 (cuda && compare_small_tiles(t, b, &single, &c, &v->random, e));
    }
    return status;
}

static int check_room(struct tally *t, const struct random_room *room, enum air_stencil stencil,
                      enum precision precision, struct validation *v, const struct engine *engine, struct error *e)
{
    struct bits *b = calloc(1, sizeof *b);
    int status = b ? voxel_run_make(&b->run, &room->room, stencil, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && !(b->rows = calloc(1, sizeof *b->rows)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        b->run.problem.precision = precision;
        b->rows->voxels = room->room.set;
        b->run.leapfrog.kept_rows = b->rows;
        voxel_run_any_walls(&b->run, &v->random);
        status = furnish(b, strcmp(engine->name, "cuda") ? STEPS_MAX_CPU : STEPS_MAX, &v->random, e);
        if (status && e->code == ERROR_ENGINE) { /* a room of cells without points */
            bits_free(b);
            return 0;
        }
        status = status || make_noise(b, &v->random, e) || compare_kernels(t, b, v, engine, e);
        t->rooms++;
        t->of_form[room->form]++;
    }
    bits_free(b);
    return status;
}

static int check_rooms(struct tally tallies[2][2], struct validation *v, const struct engine *engine, int cases,
                       const struct scene_mesh *all, struct error *e)
{
    int status = 0;
    for (int i = 0; i < cases && !status; i++) {
        const enum air_stencil stencil = i % 2 ? STENCIL_19_POINT : STENCIL_7_POINT;
        const enum precision precision = i / 2 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
        struct random_room room;
        status = random_room_make(&room, all, stencil == STENCIL_19_POINT, &v->random, e) ||
                 check_room(&tallies[stencil][precision], &room, stencil, precision, v, engine, e);
        random_room_free(&room);
    }
    return status;
}

/* Behind many fixed layers, for each position of the first column with air relative to the
 * alignment of tiles. */
static int check_layered_rooms(struct tally tallies[2][2], struct validation *v, const struct engine *engine,
                               struct error *e)
{
    enum { LAYERS = 40, PLACES = 8 };
    int status = 0;
    for (int i = 0; i < 4 * PLACES && !status; i++) {
        const enum air_stencil stencil = i % 2 ? STENCIL_19_POINT : STENCIL_7_POINT;
        const enum precision precision = i / 2 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
        struct random_room room;
        status = layered_room_make(&room, LAYERS + (size_t)i / 4, e) ||
                 check_room(&tallies[stencil][precision], &room, stencil, precision, v, engine, e);
        random_room_free(&room);
    }
    return status;
}

static void report_rooms(struct report *r, const struct tally *t, const char *engine, const char *what)
{
    if (!t->blocks)
        report_skip(r, "bits", "no selected kernel of this engine supports temporal blocking");
    else
        report_bound(r, "bits", (double)t->wrong, 0.0,
                     "%s, %s: %zu rooms (%zu meshes, %zu models, %zu of blocks, %zu of cells), %zu runs, %zu in "
                     "temporal blocks, %zu in place: values that differ from single steps%s",
                     engine, what, t->rooms, t->of_form[ROOM_OF_MESH], t->of_form[ROOM_OF_MODEL],
                     t->of_form[ROOM_OF_BLOCKS], t->of_form[ROOM_OF_CELLS], t->runs, t->blocks, t->in_place, t->first);
}

int check_geometry_bits(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    struct scene_mesh all[MODELS_SHIPPED] = {{.count = 0}};
    struct tally tallies[2][2] = {{{0}}};
    if (!engine)
        return -1;
    const int cases = v->cases                        ? v->cases
                      : !strcmp(engine->name, "cuda") ? CASES_CUDA * (v->full ? 10 : 1)
                                                      : CASES * (v->full ? 10 : 1);
    int status = 0;
    for (size_t i = 0; i < MODELS_SHIPPED && !status; i++)
        status = model_read(&all[i], i, v, e);
    status = status || check_layered_rooms(tallies, v, engine, e) || check_rooms(tallies, v, engine, cases, all, e);
    for (size_t i = 0; i < MODELS_SHIPPED; i++)
        mesh_clear(&all[i]);
    for (int stencil = 0; stencil < 2 && !status; stencil++)
        for (int precision = 0; precision < 2; precision++) {
            char what[40];
            snprintf(what, sizeof what, "%s, %s", stencil_names[stencil], precision_names[precision]);
            if (tallies[stencil][precision].rooms)
                report_rooms(r, &tallies[stencil][precision], engine->name, what);
        }
    return status ? -1 : 0;
}
