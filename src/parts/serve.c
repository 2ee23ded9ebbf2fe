/* SPDX-License-Identifier: MIT */
/* The life of a part that is led by another. */
#include <stdlib.h>
#include <string.h>

#include "parts/part.h"
#include "parts/protocol.h"

struct served {
    struct transport *transport;
    struct part part;
    double *drive, *taps; /* of ORDER_RUN */
};

/* Answers with what follows the order, or with the error. */
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

struct choice part_choice_open(const struct part_choice *p)
{
    return (struct choice){.engine = p->engine,
                           .kernel = *p->kernel ? p->kernel : NULL,
                           .threads = p->threads,
                           .device = p->device,
                           .block = {p->block[0], p->block[1], p->block[2]},
                           .time_block = p->time_block,
                           .in_place = p->in_place,
                           .no_tune = p->no_tune,
                           .tune_anew = p->tune_anew,
                           .steps = p->steps,
                           .audit = p->audit};
}

static int open_part(struct served *s, struct packet *w, struct requirement *r, struct error *e)
{
    struct part_choice from;
    packet_get(w, &from, sizeof from);
    const struct choice c = part_choice_open(&from);
    part_close(&s->part);
    if (part_problem_unpack(&s->part.made, w, e) || part_open(&s->part, s->transport, &c, e)) {
        part_close(&s->part);
        return -1;
    }
    *r = *solver_requirement(s->part.solver);
    r->engine = r->kernel = NULL; /* say nothing elsewhere */
    return 0;
}

static int take_open(struct served *s, const struct order *o, struct error *e)
{
    struct requirement r = {.engine = NULL};
    struct error why = {ERROR_NONE, ""};
    struct packet w = {.bytes = malloc(o->bytes), .count = o->bytes};
    if (!w.bytes)
        return fail(e, ERROR_MEMORY, "out of memory for a part of the grid");
    int status = transport_receive(s->transport, 0, w.bytes, w.count, e);
    if (!status)
        status = answer(s->transport, open_part(s, &w, &r, &why), &r, sizeof r, &why, e);
    packet_free(&w);
    return status;
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
        return fail(e, ERROR_MEMORY, "out of memory for %zu steps", o->steps);
    if (o->drives && transport_receive(s->transport, 0, drive, drive_bytes, e))
        return -1;
    const struct block b = {.drive = o->drives ? drive : NULL,
                            .drive_stride = o->steps,
                            .taps = o->taps ? taps : NULL,
                            .tap_stride = o->steps};
    /* its neighbours wait for a part that fails now: the caller abandons the transport */
    if ((o->halos && part_exchange(&s->part, e)) || part_run(&s->part, o->steps, o->between, &b, e))
        return -1;
    return answer(s->transport, 0, taps, o->taps ? tap_bytes : 0, NULL, e);
}

/* What an order gives or takes: planes of an array, or pieces of the state. */
static int give(struct served *s, const struct order *o, char *values, struct error *e)
{
    struct solver *solver = s->part.solver;
    return o->kind == ORDER_PIECE_BYTES ? solver_piece_bytes(solver, (size_t *)(void *)values, e)
           : o->kind == ORDER_GET_PIECE ? solver_get_piece(solver, o->z0, values, e)
                                        : part_get(&s->part, o->array, o->z0, o->nz, values, e);
}

static int put_values(struct served *s, const struct order *o, const char *values, struct error *e)
{
    return o->kind == ORDER_PUT_PIECE ? solver_put_piece(s->part.solver, o->z0, values, o->bytes, e)
                                      : part_put(&s->part, o->array, o->z0, o->nz, values, e);
}

static int take_values(struct served *s, const struct order *o, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    char *values = malloc(o->bytes + 1);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory for %zu bytes of the field", o->bytes);
    int status = 0;
    if (o->kind == ORDER_PUT || o->kind == ORDER_PUT_PIECE) {
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
    case ORDER_OPEN:
        return take_open(s, o, e);
    case ORDER_RUN:
        return take_run(s, o, e);
    case ORDER_PUT:
    case ORDER_GET:
    case ORDER_PIECE_BYTES:
    case ORDER_GET_PIECE:
    case ORDER_PUT_PIECE:
        return take_values(s, o, e);
    case ORDER_AUDIT:
        return take_audit(s, o, e);
    case ORDER_CLOSE:
        part_close(&s->part);
        return 0;
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
    struct error late; /* nobody copies from here any more */
    transport_flush(t, &late);
    s.part.lent = s.part.lent || (status && s.part.exchanged);
    part_close(&s.part);
    free(s.drive);
    free(s.taps);
    return status;
}
