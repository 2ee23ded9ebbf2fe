/* SPDX-License-Identifier: MIT */
/* A grid in parts compared with the same grid in one part, bit for bit, in random rooms: meshes
 * with objects and sheets, models, blocks and scattered cells, with walls of any kind, drives
 * and taps anywhere, lossy or lossless air, halos of any depth and blocks of audio of any
 * length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/transport/transport.h"
#include "solver/engine.h"
#include "validate/parts/commands.h"
#include "validate/parts/cut_run.h"
#include "validate/parts/host_parts.h"

enum { CASES = 24, CASES_FULL = 200, HALO_MOST = 9, DEPTH_LEAST = 2, DEPTH_MOST = 5 };

/* Numbers of parts in one process; with several processes, their number. */
static const int part_counts[] = {2, 3, 5};
enum { COUNTS = sizeof part_counts / sizeof *part_counts };

/* For one stencil and precision. */
struct tally {
    size_t rooms, runs, branched, lossy; /* rooms; runs in parts; rooms with branches, in lossy air */
    size_t linking;                      /* runs with partitions that transmit */
    size_t blocks, through_host, linked; /* runs in temporal blocks; with halos through the host; through links */
    size_t thin,
        tiled;       /* single steps by thread blocks of few planes; temporal blocks in chunks of a requested length */
    uint64_t wrong;  /* number of values that differ */
    double energy;   /* largest difference of an audit relative to the energy stored and absorbed */
    char first[270]; /* the first run with a difference */
};

/* Describes the first wrong run, and whether it reproduces: results that change from run to run
 * indicate a race. */
static int describe_wrong(struct tally *t, struct cut_run *b, const struct solver_options *c, struct error *e)
{
    const size_t *n = b->run.problem.points;
    if (cut_run_compute(b, c, &b->got, e))
        return -1;
    snprintf(t->first, sizeof t->first,
             "; first in room %zu, %zu x %zu x %zu, %zu steps in blocks of %zu, %d parts, halos of %d, depth %d, %d "
             "planes per block%s; repeated: %llu",
             t->rooms, n[0], n[1], n[2], b->steps, b->block, c->parts.count, c->parts.halo, c->time_block, c->block[2],
             b->got.linked        ? ", through links"
             : c->parts.transport ? ", through the host"
                                  : "",
             (unsigned long long)cut_run_wrong(b));
    return 0;
}

static int compare(struct tally *t, struct cut_run *b, const struct solver_options *c, struct error *e)
{
    if (cut_run_compute(b, c, &b->got, e))
        return (c->time_block > 1 && cut_run_does_not_apply(e)) || cut_run_has_no_cut(b, c, e) ? 0 : -1;
    const uint64_t wrong = cut_run_wrong(b);
    if (wrong && !t->wrong && describe_wrong(t, b, c, e))
        return -1;
    t->wrong += wrong;
    if (c->audit || !strcmp(c->engine, "cpu"))
        t->energy = nan_max(t->energy, cut_run_energy(b));
    t->linking += b->links > 0;
    t->blocks += c->time_block > 1;
    t->thin += c->block[2] > 0 && c->time_block < 2;
    t->tiled += c->block[2] > 0 && c->time_block > 1;
    t->through_host += c->parts.transport && !b->got.linked;
    t->linked += b->got.linked;
    t->runs++;
    return 0;
}

/* Repeats with tiles of a random size, in chunks of any length, if there are such tiles of this
 * depth. */
static int compare_tiles(struct tally *t, struct cut_run *b, struct solver_options *c, struct random *r,
                         struct error *e)
{
    static const int tiles[][2] = {{64, 64},  {64, 80},  {128, 40}, {64, 32},  {64, 40},  {64, 48},  {128, 32},
                                   {256, 32}, {128, 64}, {256, 64}, {256, 80}, {128, 80}, {512, 64}, {128, 160}};
    memcpy(c->block, tiles[random_between(r, 0, sizeof tiles / sizeof *tiles - 1)], sizeof tiles[0]);
    c->block[2] = (int)random_between(r, 1, b->run.problem.points[2] / (size_t)c->parts.count + 1);
    return compare(t, b, c, e);
}

/* On a GPU: single steps, whose energies are known; or thread blocks of few planes, some of
 * which read no halo and begin before it arrives; or temporal blocks. Halos pass from memory to
 * memory, or as between processes. */
static int compare_on_gpu(struct tally *t, struct cut_run *b, struct solver_options *c, struct validation *v,
                          struct error *e)
{
    struct host_parts *parts = NULL;
    const size_t way = random_between(&v->random, 0, 4);
    const bool several = way > 1;
    if (!c->parts.transport && random_between(&v->random, 0, 1)) {
        if (host_parts_open(&parts, c->parts.count, e)) {
            host_parts_close(parts, NULL);
            return -1;
        }
        c->parts.transport = host_parts_leader(parts);
    }
    c->parts.through_host = random_between(&v->random, 0, 1);
    const size_t runs = t->runs;
    const int first = (int)random_between(&v->random, DEPTH_LEAST, DEPTH_MOST),
              twice = (int)random_between(&v->random, 1, 2);
    c->audit = way == 0; /* which takes single steps, and waits for halos */
    if (way == 1) {
        c->block[0] = 32;
        c->block[1] = c->block[2] = (int)random_between(&v->random, 1, 4);
    }
    int status = several ? 0 : compare(t, b, c, e);
    for (int i = 0; several && i <= DEPTH_MOST - DEPTH_LEAST && t->runs == runs && !status; i++) {
        c->time_block = DEPTH_LEAST + (first + i) % (DEPTH_MOST - DEPTH_LEAST + 1);
        c->parts.halo = c->time_block * twice;
        status = compare(t, b, c, e);
    }
    if (t->runs > runs && several && !status)
        status = compare_tiles(t, b, c, &v->random, e);
    return host_parts_close(parts, status ? NULL : e) || status ? -1 : 0;
}

