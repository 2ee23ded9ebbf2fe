/* SPDX-License-Identifier: MIT */
/* Pieces of the state of a grid in parts. The piece of each plane comes from the part that owns
 * the plane. The last piece joins the energy absorbed in each part and the states of bodies, in
 * the order of the whole problem. It equals that of a single part except for the number of
 * shares (solver/cpu/leapfrog_state_blocks.c). */
#include <stdlib.h>
#include <string.h>

#include "solver/parts/leader.h"
#include "solver/parts/part_bodies.h"
#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/state.h"

/* The last piece begins with the number of steps and the number of shares, followed by two sums
 * for each share. */
enum { HEAD_VALUES = 2, SHARE_VALUES = 2, PART_VALUES = HEAD_VALUES + SHARE_VALUES };
enum { PART_BYTES = PART_VALUES * 8, HEAD_BYTES = HEAD_VALUES * 8, SHARE_BYTES = SHARE_VALUES * 8 };

static int send_order(struct leader *l, int part, const struct order *o, const void *bytes, struct error *e)
{
    struct follower *f = &l->followers[part];
    f->order = *o;
    return transport_send(l->transport, part, &f->order, sizeof f->order, e) ||
                   (bytes && transport_send(l->transport, part, bytes, o->bytes, e))
               ? -1
               : 0;
}

/* The answer of any part to an order. */
static int ask(struct leader *l, int part, const struct order *o, void *to, struct error *e)
{
    if (send_order(l, part, o, NULL, e) || leader_answer(l->transport, part, to, o->bytes, e) ||
        transport_flush(l->transport, e))
        return leader_abandon(l, e);
    return 0;
}

static int tell(struct leader *l, int part, const struct order *o, const void *bytes, struct error *e)
{
    if (send_order(l, part, o, bytes, e))
        return leader_abandon(l, e);
    const int answered = leader_answer(l->transport, part, NULL, 0, e);
    return answered < 0 || transport_flush(l->transport, e) ? leader_abandon(l, e) : answered;
}

/* A piece of a part, by the numbering of that part. */
static int get_of_part(struct leader *l, int part, size_t piece, size_t bytes, void *to, struct error *e)
{
    const struct order o = {.kind = ORDER_GET_STATE_BLOCK, .bytes = bytes, .z0 = piece};
    return part ? ask(l, part, &o, to, e) : solver_get_state_block(l->own.solver, piece, to, e);
}

static int put_of_part(struct leader *l, int part, size_t piece, const void *from, size_t bytes, struct error *e)
{
    const struct order o = {.kind = ORDER_PUT_STATE_BLOCK, .bytes = bytes, .z0 = piece};
    return part ? tell(l, part, &o, from, e) : solver_put_state_block(l->own.solver, piece, from, bytes, e);
}

static size_t last_piece(const struct follower *f)
{
    return slab_planes(&f->slab);
}

static const struct bodies *bodies_of(const struct leader *l)
{
    return leapfrog_of(l->whole)->bodies;
}

static bool has_body(const struct leader *l, int part, const struct body *body)
{
    return part_has_body(&l->followers[part].slab, body, l->whole->points[0] * l->whole->points[1]);
}

/* Bytes of the states of bodies in a part's last piece; EVERY: in that of all parts together. */
enum { EVERY = -1 };
static size_t bodies_bytes_of(const struct leader *l, int part)
{
    const struct bodies *b = bodies_of(l);
    size_t bytes = 0;
    for (size_t i = 0; b && i < b->count; i++)
        bytes += part == EVERY || has_body(l, part, &b->body[i]) ? body_state_bytes(&b->body[i]) : 0;
    return bytes;
}

/* Copies the states of a part's bodies to their positions among all bodies (out), or from there. */
static void copy_bodies(const struct leader *l, int part, char *of_part, char *of_all, bool out)
{
    const struct bodies *b = bodies_of(l);
    for (size_t i = 0; b && i < b->count; i++) {
        const size_t bytes = body_state_bytes(&b->body[i]);
        if (has_body(l, part, &b->body[i])) {
            memcpy(out ? of_all : of_part, out ? of_part : of_all, bytes);
            of_part += bytes;
        }
        of_all += bytes;
    }
}

/* Queries each part once, and caches the sizes. */
static int find_bytes(struct leader *l, struct error *e)
{
    const size_t planes = l->whole->points[2];
    size_t most = 0;
    for (int part = 0; part < l->count; part++)
        most = last_piece(&l->followers[part]) > most ? last_piece(&l->followers[part]) : most;
    size_t *all = malloc(planes * sizeof *all), *own = malloc((most + 1) * sizeof *own);
    int status = all && own ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int part = 0; part < l->count && !status; part++) {
        const struct slab *s = &l->followers[part].slab;
        const size_t pieces = last_piece(&l->followers[part]) + 1;
        const struct order o = {.kind = ORDER_STATE_BLOCK_BYTES, .bytes = pieces * sizeof *own};
        status = part ? ask(l, part, &o, own, e) : solver_state_block_bytes(l->own.solver, own, e);
        if (!status && own[pieces - 1] != PART_BYTES + bodies_bytes_of(l, part))
            status = fail(e, ERROR_ENGINE, "the state of part %d does not have the expected size", part);
        if (!status)
            memcpy(all + s->first, own + s->below, (s->end - s->first) * sizeof *all);
    }
    free(own);
    if (status) {
        free(all);
        return -1;
    }
    l->piece_bytes = all;
    return 0;
}

