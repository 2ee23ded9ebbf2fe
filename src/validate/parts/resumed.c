/* SPDX-License-Identifier: MIT */
/* Runs that are interrupted at a random step and resumed by another solver, from the arrays and
 * the pieces of the state: they must have the bits of an uninterrupted run, in random rooms,
 * from any number of parts to any other, and from kernel to kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/transport/transport.h"
#include "solver/engine.h"
#include "validate/parts/commands.h"
#include "validate/parts/cut_run.h"
#include "validate/saved_state.h"

enum { CASES = 16, CASES_FULL = 200, TIMES = 2 /* each room */, PARTS_MOST = 3, HALO_MOST = 9, DEPTH_MOST = 5 };

struct tally {
    size_t rooms, runs, branched, linking; /* runs with partitions that transmit */
    uint64_t wrong;                        /* number of values that differ */
    size_t sums;                           /* number of audits that differ, with the same kernel and number of parts */
    double energy;                         /* their largest difference, if the number of parts changes */
    double kernels; /* likewise if the kernel changes; kernels of single precision sum in single precision */
    size_t moved;   /* runs resumed on another engine */
    uint64_t wrong_moved;
    double taps_moved; /* largest difference of their taps, as engines sum in different orders */
    char first[200];
};

/* Takes the first steps, and saves the state. */
static int run_until(struct saved_state *saved, struct cut_run *b, const struct solver_options *c, size_t step,
                     struct error *e)
{
    struct solver *s;
    if (cut_run_open(&s, b, c, e))
        return -1;
    const int status = cut_run_steps(s, b, 0, step, &b->got, e) || saved_state_take(saved, s, &b->run.problem, e);
    solver_close(s);
    return status ? -1 : 0;
}

/* Takes the other steps in a solver that had noise in its field. */
static int run_on(const struct saved_state *saved, struct cut_run *b, const struct solver_options *c, size_t step,
                  struct error *e)
{
    struct solver *s;
    if (cut_run_open(&s, b, c, e))
        return -1;
    if (!saved_state_put(s, saved, &b->run.problem, e) && !cut_run_steps(s, b, step, b->steps, &b->got, e))
        return cut_run_end(s, b, &b->got, e);
    solver_close(s);
    return -1;
}

static int run_broken(struct cut_run *b, const struct solver_options c[2], size_t step, struct error *e)
{
    struct saved_state saved = {.planes = 0};
    cut_run_blank(b, &b->got);
    const int status = run_until(&saved, b, &c[0], step, e) || run_on(&saved, b, &c[1], step, e);
    saved_state_free(&saved);
    return status ? -1 : 0;
}

static int run_whole(struct cut_run *b, const struct solver_options *c, struct error *e)
{
    struct solver *s;
    cut_run_blank(b, &b->expected);
    if (cut_run_open(&s, b, c, e))
        return -1;
    if (!cut_run_steps(s, b, 0, b->steps, &b->expected, e))
        return cut_run_end(s, b, &b->expected, e);
    solver_close(s);
    return -1;
}

/* For a run resumed by the same program, or on another number of parts. */
static void draw_choices(struct solver_options c[2], const struct cut_run *b, struct validation *v, bool on_gpu)
{
    const size_t planes = b->run.problem.points[2], most = planes < PARTS_MOST ? planes : PARTS_MOST;
    struct transport *there = v->choice.parts.transport;
    for (int i = 0; i < 2; i++) {
        const size_t parts = random_between(&v->random, 1, most);
        const bool plain = random_between(&v->random, 0, 3) == 0;
        c[i] = (struct solver_options){.engine = "cpu",
                                       .kernel = plain ? "reference" : NULL,
                                       .threads = (int)random_between(&v->random, 1, 3),
                                       .parts.count = plain ? 0 : (int)parts,
                                       .parts.halo = (int)random_between(&v->random, 0, HALO_MOST)};
        if (there && !plain && random_between(&v->random, 0, 1) && (size_t)there->count <= planes) {
            c[i].parts.transport = there;
            c[i].parts.count = there->count;
            c[i].threads = 1;
        }
        if (on_gpu && random_between(&v->random, 0, 2)) { /* otherwise by the cpu engine */
            c[i].engine = "cuda";
            c[i].kernel = NULL;
            c[i].device = v->choice.device;
            c[i].parts.transport = NULL;
            c[i].cuda.no_tune = true;
            c[i].audit = random_between(&v->random, 0, 1); /* which takes single steps */
            c[i].time_block = c[i].audit ? 1 : (int)random_between(&v->random, 2, DEPTH_MOST);
            c[i].parts.halo = c[i].audit ? c[i].parts.halo : c[i].time_block;
            c[i].parts.count = (int)parts;
            validation_share(v, &c[i]);
        }
    }
}

static bool has_sums(const struct solver_options *c)
{
    return c->audit || !strcmp(c->engine, "cpu");
}

/* Returns 1 if a depth or a number of parts does not apply to the room. */
static int run_both(struct cut_run *b, const struct solver_options c[2], size_t step, struct error *e)
{
    if (!run_whole(b, &c[1], e) && !run_broken(b, c, step, e))
        return 0;
    return ((c[0].time_block > 1 || c[1].time_block > 1) && cut_run_does_not_apply(e)) ||
                   cut_run_has_no_cut(b, &c[0], e) || cut_run_has_no_cut(b, &c[1], e)
               ? 1
               : -1;
}

/* For a run resumed on another engine. Drives are silent, as engines add them in different
 * orders. */
