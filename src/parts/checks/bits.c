/* A grid in parts against the same grid in one, bit for bit, in random rooms: meshes with objects and sheets, models,
 * blocks and scattered cells, with walls of any kind, drives and taps anywhere, air that loses or not. Halos of any depth,
 * blocks of audio of any length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "parts/checks/cut_run.h"
#include "parts/commands.h"
#include "parts/transport.h"

enum { CASES = 24, CASES_FULL = 200, HALO_MOST = 9 };

/* Numbers of parts of one process. Between processes it is theirs. */
static const int part_counts[] = {2, 3, 5};
enum { COUNTS = sizeof part_counts / sizeof *part_counts };

/* Of one stencil and precision. */
struct tally {
    size_t rooms, runs, branched, lossy; /* rooms; runs in parts; rooms with branches, in lossy air */
    uint64_t wrong;                      /* values that differ */
    double energy;                       /* largest difference of an audit, over the energy stored and absorbed */
    char first[200];                     /* the first run with any */
};

static int compute(struct cut_run *b, const struct choice *c, struct cut_outcome *o, struct error *e)
{
    struct solver *solver;
    cut_run_blank(b, o);
    if (cut_run_open(&solver, b, c, e))
        return -1;
    if (!cut_run_steps(solver, b, 0, b->steps, o, e))
        return cut_run_end(solver, b, o, e);
    solver_close(solver);
    return -1;
}

static int compare(struct tally *t, struct cut_run *b, const struct choice *c, struct error *e)
{
    const size_t *n = b->run.problem.points;
    if (compute(b, c, &b->got, e))
        return -1;
    const uint64_t wrong = cut_run_wrong(b);
    if (wrong && !t->wrong)
        snprintf(t->first, sizeof t->first,
                 "; first in room %zu, %zu x %zu x %zu, %zu steps in blocks of %zu, %d parts, halos of %d", t->rooms,
                 n[0], n[1], n[2], b->steps, b->block, c->parts, c->halo);
    t->wrong += wrong;
    t->energy = worst_of(t->energy, cut_run_energy(b));
    t->runs++;
    return 0;
}

static int compare_parts(struct tally *t, struct cut_run *b, struct validation *v, struct error *e)
{
    const int there = v->choice.transport ? v->choice.transport->count : 0;
    const struct choice one = {.engine = "cpu", .kernel = v->choice.kernel, .threads = 1};
    int status = compute(b, &one, &b->expected, e);
    for (int i = 0; i < (there ? 1 : COUNTS) && !status; i++) {
        struct choice c = one;
        c.parts = there ? there : part_counts[i];
        c.transport = v->choice.transport;
        c.threads = there ? 1 : c.parts * (int)random_between(&v->random, 1, 2);
        c.halo = (int)random_between(&v->random, 0, HALO_MOST);
        if ((size_t)c.parts <= b->run.problem.points[2])
            status = compare(t, b, &c, e);
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

static void report_rooms(struct report *r, const struct tally *t, const char *what, const char *where)
{
    if (!t->runs) {
        report_skip(r, "bits", "no room has as many planes as there are parts");
        return;
    }
    report_bound(r, "bits", (double)t->wrong, 0.0,
                 "cpu, %s: %zu random rooms, %zu with branches, %zu in lossy air, %zu runs in parts (%s): values that "
                 "differ from one part%s",
                 what, t->rooms, t->branched, t->lossy, t->runs, where, t->first);
    report_bound(r, "bits", t->energy, 1e-11, "    energies of the parts together against those of one");
}

static int check_bits(struct validation *v, struct report *r, struct error *e)
{
    struct scene_mesh all[MODELS_SHIPPED] = {{.count = 0}};
    struct tally tallies[2][2] = {{{0}}};
    const int cases = v->cases ? v->cases : v->full ? CASES_FULL : CASES;
    int status = 0;
    if (v->choice.engine && strcmp(v->choice.engine, "cpu") != 0 && strcmp(v->choice.engine, "auto") != 0) {
        report_skip(r, "bits", "only the cpu engine steps parts of a grid");
        return 0;
    }
    for (size_t i = 0; i < MODELS_SHIPPED && !status; i++)
        status = model_read(&all[i], i, v, e);
    status = status || check_rooms(tallies, v, cases, all, e);
    for (size_t i = 0; i < MODELS_SHIPPED; i++)
        mesh_clear(&all[i]);
    for (int stencil = 0; stencil < 2 && !status; stencil++)
        for (int precision = 0; precision < 2; precision++) {
            char what[40];
            snprintf(what, sizeof what, "%s, %s", stencil_names[stencil], precision_names[precision]);
            if (tallies[stencil][precision].rooms)
                report_rooms(r, &tallies[stencil][precision], what,
                             v->choice.transport ? "of several processes" : "2, 3 and 5 of one process");
        }
    return status ? -1 : 0;
}

static const struct check bit_check = {"bits", check_bits};

const struct check *const parts_checks[] = {&bit_check, &resumed_check, NULL};
