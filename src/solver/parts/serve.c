/* SPDX-License-Identifier: MIT */
/* The main loop of a part that is led by part 0. */
#include <stdlib.h>
#include <string.h>

#include "solver/parts/links.h"
#include "solver/parts/part.h"
#include "solver/parts/protocol.h"
#include "solver/parts/surface_packet.h"
#include "solver/parts/voxel_slabs.h"
#include "solver/state.h"

struct served {
    struct transport *transport;
    struct part part;
    struct voxel_slabs *slabs; /* voxels that all parts made for the last room; NULL: none */
    double *drive, *taps;      /* signals of ORDER_RUN */
};

/* Answers an order with the result, or with the error. */
static int answer(struct transport *t, int status, const void *bytes, size_t count, const struct error *why,
                  struct error *e)
{
    const struct answer a = {.code = status ? (int)(why->code ? why->code : ERROR_ENGINE) : 0,
                             .message_bytes = status ? strlen(why->message) + 1 : 0};
    if (transport_send(t, 0, &a, sizeof a, e) ||
        (status ? transport_send(t, 0, why->message, a.message_bytes, e) : transport_send(t, 0, bytes, count, e)))
        return -1;
    return transport_flush(t, e);
}

/* The device of a part among those of its host, in the order of the parts there, so that
 * neighbours share one if there are fewer devices. */
static int device_here(const struct part_options *p, const struct transport *t)
{
    if (!t || !p->device_count)
        return p->device;
    const int parts = t->beside > p->device_count ? t->beside : p->device_count;
    return p->devices[(long long)t->beside_place * p->device_count / parts];
}

struct solver_options part_options_open(const struct part_options *p, const struct transport *t)
{
    return (struct solver_options){.engine = p->engine,
                                   .kernel = *p->kernel ? p->kernel : NULL,
                                   .threads = p->threads,
                                   .device = device_here(p, t),
                                   .block = {p->block[0], p->block[1], p->block[2]},
                                   .time_block = p->time_block,
                                   .cuda.in_place = p->in_place,
                                   .cuda.no_tune = p->no_tune,
                                   .cuda.tune_anew = p->tune_anew,
                                   .steps = p->steps,
                                   .parts.way = p->halo_way,
                                   .audit = p->audit};
}

static int receive_packet(struct packet *w, const struct served *s, const struct order *o, struct error *e)
{
    *w = (struct packet){.bytes = malloc(o->bytes + 1), .count = o->bytes};
    return w->bytes ? transport_receive(s->transport, 0, w->bytes, w->count, e)
                    : fail(e, ERROR_MEMORY, "out of memory");
}

/* Part 0 reports an error that all parts share; after any other error the transport fails. */
static int take_voxels(struct served *s, const struct order *o, struct error *e)
{
    struct packet w = {.bytes = NULL};
    struct voxel_task task;
    struct voxel_report report = {.material_count = 0};
    struct voxel_set *near = NULL; /* set in part 0 only */
    struct error why;
    part_close(&s->part);
    voxel_slabs_free(s->slabs);
    s->slabs = NULL;
    const int status = receive_packet(&w, s, o, e) || voxel_task_unpack(&task, &w, e) ? -1 : 0;
    if (!status) {
        task.options.threads = part_threads(s->transport, task.options.threads);
        voxel_slabs_make(&s->slabs, &near, &report, &task, s->transport, &why);
    }
    voxel_report_free(&report);
    packet_free(&w);
    return status;
}

/* Takes the problem that was sent; if it came without voxels, adds those that all parts have
 * made. */
static int take_problem(struct part_problem *q, struct served *s, const struct order *o, struct packet *w,
                        struct error *e)
{
    const size_t count = (size_t)s->transport->count;
    int status = part_problem_unpack(q, w, e);
    if (!o->slabs)
        return status;
    const struct layer_span *spans = status ? NULL : packet_take(w, count * sizeof *spans);
    if (!status && (!spans || !s->slabs))
        status = fail(e, ERROR_ENGINE, "the voxels of a part are missing");
    return voxel_slabs_take(&q->leapfrog.voxels, s->slabs, spans, s->transport, status, e);
}

static int open_part(struct served *s, const struct order *o, struct packet *w, struct solver_plan *r, struct error *e)
{
    struct part_options from;
    packet_get(w, &from, sizeof from);
    const struct solver_options c = part_options_open(&from, s->transport);
    part_close(&s->part);
    if (take_problem(&s->part.made, s, o, w, e) || part_open(&s->part, s->transport, &c, e)) {
        part_close(&s->part);
        return -1;
    }
    *r = *solver_plan_of(s->part.solver);
    return 0;
}

static int require_part(struct served *s, const struct order *o, struct packet *w, struct solver_plan *r,
                        struct error *e)
{
    struct part_options from;
    struct part_problem q;
    packet_get(w, &from, sizeof from);
    const struct solver_options c = part_options_open(&from, s->transport);
    const int status = take_problem(&q, s, o, w, e) || solver_make_plan(r, &q.problem, &c, e) ? -1 : 0;
    part_problem_free(&q);
    return status;
}

static int take_open(struct served *s, const struct order *o, struct error *e)
{
    struct solver_plan r = {.engine = NULL};
    struct error why = {ERROR_NONE, ""};
    struct packet w;
    int status = receive_packet(&w, s, o, e);
    if (!status) {
        const int made = o->kind == ORDER_OPEN ? open_part(s, o, &w, &r, &why) : require_part(s, o, &w, &r, &why);
        r.engine = r.kernel = NULL; /* addresses of this process */
        status = answer(s->transport, made, &r, sizeof r, &why, e);
    }
    packet_free(&w);
    return status;
}