static int compare_parts(struct tally *t, struct cut_run *b, struct validation *v, struct error *e)
{
    const int there = v->choice.parts.transport ? v->choice.parts.transport->count : 0;
    const bool on_gpu = !strcmp(cut_run_engine(&v->choice, e)->name, "cuda");
    const struct solver_options one = {.engine = on_gpu ? "cuda" : "cpu",
                                       .kernel = v->choice.kernel,
                                       .threads = 1,
                                       .device = v->choice.device,
                                       .time_block = on_gpu ? 1 : 0,
                                       .cuda.no_tune = on_gpu,
                                       .audit = on_gpu};
    int status = cut_run_compute(b, &one, &b->expected, e);
    for (int i = 0; i < (there ? 1 : COUNTS) && !status; i++) {
        struct solver_options c = one;
        c.parts.count = there ? there : part_counts[i];
        c.parts.transport = v->choice.parts.transport;
        c.threads = there ? 1 : c.parts.count * (int)random_between(&v->random, 1, 2);
        c.parts.halo = (int)random_between(&v->random, 0, HALO_MOST);
        if (on_gpu)
            validation_share(v, &c);
        if ((size_t)c.parts.count <= b->run.problem.points[2])
            status = on_gpu ? compare_on_gpu(t, b, &c, v, e) : compare(t, b, &c, e);
    }
    return status;
}

static int check_room(struct tally *t, const struct random_room *room, enum air_stencil stencil,
                      enum precision precision, struct validation *v, struct error *e)
{
    struct cut_run *b;
    int status = cut_run_make(&b, room, stencil, precision, &v->random, e);
    if (!status && b) {
        t->rooms++;
        status = compare_parts(t, b, v, e);
        t->branched += b->rows->made && b->rows->rows.branches.point_count > 0;
        t->lossy += b->run.leapfrog.viscosity > 0.0;
    }
    cut_run_free(b);
    return status ? -1 : 0;
}

static int check_rooms(struct tally tallies[2][2], struct validation *v, int cases, const struct scene_mesh *all,
                       struct error *e)
{
    int status = 0;
    for (int i = 0; i < cases && !status; i++) {
        const enum air_stencil stencil = i % 2 ? STENCIL_19_POINT : STENCIL_7_POINT;
        const enum precision precision = i / 2 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
        struct random_room room;
        status = random_room_make(&room, all, stencil == STENCIL_19_POINT, &v->random, e) ||
                 check_room(&tallies[stencil][precision], &room, stencil, precision, v, e);
        random_room_free(&room);
    }
    return status;
}

static void report_rooms(struct report *r, const struct tally *t, const char *engine, const char *what,
                         const char *where)
{
    if (!t->runs) {
        report_skip(r, "bits", "no room has as many planes as parts");
        return;
    }
    char passes[250] = "";
    if (t->blocks || t->through_host || t->linked)
        snprintf(passes, sizeof passes,
                 ", %zu in temporal blocks, %zu of these with chunks of a requested length, %zu with blocks of few "
                 "planes, %zu through the host, %zu through links",
                 t->blocks, t->tiled, t->thin, t->through_host, t->linked);
    report_bound(r, "bits", (double)t->wrong, 0.0,
                 "%s, %s: %zu random rooms, %zu with branches, %zu in lossy air, %zu runs in parts (%s%s), %zu with "
                 "partitions that transmit: values that differ from one part%s",
                 engine, what, t->rooms, t->branched, t->lossy, t->runs, where, passes, t->linking, t->first);
    report_bound(r, "bits", t->energy, 1e-11, "    total energies of the parts compared with one part");
}

static int check_bits(struct validation *v, struct report *r, struct error *e)
{
    struct scene_mesh all[MODELS_SHIPPED] = {{.count = 0}};
    struct tally tallies[2][2] = {{{0}}};
    const int cases = v->cases ? v->cases : v->full ? CASES_FULL : CASES;
    int status = 0;
    const struct engine *engine = cut_run_engine(&v->choice, e);
    if (!engine)
        return -1;
    for (size_t i = 0; i < MODELS_SHIPPED && !status; i++)
        status = model_read(&all[i], i, v, e);
    status = status || check_rooms(tallies, v, cases, all, e);
    for (size_t i = 0; i < MODELS_SHIPPED; i++)
        mesh_clear(&all[i]);
    status = status || made_voxels_check(v, r, cases, e) ? -1 : 0;
    for (int stencil = 0; stencil < 2 && !status; stencil++)
        for (int precision = 0; precision < 2; precision++) {
            char what[40];
            snprintf(what, sizeof what, "%s, %s", stencil_names[stencil], precision_names[precision]);
            if (tallies[stencil][precision].rooms)
                report_rooms(r, &tallies[stencil][precision], engine->name, what,
                             v->choice.parts.transport ? "in several processes" : "2, 3 and 5 in one process");
        }
    return status ? -1 : 0;
}

static const struct check bit_check = {"bits", check_bits};

const struct check *const parts_checks[] = {&bit_check, &resumed_check, NULL};