int leader_state_block_bytes(void *state, size_t *bytes, struct error *e)
{
    struct leader *l = state;
    const size_t planes = l->whole->points[2];
    if (!l->piece_bytes && find_bytes(l, e))
        return -1;
    memcpy(bytes, l->piece_bytes, planes * sizeof *bytes);
    bytes[planes] = HEAD_BYTES + (size_t)l->count * SHARE_BYTES + bodies_bytes_of(l, EVERY);
    return 0;
}

static int part_of_plane(const struct leader *l, size_t z)
{
    int part = 0;
    while (part + 1 < l->count && z >= l->followers[part].slab.end)
        part++;
    return part;
}

static int get_last(struct leader *l, char *to, struct error *e)
{
    const uint64_t shares = (uint64_t)l->count;
    char *const bodies = to + HEAD_BYTES + (size_t)l->count * SHARE_BYTES;
    for (int part = 0; part < l->count; part++) {
        const size_t bytes = PART_BYTES + bodies_bytes_of(l, part);
        char *of_part = malloc(bytes);
        if (!of_part)
            return fail(e, ERROR_MEMORY, "out of memory");
        const int status = get_of_part(l, part, last_piece(&l->followers[part]), bytes, of_part, e);
        if (!status && part == 0)
            memcpy(to, of_part, HEAD_BYTES);
        if (!status) {
            memcpy(to + HEAD_BYTES + (size_t)part * SHARE_BYTES, of_part + HEAD_BYTES, SHARE_BYTES);
            copy_bodies(l, part, of_part + PART_BYTES, bodies, true);
        }
        free(of_part);
        if (status)
            return -1;
    }
    memcpy(to + sizeof shares, &shares, sizeof shares);
    return 0;
}

/* Restores the last piece of a part from its own bodies and `shares` shares of the whole piece,
 * starting at the first given. */
static int put_last_of_part(struct leader *l, int part, uint64_t steps, const char *from, size_t shares, char *bodies,
                            struct error *e)
{
    const uint64_t head[HEAD_VALUES] = {steps, shares};
    const size_t of_bodies = bodies_bytes_of(l, part), bytes = HEAD_BYTES + shares * SHARE_BYTES + of_bodies;
    char *of_part = malloc(bytes);
    if (!of_part)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(of_part, head, sizeof head);
    memcpy(of_part + HEAD_BYTES, from, shares * SHARE_BYTES);
    copy_bodies(l, part, of_part + HEAD_BYTES + shares * SHARE_BYTES, bodies, false);
    const int status = put_of_part(l, part, last_piece(&l->followers[part]), of_part, bytes, e);
    free(of_part);
    return status;
}

/* If the number of shares equals the number of parts, each part receives one; otherwise part 0
 * receives all. */
static int put_last(struct leader *l, const char *from, size_t bytes, struct error *e)
{
    static const char nothing[SHARE_BYTES] = {0};
    const size_t of_bodies = bodies_bytes_of(l, EVERY);
    uint64_t head[HEAD_VALUES] = {0};
    if (bytes >= HEAD_BYTES)
        memcpy(head, from, sizeof head);
    if (bytes < HEAD_BYTES + of_bodies || head[1] != (bytes - HEAD_BYTES - of_bodies) / SHARE_BYTES ||
        (bytes - HEAD_BYTES - of_bodies) % SHARE_BYTES)
        return fail(e, ERROR_INPUT, "the solver state of %zu bytes does not have the expected size", bytes);
    const bool each = head[1] == (uint64_t)l->count;
    const char *shares = from + HEAD_BYTES;
    for (int part = 0; part < l->count; part++) {
        const char *own = each ? shares + (size_t)part * SHARE_BYTES : part ? nothing : shares;
        if (put_last_of_part(l, part, head[0], own, each || part ? 1 : (size_t)head[1],
                             (char *)from + bytes - of_bodies, e))
            return -1;
    }
    return 0;
}

int leader_get_state_block(void *state, size_t piece, void *to, struct error *e)
{
    struct leader *l = state;
    if (!l->piece_bytes && find_bytes(l, e))
        return -1;
    if (piece >= l->whole->points[2])
        return get_last(l, to, e);
    const int part = part_of_plane(l, piece);
    return get_of_part(l, part, piece - slab_from(&l->followers[part].slab), l->piece_bytes[piece], to, e);
}

int leader_put_state_block(void *state, size_t piece, const void *from, size_t bytes, struct error *e)
{
    struct leader *l = state;
    l->stale = true;
    if (piece >= l->whole->points[2])
        return put_last(l, from, bytes, e);
    const int part = part_of_plane(l, piece);
    return put_of_part(l, part, piece - slab_from(&l->followers[part].slab), from, bytes, e);
}