static int take_links(struct served *s, const struct order *o, struct error *e)
{
    struct part_options from;
    char id[LINK_DEVICE_BYTES], name[LINK_NAME_BYTES];
    struct error why = {ERROR_NONE, ""};
    if (o->kind == ORDER_IDENTIFY) {
        if (transport_receive(s->transport, 0, &from, sizeof from, e))
            return -1;
        const struct solver_options c = part_options_open(&from, s->transport);
        return answer(s->transport, part_links_identify(s->transport, &c, id, &why), id, sizeof id, &why, e);
    }
    if (transport_receive(s->transport, 0, name, sizeof name, e))
        return -1;
    return answer(s->transport, part_links_open(s->transport, name, &why), NULL, 0, &why, e);
}

static int take_run(struct served *s, const struct order *o, struct error *e)
{
    const struct problem *p = &s->part.made.problem;
    const size_t drive_bytes = p->drive_count * o->steps * sizeof(double);
    const size_t tap_bytes = p->tap_count * o->steps * sizeof(double);
    double *drive = o->drives ? realloc(s->drive, drive_bytes + 1) : s->drive;
    s->drive = drive ? drive : s->drive;
    double *taps = o->taps ? realloc(s->taps, tap_bytes + 1) : s->taps;
    s->taps = taps ? taps : s->taps;
    if ((o->drives && !drive) || (o->taps && !taps))
        return fail(e, ERROR_MEMORY, "out of memory");
    if (o->drives && transport_receive(s->transport, 0, drive, drive_bytes, e))
        return -1;
    const struct block b = {.drive = o->drives ? drive : NULL,
                            .drive_stride = o->steps,
                            .taps = o->taps ? taps : NULL,
                            .tap_stride = o->steps};
    /* its neighbours wait for a part that fails here; the caller abandons the transport */
    if ((o->halos && part_exchange(&s->part, e)) || part_run(&s->part, o->steps, o->between, &b, e))
        return -1;
    return answer(s->transport, 0, taps, o->taps ? tap_bytes : 0, NULL, e);
}

/* Gets or puts the data of an order: planes of an array, or pieces of the state. */
static int give(struct served *s, const struct order *o, char *values, struct error *e)
{
    struct solver *solver = s->part.solver;
    return o->kind == ORDER_STATE_BLOCK_BYTES ? solver_state_block_bytes(solver, (size_t *)(void *)values, e)
           : o->kind == ORDER_GET_STATE_BLOCK ? solver_get_state_block(solver, o->z0, values, e)
                                              : part_get(&s->part, o->array, o->z0, o->nz, values, e);
}

static int put_values(struct served *s, const struct order *o, const char *values, struct error *e)
{
    return o->kind == ORDER_PUT_STATE_BLOCK ? solver_put_state_block(s->part.solver, o->z0, values, o->bytes, e)
                                            : part_put(&s->part, o->array, o->z0, o->nz, values, e);
}

static int take_values(struct served *s, const struct order *o, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    char *values = malloc(o->bytes + 1);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = 0;
    if (o->kind == ORDER_PUT || o->kind == ORDER_PUT_STATE_BLOCK) {
        status = transport_receive(s->transport, 0, values, o->bytes, e);
        if (!status)
            status = answer(s->transport, put_values(s, o, values, &why), NULL, 0, &why, e);
    } else {
        status = answer(s->transport, give(s, o, values, &why), values, o->bytes, &why, e);
    }
    free(values);
    return status;
}

static int take_audit(struct served *s, const struct order *o, struct error *e)
{
    struct audit a;
    struct error why = {ERROR_NONE, ""};
    memset(&a, 0, sizeof a);
    if (o->halos && part_exchange(&s->part, e))
        return -1;
    return answer(s->transport, solver_audit(s->part.solver, &a, &why), &a, sizeof a, &why, e);
}

static int take(struct served *s, const struct order *o, struct error *e)
{
    switch (o->kind) {
    case ORDER_VOXELS:
        return take_voxels(s, o, e);
    case ORDER_IDENTIFY:
    case ORDER_LINK:
        return take_links(s, o, e);
    case ORDER_OPEN:
    case ORDER_REQUIRE:
        return take_open(s, o, e);
    case ORDER_RUN:
        return take_run(s, o, e);
    case ORDER_PUT:
    case ORDER_GET:
    case ORDER_STATE_BLOCK_BYTES:
    case ORDER_GET_STATE_BLOCK:
    case ORDER_PUT_STATE_BLOCK:
        return take_values(s, o, e);
    case ORDER_AUDIT:
        return take_audit(s, o, e);
    case ORDER_CLOSE:
        part_close(&s->part);
        return answer(s->transport, 0, NULL, 0, NULL, e);
    case ORDER_END:
        break;
    }
    return 0;
}

int parts_serve(struct transport *t, struct error *e)
{
    struct served s = {.transport = t};
    struct order o = {.kind = ORDER_CLOSE};
    int status = 0;
    while (!status && o.kind != ORDER_END) {
        status = transport_receive(t, 0, &o, sizeof o, e);
        if (!status)
            status = take(&s, &o, e);
    }
    if (status)
        transport_abandon(t, e);
    if (status)
        part_links_close(t, true); /* releases anything that waits for other parts */
    struct error late;             /* no other part copies from here any more */
    transport_flush(t, &late);
    s.part.lent = s.part.lent || (status && s.part.exchanged);
    part_close(&s.part);
    part_links_close(t, false);
    voxel_slabs_free(s.slabs);
    free(s.drive);
    free(s.taps);
    return status;
}
