/* SPDX-License-Identifier: MIT */
/* The stepper of a grid in parts: a solver that leads the solvers of the parts. */
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/engine.h"
#include "solver/parts/leader.h"
#include "solver/parts/links.h"
#include "solver/parts/processes.h"

enum { THREAD_PARTS_MAX = 256 }; /* every pair of parts has a mailbox */

/* Thread function of a part. */
static void *serve(void *transport)
{
    struct error e = {ERROR_NONE, ""};
    parts_serve(transport, &e); /* its errors reach the leader through the transport */
    return NULL;
}

/* Starts parts 1 .. count - 1 as threads. Signals stay with the calling thread. */
static int start_threads(struct leader *l, struct error *e)
{
    sigset_t all, before;
    if (l->count > THREAD_PARTS_MAX)
        return fail(e, ERROR_USAGE, "%d parts: one process steps at most %d; start several with mpirun", l->count,
                    THREAD_PARTS_MAX);
    if (thread_hub_open(&l->hub, l->count, e))
        return -1;
    l->transport = thread_hub_end(l->hub, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (l->started + 1 < l->count &&
           !pthread_create(&l->threads[l->started + 1], NULL, serve, thread_hub_end(l->hub, l->started + 1)))
        l->started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return l->started + 1 == l->count ? 0 : fail(e, ERROR_ENGINE, "cannot start a thread for a part of the grid");
}

static int tell_all(struct leader *l, enum order_kind kind, struct error *e)
{
    for (int part = 1; part < l->count && !l->broken; part++) {
        struct order *o = &l->followers[part].order;
        *o = (struct order){.kind = kind};
        if (transport_send(l->transport, part, o, sizeof *o, e))
            leader_abandon(l, e); /* parts that the order does not reach would wait forever */
    }
    return transport_flush(l->transport, e) || l->broken ? -1 : 0;
}

/* Returns after all other parts have closed. */
static int close_others(struct leader *l, struct error *e)
{
    if (tell_all(l, ORDER_CLOSE, e))
        return -1;
    for (int part = 1; part < l->count; part++)
        if (leader_answer(l->transport, part, NULL, 0, e))
            return leader_abandon(l, e);
    return 0;
}

static void close_leader(void *state)
{
    struct leader *l = state;
    struct error late;
    if (!l)
        return;
    if (l->transport && l->opened && !l->hub && (l->broken || close_others(l, &late)))
        transport_flush(l->transport, &late);
    if (l->hub && l->started + 1 < l->count)
        transport_abandon(l->transport, &(struct error){ERROR_STOPPED, "closed"});
    else if (l->hub)
        tell_all(l, ORDER_END, &late);
    for (int part = 1; part <= l->started; part++)
        pthread_join(l->threads[part], NULL);
    if (l->transport && l->broken)
        part_links_close(l->transport, true); /* releases anything that waits for other parts */
    l->own.lent = l->own.lent || (l->broken && l->own.exchanged);
    part_close(&l->own);
    thread_hub_close(l->hub);
    for (int part = 0; l->followers && part < l->count; part++) {
        free(l->followers[part].drive_of);
        free(l->followers[part].drive);
        free(l->followers[part].taps);
    }
    free(l->followers);
    free(l->threads);
    free(l->whole_channel);
    free(l->entries);
    free(l->piece_bytes);
    free(l->spans);
    free(l);
}

int parts_end(struct transport *t, struct error *e)
{
    const struct order end = {.kind = ORDER_END};
    int status = 0;
    for (int part = 1; part < t->count && !status; part++)
        status = transport_send(t, part, &end, sizeof end, e);
    part_links_close(t, status != 0);
    return status || transport_flush(t, e) ? -1 : 0;
}

static struct leader *make_leader(const struct problem *p, const struct solver_options *c, struct error *e)
{
    struct leader *l = calloc(1, sizeof *l);
    size_t entries = 0;
    for (size_t i = 0; i < p->tap_count; i++)
        entries += p->taps[i].count;
    if (l) {
        l->whole = p;
        l->count = leader_part_count(c);
        l->transport = c->parts.transport;
        l->sums_levels_apart = leader_on_devices(c);
        l->followers = calloc((size_t)l->count, sizeof *l->followers);
        l->threads = calloc((size_t)l->count, sizeof *l->threads);
        l->whole_channel = malloc((p->tap_count + 1) * sizeof *l->whole_channel);
        l->entries = calloc(entries + 1, sizeof *l->entries);
    }
    if (!l || !l->followers || !l->threads || !l->whole_channel || !l->entries) {
        close_leader(l);
        fail(e, ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < p->tap_count; i++)
        l->whole_channel[i] = (struct tap_source){-1, 0};
    return l;
}

/* Makes the problem of a part, and sends it or, for part 0, keeps it. */
static int give_problem(struct leader *l, int part, const struct solver_options *c, const struct layer_span *spans,
                        struct error *e)
{
    const struct part_options of_part = leader_options_of_part(c, part);
    struct follower *f = &l->followers[part];
    struct part_problem of_other, *q = part ? &of_other : &l->own.made;
    int status = part_problem_make(q, l->whole, &f->slab, e);
    if (!status) {
        leader_place_taps(l, part, q);
        f->drive_count = q->problem.drive_count;
        f->tap_count = q->problem.tap_count;
        f->drive_of = q->drive_of;
        q->drive_of = NULL;
    }
    if (!status && part) {
        f->order = (struct order){.kind = ORDER_OPEN};
        status = leader_send_problem(l->transport, part, &f->order, &of_part, q, spans, e);
    }
    if (part)
        part_problem_free(q);
    return status;
}

static int give_problems(struct leader *l, const struct solver_options *c, struct error *e)
{
    struct slab *slabs = leapfrog_of(l->whole)->slabs ? calloc((size_t)l->count, sizeof *slabs) : NULL;
    for (int k = 0; k < l->count && slabs; k++)
        slabs[k] = l->followers[k].slab;
    if (leapfrog_of(l->whole)->slabs)
        l->spans = slabs ? leader_spans(l->whole, slabs, l->count) : NULL;
    free(slabs);
    if (leapfrog_of(l->whole)->slabs && !l->spans)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int k = l->count - 1; k >= 0; k--)
        if (give_problem(l, k, c, l->spans, e))
            return -1;
    return 0;
}

static void note_depth(struct leader *l, int depth)
{
    l->least_depth = depth < l->least_depth ? depth : l->least_depth;
    l->depth = depth > l->depth ? depth : l->depth;
}

/* Opens all parts together. If one fails, the others remain usable. */
static int open_parts(struct leader *l, struct solver_plan *r, const struct solver_options *c, struct error *e)
{
    const struct part_options of_own = leader_options_of_part(c, 0);
    const struct solver_options choice = part_options_open(&of_own, l->transport);
    struct solver_plan part;
    struct voxel_slabs *made = leapfrog_of(l->whole)->slabs;
    if (give_problems(l, c, e))
        return leader_abandon(l, e);
    int status = made ? voxel_slabs_take(&l->own.made.leapfrog.voxels, made, l->spans, l->transport, 0, e) : 0;
    if (!status)
        status = part_open(&l->own, l->transport, &choice, e);
    memset(r, 0, sizeof *r);
    if (!status)
        leader_add_plan(r, solver_plan_of(l->own.solver), l->hub != NULL, 0, &l->followers[0].slab);
    l->least_depth = l->depth = r->time_block;
    for (int k = 1; k < l->count; k++) {
        struct error other = {ERROR_NONE, ""};
        const int answered = leader_answer(l->transport, k, &part, sizeof part, &other);
        if (answered && !status)
            *e = other;
        status = answered ? -1 : status;
        if (answered < 0)
            return leader_abandon(l, e);
        if (!answered) {
            leader_add_plan(r, &part, l->hub != NULL, k, &l->followers[k].slab);
            note_depth(l, part.time_block);
        }
    }
    l->opened = true;
    l->between = l->own.halo;
    if (l->depth > 1 && (size_t)l->depth <= l->between) /* temporal blocks fit between two exchanges */
        l->between -= l->between % (size_t)l->depth;
    return status;
}

/* Closes all parts before any is opened again, as each chooses by the free memory, and times
 * kernels while no other part is working. */
static int open_parts_anew(struct leader *l, struct solver_plan *r, const struct solver_options *c, struct error *e)
{
    part_close(&l->own);
    if (close_others(l, e))
        return -1;
    for (int part = 0; part < l->count; part++) {
        free(l->followers[part].drive_of);
        l->followers[part].drive_of = NULL;
    }
    free(l->spans);
    l->spans = NULL;
    return open_parts(l, r, c, e);
}

/* No interval between exchanges suits two depths without a remainder, which takes single steps.
 * So parts that chose different depths are opened once more, all with the least. If one of them
 * cannot, all are opened as before. */
static int open_alike(struct leader *l, struct solver_plan *r, const struct solver_options *c, struct error *e)
{
    struct solver_options alike = *c;
    struct error why;
    if (c->time_block || l->least_depth < 2 || l->least_depth == l->depth || (size_t)l->least_depth > l->own.halo)
        return 0;
    alike.time_block = l->least_depth;
    if (!open_parts_anew(l, r, &alike, &why))
        return 0;
    if (!l->broken && why.code != ERROR_STOPPED)
        return open_parts_anew(l, r, c, e);
    *e = why;
    return -1;
}

static int open_grid(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                     struct error *e)
{
    struct leader *l = make_leader(p, c, e);
    if (!l)
        return -1;
    struct slab *slabs = calloc((size_t)l->count, sizeof *slabs);
    int status = slabs ? cut_grid(slabs, (size_t)l->count, p, leader_halo(p, c), leader_branch_work(c), e)
                       : fail(e, ERROR_MEMORY, "out of memory");
    for (int part = 0; part < l->count && !status; part++)
        l->followers[part].slab = slabs[part];
    free(slabs);
    status =
        status || (!l->transport && start_threads(l, e)) || open_parts(l, r, c, e) || open_alike(l, r, c, e) ? -1 : 0;
    if (status) {
        close_leader(l);
        return -1;
    }
    if (!r->on_device)
        r->available_bytes = memory_available();
    r->parts.count = l->count;
    r->parts.halo = (int)l->own.halo;
    r->parts.halo_bytes = l->own.borders[1].send_bytes;
    *out = l;
    return 0;
}

static int open_leader(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                       struct error *e)
{
    struct solver_options choice = *c;
    if (leader_check(p, c, e) || leader_link(&choice.parts.way, c, e) || open_grid(out, r, p, &choice, e))
        return -1;
    leader_say_halo_path(r, &choice);
    return 0;
}

/* The planes z0 .. z1 - 1 that a slab owns, counted from its lowest plane; false if there are
 * none. */
static bool common_planes(const struct slab *s, size_t z0, size_t z1, struct order *o)
{
    const size_t low = s->first > z0 ? s->first : z0, high = s->end < z1 ? s->end : z1;
    if (low >= high)
        return false;
    o->z0 = low - slab_from(s);
    o->nz = high - low;
    return true;
}

/* A part does not change points that it does not step, in its own planes or in its halos, which
 * are exchanged later. */
static int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    struct leader *l = state;
    const size_t plane = l->whole->points[0] * l->whole->points[1] * precision_bytes(l->whole->precision);
    int status = 0;
    l->stale = true;
    for (int part = 0; part < l->count; part++) {
        struct follower *f = &l->followers[part];
        f->order = (struct order){.kind = ORDER_PUT, .array = array};
        if (!common_planes(&f->slab, z0, z0 + nz, &f->order))
            continue;
        f->order.bytes = f->order.nz * plane;
        const char *first = (const char *)values + (slab_from(&f->slab) + f->order.z0 - z0) * plane;
        if (part == 0)
            status = part_put(&l->own, array, f->order.z0, f->order.nz, first, e);
        else if (transport_send(l->transport, part, &f->order, sizeof f->order, e) ||
                 transport_send(l->transport, part, first, f->order.bytes, e) ||
                 leader_answer(l->transport, part, NULL, 0, e))
            return leader_abandon(l, e);
    }
    return transport_flush(l->transport, e) ? leader_abandon(l, e) : status;
}