static int compare_moved(struct tally *t, struct cut_run *b, const struct solver_options c[2], size_t step,
                         struct error *e)
{
    b->silent = true;
    const int status = run_both(b, c, step, e);
    b->silent = false;
    if (status)
        return status < 0 ? -1 : 0;
    const uint64_t wrong = cut_run_wrong_field(b);
    if (wrong && !t->wrong_moved && !t->wrong)
        snprintf(t->first, sizeof t->first, "; first in room %zu, step %zu of %zu, %d parts, %s, to %d, %s", t->rooms,
                 step, b->steps, c[0].parts.count, c[0].engine, c[1].parts.count, c[1].engine);
    t->wrong_moved += wrong;
    t->taps_moved = nan_max(t->taps_moved, cut_run_taps(b));
    if (has_sums(&c[0]) && has_sums(&c[1]))
        t->kernels = nan_max(t->kernels, cut_run_energy(b));
    t->moved++;
    return 0;
}

static bool same_sums(const struct audit *a, const struct audit *b)
{
    return a->stored == b->stored && a->absorbed == b->absorbed && a->supplied == b->supplied;
}

static int compare(struct tally *t, struct cut_run *b, struct validation *v, bool on_gpu, struct error *e)
{
    struct solver_options c[2];
    draw_choices(c, b, v, on_gpu);
    const size_t step = random_between(&v->random, 0, b->steps);
    if (strcmp(c[0].engine, c[1].engine) != 0)
        return compare_moved(t, b, c, step, e);
    const int status = run_both(b, c, step, e);
    if (status)
        return status < 0 ? -1 : 0;
    const uint64_t wrong = cut_run_wrong(b);
    if (wrong && !t->wrong)
        snprintf(t->first, sizeof t->first, "; first in room %zu, step %zu of %zu, %d parts, %s, to %d, %s", t->rooms,
                 step, b->steps, c[0].parts.count, c[0].kernel ? c[0].kernel : "auto", c[1].parts.count,
                 c[1].kernel ? c[1].kernel : "auto");
    t->wrong += wrong;
    if (!has_sums(&c[0]) || !has_sums(&c[1]))
        ;
    else if (c[0].kernel != c[1].kernel || !strcmp(c[0].engine, "cuda")) /* sums of a GPU are continued by rows */
        t->kernels = nan_max(t->kernels, cut_run_energy(b));
    else if (c[0].parts.count == c[1].parts.count && c[0].parts.transport == c[1].parts.transport)
        t->sums += !same_sums(&b->got.audit, &b->expected.audit);
    else
        t->energy = nan_max(t->energy, cut_run_energy(b));
    t->runs++;
    t->linking += b->links > 0;
    return 0;
}

static int check_rooms(struct tally tallies[2][2], struct validation *v, bool on_gpu, int cases,
                       const struct scene_mesh *all, struct error *e)
{
    int status = 0;
    for (int i = 0; i < cases && !status; i++) {
        const enum air_stencil stencil = i % 2 ? STENCIL_19_POINT : STENCIL_7_POINT;
        const enum precision precision = i / 2 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
        struct tally *t = &tallies[stencil][precision];
        struct random_room room;
        struct cut_run *b = NULL;
        status = random_room_make(&room, all, stencil == STENCIL_19_POINT, &v->random, e) ||
                 cut_run_make(&b, &room, stencil, precision, &v->random, e);
        for (int n = 0; n < TIMES && b && !status; n++)
            status = compare(t, b, v, on_gpu, e);
        t->rooms += b != NULL;
        t->branched += b && b->rows->made && b->rows->rows.branches.point_count > 0;
        cut_run_free(b);
        random_room_free(&room);
    }
    return status ? -1 : 0;
}

static int check_resumed(struct validation *v, struct report *r, struct error *e)
{
    struct tally tallies[2][2] = {{{0}}};
    const struct engine *engine = cut_run_engine(&v->choice, e);
    if (!engine)
        return -1;
    struct scene_mesh all[MODELS_SHIPPED] = {{.count = 0}};
    int status = 0;
    for (size_t i = 0; i < MODELS_SHIPPED && !status; i++)
        status = model_read(&all[i], i, v, e);
    const int cases = v->cases ? v->cases : v->full ? CASES_FULL : CASES;
    status = status || check_rooms(tallies, v, !strcmp(engine->name, "cuda"), cases, all, e) ? -1 : 0;
    for (size_t i = 0; i < MODELS_SHIPPED; i++)
        mesh_clear(&all[i]);
    for (int stencil = 0; stencil < 2 && !status; stencil++)
        for (int precision = 0; precision < 2; precision++) {
            const struct tally *t = &tallies[stencil][precision];
            if (!t->rooms)
                continue;
            report_bound(r, "resumed", (double)t->wrong, 0.0,
                         "%s, %s, %s: %zu random rooms, %zu with branches, %zu runs interrupted and resumed on 1 to 3 "
                         "parts, %zu with partitions that transmit: values that differ%s",
                         engine->name, stencil_names[stencil], precision_names[precision], t->rooms, t->branched,
                         t->runs, t->linking, t->first);
            if (t->moved) {
                report_bound(r, "resumed", (double)t->wrong_moved, 0.0,
                             "    %zu runs resumed on another engine, without sources: values of the field that differ",
                             t->moved);
                report_bound(r, "resumed", t->taps_moved, 1e-12, "    their receivers, error relative to peak");
            }
            report_bound(r, "resumed", (double)t->sums, 0.0, "    energies that differ, same number of parts");
            report_bound(r, "resumed", t->energy, 1e-11, "    error of the energies, different number of parts");
            report_bound(r, "resumed", t->kernels, precision == PRECISION_SINGLE ? 1e-6 : 1e-11,
                         "    error of the energies, different kernel");
        }
    return status;
}

const struct check resumed_check = {"resumed", check_resumed};
