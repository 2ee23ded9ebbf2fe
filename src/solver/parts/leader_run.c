/* SPDX-License-Identifier: MIT */
/* Runs of the leader: sends drives to the parts that they reach, and collects the values of the
 * parts' taps. */
#include <stdlib.h>
#include <string.h>

#include "solver/parts/leader.h"

int leader_abandon(struct leader *l, const struct error *why)
{
    l->broken = true;
    transport_abandon(l->transport, why);
    return -1;
}

int leader_answer(struct transport *t, int part, void *bytes, size_t count, struct error *e)
{
    struct answer a;
    if (transport_receive(t, part, &a, sizeof a, e))
        return -1;
    if (!a.code)
        return transport_receive(t, part, bytes, count, e);
    char *message = malloc(a.message_bytes + 1);
    if (!message || transport_receive(t, part, message, a.message_bytes, e)) {
        free(message);
        return message ? -1 : fail(e, ERROR_MEMORY, "out of memory");
    }
    message[a.message_bytes] = 0;
    fail(e, (enum error_code)a.code, "part %d: %.4000s", part, message);
    free(message);
    return 1;
}

void leader_place_taps(struct leader *l, int part, const struct part_problem *q)
{
    for (size_t tap = 0; tap < q->problem.tap_count; tap++) {
        const struct tap_place *place = &q->tap_of[tap];
        const struct tap_source source = {part, tap};
        if (place->entry < 0) {
            l->whole_channel[place->channel] = source;
            continue;
        }
        size_t first = 0;
        for (size_t c = 0; c < place->channel; c++)
            first += l->whole->taps[c].count;
        l->entries[first + (size_t)place->entry] = source;
    }
}

/* The sum of a channel with entries in several parts, in the order of the engine: level 0, then
 * level 1. The cuda engine sums each level separately. */
static double sum_entries(const struct leader *l, const struct channel *channel, const struct tap_source *from,
                          size_t steps, size_t n)
{
    double sum = 0.0, before = 0.0;
    for (int level = 0; level < 2; level++) {
        if (level && l->sums_levels_apart) {
            before = sum;
            sum = 0.0;
        }
        for (size_t i = 0; i < channel->count; i++)
            if (channel->entries[i].level == level)
                sum += channel->entries[i].weight * l->followers[from[i].part].taps[from[i].tap * steps + n];
    }
    return l->sums_levels_apart ? before + sum : sum;
}

/* The sums of a run of `steps`, from the followers' taps. */
static void leader_sum_taps(const struct leader *l, size_t steps, const struct block *b)
{
    const struct tap_source *from = l->entries;
    for (size_t c = 0; c < l->whole->tap_count; from += l->whole->taps[c++].count) {
        const struct tap_source *whole = &l->whole_channel[c];
        double *to = b->taps + c * b->tap_stride;
        if (whole->part >= 0)
            memcpy(to, l->followers[whole->part].taps + whole->tap * steps, steps * sizeof *to);
        else
            for (size_t n = 0; n < steps; n++)
                to[n] = sum_entries(l, &l->whole->taps[c], from, steps, n);
    }
}

static int widen(double **values, size_t *room, size_t count, struct error *e)
{
    if (count <= *room)
        return 0;
    double *longer = realloc(*values, count * sizeof *longer);
    if (!longer)
        return fail(e, ERROR_MEMORY, "out of memory");
    *values = longer;
    *room = count;
    return 0;
}

/* Fills in the signals of the drives that reach a part. */
static int fill_drive(struct follower *f, size_t steps, const struct block *b, struct error *e)
{
    if (widen(&f->taps, &f->tap_room, f->tap_count * steps + 1, e) ||
        widen(&f->drive, &f->drive_room, f->drive_count * steps + 1, e))
        return -1;
    for (size_t i = 0; i < f->drive_count && b->drive; i++)
        memcpy(f->drive + i * steps, b->drive + f->drive_of[i] * b->drive_stride, steps * sizeof *f->drive);
    return 0;
}

static int send_run(struct leader *l, int part, size_t steps, const struct block *b, struct error *e)
{
    struct follower *f = &l->followers[part];
    const size_t bytes = f->drive_count * steps * sizeof *f->drive;
    f->order = (struct order){.kind = ORDER_RUN,
                              .drives = b->drive != NULL,
                              .taps = b->taps != NULL,
                              .halos = l->stale,
                              .bytes = bytes,
                              .steps = steps,
                              .between = l->between};
    return fill_drive(f, steps, b, e) || transport_send(l->transport, part, &f->order, sizeof f->order, e) ||
                   (b->drive && transport_send(l->transport, part, f->drive, bytes, e))
               ? -1
               : 0;
}

static int run_parts(struct leader *l, size_t steps, const struct block *b, struct error *e)
{
    struct follower *own = &l->followers[0];
    for (int part = 1; part < l->count; part++)
        if (send_run(l, part, steps, b, e))
            return -1;
    if (fill_drive(own, steps, b, e))
        return -1;
    const struct block of_own = {.drive = b->drive ? own->drive : NULL,
                                 .drive_stride = steps,
                                 .taps = b->taps ? own->taps : NULL,
                                 .tap_stride = steps};
    if ((l->stale && part_exchange(&l->own, e)) || part_run(&l->own, steps, l->between, &of_own, e))
        return -1;
    for (int part = 1; part < l->count; part++) {
        struct follower *f = &l->followers[part];
        if (leader_answer(l->transport, part, f->taps, b->taps ? f->tap_count * steps * sizeof *f->taps : 0, e))
            return -1;
    }
    return transport_flush(l->transport, e);
}

int leader_run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct leader *l = state;
    if (run_parts(l, steps, b, e))
        return leader_abandon(l, e);
    l->stale = false;
    if (b->taps)
        leader_sum_taps(l, steps, b);
    return 0;
}