static int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    struct leader *l = state;
    const size_t plane = l->whole->points[0] * l->whole->points[1] * precision_bytes(l->whole->precision);
    int status = 0;
    for (int part = 0; part < l->count; part++) {
        struct follower *f = &l->followers[part];
        f->order = (struct order){.kind = ORDER_GET, .array = array};
        if (!common_planes(&f->slab, z0, z0 + nz, &f->order))
            continue;
        f->order.bytes = f->order.nz * plane;
        char *first = (char *)values + (slab_from(&f->slab) + f->order.z0 - z0) * plane;
        if (part == 0)
            status = part_get(&l->own, array, f->order.z0, f->order.nz, first, e);
        else if (transport_send(l->transport, part, &f->order, sizeof f->order, e) ||
                 leader_answer(l->transport, part, first, f->order.bytes, e))
            return leader_abandon(l, e);
    }
    return transport_flush(l->transport, e) ? leader_abandon(l, e) : status;
}

static void add_audit(struct audit *a, const struct audit *part)
{
    a->stored += part->stored;
    a->absorbed += part->absorbed;
    a->supplied += part->supplied;
    a->balanced = a->balanced && part->balanced;
}

/* Sums of the parts, in their order. Their rounding differs from that of a single part. */
static int audit(void *state, struct audit *a, struct error *e)
{
    struct leader *l = state;
    struct audit of_part;
    int status = 0;
    for (int part = 1; part < l->count; part++) {
        struct order *o = &l->followers[part].order;
        *o = (struct order){.kind = ORDER_AUDIT, .halos = l->stale};
        if (transport_send(l->transport, part, o, sizeof *o, e))
            return leader_abandon(l, e);
    }
    if (l->stale && part_exchange(&l->own, e))
        return leader_abandon(l, e);
    l->stale = false;
    status = solver_audit(l->own.solver, a, e);
    for (int part = 1; part < l->count; part++) {
        struct error other;
        const int answered = leader_answer(l->transport, part, &of_part, sizeof of_part, &other);
        if (answered && !status)
            *e = other;
        status = answered ? -1 : status;
        if (answered < 0)
            return leader_abandon(l, e);
        if (!answered)
            add_audit(a, &of_part);
    }
    return transport_flush(l->transport, e) ? leader_abandon(l, e) : status;
}

static int plain_pass(void *state, size_t passes, struct error *e)
{
    (void)state;
    (void)passes;
    return fail(e, ERROR_ENGINE, "the plain loop is not available for a grid in parts");
}

static const struct state_block_access pieces = {
    .bytes = leader_state_block_bytes, .get = leader_get_state_block, .put = leader_put_state_block};

const struct stepper parts_stepper = {
    .plan = leader_plan,
    .open = open_leader,
    .run = leader_run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_leader,
    .state_blocks = &pieces,
};
