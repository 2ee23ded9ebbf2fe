/* SPDX-License-Identifier: MIT */
#include "solver/parts/part.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solver/halos.h"
#include "solver/parts/links.h"
#include "solver/scheme.h"
#include "solver/schemes/leapfrog/rows.h"
#include "solver/state.h"

enum { ARRAYS = 2 };

static int make_border(struct border *b, const struct part *part, bool above, struct error *e)
{
    const struct slab *slab = &part->made.slab;
    const struct problem *p = &part->made.problem;
    const size_t halo = part->halo, own = slab->below, end = slab->below + slab->end - slab->first;
    b->send_z = above ? end - halo : own;
    b->halo_z = above ? end : own - halo;
    b->send_sz = above ? end - halo + 1 : own;
    b->halo_sz = above ? end : own - halo + 1;
    b->array_bytes = halo * p->points[0] * p->points[1] * precision_bytes(p->precision);
    if (solver_states_bytes(part->solver, b->send_sz, halo - 1, &b->send_bytes, e) ||
        solver_states_bytes(part->solver, b->halo_sz, halo - 1, &b->halo_bytes, e))
        return -1;
    b->send_bytes += ARRAYS * b->array_bytes;
    b->halo_bytes += ARRAYS * b->array_bytes;
    if (solver_has_halos(part->solver)) {
        const struct halo_planes given = {b->send_z, halo, b->send_sz, halo - 1, false, part->way};
        const struct halo_planes taken = {b->halo_z, halo, b->halo_sz, halo - 1, true, part->way};
        if (solver_open_halo(part->solver, &b->own.given, &given, e) ||
            solver_open_halo(part->solver, &b->own.taken, &taken, e))
            return -1;
        b->given_bytes = solver_halo_bytes(part->solver, b->own.given);
        b->taken_bytes = solver_halo_bytes(part->solver, b->own.taken);
        return 0;
    }
    b->sent = malloc(b->send_bytes);
    b->received = malloc(b->halo_bytes);
    return b->sent && b->received ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Number of threads of a part. Processes of one host share its processors, unless mpirun has
 * bound each process to its own or the user sets the number. */
int part_threads(const struct transport *t, int asked)
{
    const int there = omp_get_num_procs(), threads = omp_get_max_threads() / (t->beside ? t->beside : 1);
    if (asked || t->beside < 2 || getenv("OMP_NUM_THREADS") || there < (int)sysconf(_SC_NPROCESSORS_ONLN))
        return asked;
    return threads > 0 ? threads : 1;
}

int part_open(struct part *part, struct transport *t, const struct solver_options *c, struct error *e)
{
    struct solver_options own = *c;
    own.threads = part_threads(t, c->threads);
    const struct slab *slab = &part->made.slab;
    part->transport = t;
    part->way = c->parts.way;
    part->links = part->way == HALOS_LINKED ? part_links(t) : NULL;
    part->halo = slab->below ? slab->below : slab->above;
    part->borders[0].neighbour = slab->below ? t->part - 1 : -1;
    part->borders[1].neighbour = slab->above ? t->part + 1 : -1;
    part->rows = calloc(1, sizeof *part->rows); /* shared by the requirement and the solver */
    if (!part->rows)
        return fail(e, ERROR_MEMORY, "out of memory");
    part->rows->voxels = part->made.leapfrog.voxels;
    part->made.leapfrog.kept_rows = part->rows;
    if (solver_open(&part->solver, &part->made.problem, &own, e))
        return -1;
    for (int side = 0; side < 2; side++)
        if (part->borders[side].neighbour >= 0 && make_border(&part->borders[side], part, side == 1, e))
            return -1;
    return 0;
}

void part_close(struct part *part)
{
    for (int side = 0; side < 2 && !part->lent; side++) {
        solver_close_halo(part->solver, part->borders[side].own.given);
        solver_close_halo(part->solver, part->borders[side].own.taken);
    }
    solver_close(part->solver);
    kept_rows_free(part->rows);
    for (int side = 0; side < 2; side++) {
        free(part->borders[side].sent);
        free(part->borders[side].received);
    }
    part_problem_free(&part->made);
    memset(part, 0, sizeof *part);
}

static const char *array_name(const struct part *part, size_t array)
{
    return part->made.problem.scheme->arrays[array];
}

int part_put(struct part *part, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    return solver_put(part->solver, array_name(part, array), z0, nz, values, e);
}

int part_get(struct part *part, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    return solver_get(part->solver, array_name(part, array), z0, nz, values, e);
}

static int send_border(struct part *part, const struct border *b, struct error *e)
{
    for (size_t a = 0; a < ARRAYS; a++)
        if (part_get(part, a, b->send_z, part->halo, b->sent + a * b->array_bytes, e))
            return -1;
    if (solver_get_states(part->solver, b->send_sz, part->halo - 1, b->sent + ARRAYS * b->array_bytes, e))
        return -1;
    return transport_send(part->transport, b->neighbour, b->sent, b->send_bytes, e);
}

static int receive_border(struct part *part, const struct border *b, struct error *e)
{
    if (transport_receive(part->transport, b->neighbour, b->received, b->halo_bytes, e))
        return -1;
    for (size_t a = 0; a < ARRAYS; a++)
        if (part_put(part, a, b->halo_z, part->halo, b->received + a * b->array_bytes, e))
            return -1;
    return solver_put_states(part->solver, b->halo_sz, part->halo - 1, b->received + ARRAYS * b->array_bytes, e);
}

static bool has_halos(const struct part *part)
{
    return part->borders[0].own.given || part->borders[1].own.given;
}

/* Only addresses are sent; waiting for halos happens on the side of the engine. A neighbour's
 * n-th message states that it has requested the reads of its (n - 1)-th exchange. Until the n-th
 * message of this part, the memory that they read does not change: docs/design/parallel.md
 * (P10). */
static int exchange_directly(void *context, struct error *e)
{
    struct part *part = context;
    part->exchanged = true;
    for (int side = 0; side < 2; side++) {
        struct border *b = &part->borders[side];
        if (b->neighbour >= 0 && (solver_send_halo(part->solver, b->own.given, b->neighbours.taken, e) ||
                                  transport_send(part->transport, b->neighbour, &b->own, sizeof b->own, e)))
            return -1;
    }
    for (int side = 0; side < 2; side++) {
        struct border *b = &part->borders[side];
        if (b->neighbour >= 0 &&
            (transport_receive(part->transport, b->neighbour, &b->neighbours, sizeof b->neighbours, e) ||
             solver_receive_halo(part->solver, b->own.taken, b->neighbours.given, e)))
            return -1;
    }
    return 0;
}

/* Neighbours must use the same layout of halos, or the links would wait for bytes that never
 * arrive. */
static int compare_sizes(struct part *part, struct error *e)
{
    size_t theirs;
    for (int side = 0; side < 2; side++) {
        struct border *b = &part->borders[side];
        if (b->neighbour >= 0 &&
            transport_send(part->transport, b->neighbour, &b->given_bytes, sizeof b->given_bytes, e))
            return -1;
    }
    for (int side = 0; side < 2; side++) {
        const struct border *b = &part->borders[side];
        if (b->neighbour < 0)
            continue;
        if (transport_receive(part->transport, b->neighbour, &theirs, sizeof theirs, e))
            return -1;
        if (theirs != b->taken_bytes)
            return fail(e, ERROR_DEVICE, "part %d announced a halo of %zu bytes; expected %zu", b->neighbour, theirs,
                        b->taken_bytes);
    }
    return transport_flush(part->transport, e);
}

/* The halos themselves are the only messages. */
static int exchange_linked(void *context, struct error *e)
{
    struct part *part = context;
    struct halo_passage passages[2];
    int count = 0;
    if (!part->exchanged && compare_sizes(part, e))
        return -1;
    part->exchanged = true;
    for (int side = 0; side < 2; side++) {
        const struct border *b = &part->borders[side];
        if (b->neighbour < 0)
            continue;
        if (solver_send_halo(part->solver, b->own.given, NULL, e))
            return -1;
        passages[count++] = (struct halo_passage){b->neighbour, b->own.given, b->own.taken};
    }
    return solver_pass_halos(part->solver, part->links, passages, count, e);
}

/* Both sides are sent before either is awaited, so that no part waits for another's turn. */
static int exchange_staged(void *context, struct error *e)
{
    struct part *part = context;
    for (int side = 0; side < 2; side++) {
        const struct border *b = &part->borders[side];
        if (b->neighbour >= 0 && (solver_send_halo(part->solver, b->own.given, NULL, e) ||
                                  solver_send_to_host(part->solver, b->own.given, e) ||
                                  transport_send(part->transport, b->neighbour,
                                                 solver_halo_on_host(part->solver, b->own.given), b->given_bytes, e)))
            return -1;
    }
    for (int side = 0; side < 2; side++) {
        const struct border *b = &part->borders[side];
        if (b->neighbour >= 0 &&
            (transport_receive(part->transport, b->neighbour, solver_halo_on_host(part->solver, b->own.taken),
                               b->taken_bytes, e) ||
             solver_receive_from_host(part->solver, b->own.taken, e)))
            return -1;
    }
    return transport_flush(part->transport, e);
}

/* Exchanges halos in the engine's memory. */
static int exchange_in_memory(void *context, struct error *e)
{
    const struct part *part = context;
    return part->way == HALOS_READ     ? exchange_directly(context, e)
           : part->way == HALOS_LINKED ? exchange_linked(context, e)
                                       : exchange_staged(context, e);
}

/* Both sides are sent before either is awaited, so that no part waits for another's turn. */
int part_exchange(struct part *part, struct error *e)
{
    if (has_halos(part)) {
        part->lent = exchange_in_memory(part, e) || solver_wait_for_halos(part->solver, e) ||
                     transport_flush(part->transport, e);
        return part->lent ? -1 : 0;
    }
    for (int side = 0; side < 2; side++)
        if (part->borders[side].neighbour >= 0 && send_border(part, &part->borders[side], e))
            return -1;
    for (int side = 0; side < 2; side++)
        if (part->borders[side].neighbour >= 0 && receive_border(part, &part->borders[side], e))
            return -1;
    return transport_flush(part->transport, e);
}

int part_run(struct part *part, size_t steps, size_t between, const struct block *b, struct error *e)
{
    if (has_halos(part)) {
        const struct exchanges x = {between, exchange_in_memory, part};
        part->lent = solver_run_exchanging(part->solver, steps, b, &x, e) || transport_flush(part->transport, e);
        return part->lent ? -1 : 0;
    }
    for (size_t done = 0, count; done < steps; done += count) {
        count = steps - done < between ? steps - done : between;
        const struct block some = {.drive = b->drive ? b->drive + done : NULL,
                                   .drive_stride = b->drive_stride,
                                   .taps = b->taps ? b->taps + done : NULL,
                                   .tap_stride = b->tap_stride};
        if (solver_run(part->solver, count, &some, e) || part_exchange(part, e))
            return -1;
    }
    return 0;
}
