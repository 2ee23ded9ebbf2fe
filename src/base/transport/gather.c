/* SPDX-License-Identifier: MIT */
#include "base/transport/gather.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* Returns -1. While what was sent is still there. */
static int give_up(struct transport *t, const struct error *why)
{
    return t ? transport_give_up(t, why) : -1;
}

int gather_send(struct transport *t, int to, const struct bytes *sent, struct error *e)
{
    return transport_send(t, to, &sent->count, sizeof sent->count, e) || transport_send(t, to, sent->at, sent->count, e)
               ? -1
               : 0;
}

int gather_receive(struct bytes *received, struct transport *t, int from, struct error *e)
{
    *received = (struct bytes){.count = 0};
    if (transport_receive(t, from, &received->count, sizeof received->count, e))
        return -1;
    received->at = malloc(received->count + 1);
    return received->at ? transport_receive(t, from, received->at, received->count, e) : no_memory(e);
}

void gathered_free(struct gathered *all)
{
    free(all->bytes);
    free(all->ends);
    memset(all, 0, sizeof *all);
}

static int append(struct gathered *all, int part, const char *bytes, size_t count, struct error *e)
{
    char *longer = realloc(all->bytes, all->count + count + 1);
    if (!longer)
        return no_memory(e);
    all->bytes = longer;
    if (count)
        memcpy(all->bytes + all->count, bytes, count);
    all->count += count;
    all->ends[part] = all->count;
    return 0;
}

int gather_first(struct gathered *all, struct transport *t, const void *mine, size_t count, struct error *e)
{
    const struct bytes own = {(char *)mine, count};
    const int parts = t ? t->count : 1;
    *all = (struct gathered){.count = 0};
    if (t && t->part)
        return gather_send(t, 0, &own, e) || transport_flush(t, e) ? give_up(t, e) : 0;
    all->ends = calloc((size_t)parts, sizeof *all->ends);
    int status = all->ends ? append(all, 0, mine, count, e) : no_memory(e);
    for (int part = 1; part < parts && !status; part++) {
        struct bytes theirs;
        status = gather_receive(&theirs, t, part, e) || append(all, part, theirs.at, theirs.count, e) ? -1 : 0;
        free(theirs.at);
    }
    return status ? give_up(t, e) : 0;
}

/* From part 0 to the others. */
static int spread(struct gathered *all, struct transport *t, struct error *e)
{
    const struct bytes bytes = {all->bytes, all->count};
    const struct bytes ends = {(char *)all->ends, (size_t)t->count * sizeof *all->ends};
    int status = 0;
    for (int part = 1; part < t->count && !status; part++)
        status = gather_send(t, part, &ends, e) || gather_send(t, part, &bytes, e) ? -1 : 0;
    return status || transport_flush(t, e) ? give_up(t, e) : 0;
}

static int receive_spread(struct gathered *all, struct transport *t, struct error *e)
{
    struct bytes ends = {NULL, 0}, bytes = {NULL, 0};
    const int status = gather_receive(&ends, t, 0, e) || gather_receive(&bytes, t, 0, e) ? give_up(t, e) : 0;
    *all = (struct gathered){.bytes = bytes.at, .count = bytes.count, .ends = (size_t *)(void *)ends.at};
    return status;
}

int gather_all(struct gathered *all, struct transport *t, const void *mine, size_t count, struct error *e)
{
    if (gather_first(all, t, mine, count, e))
        return -1;
    return !t ? 0 : t->part ? receive_spread(all, t, e) : spread(all, t, e);
}

int gather_agree(struct transport *t, int status, struct error *e)
{
    const size_t count = status && t ? sizeof *e : 0;
    struct gathered all;
    struct error gone;
    if (!t)
        return status;
    if (gather_all(&all, t, e, count, &gone)) {
        *e = status ? *e : gone;
        gathered_free(&all);
        return -1;
    }
    const bool failed = all.count >= sizeof *e;
    if (failed)
        memcpy(e, all.bytes, sizeof *e); /* that of the first */
    gathered_free(&all);
    return failed ? -1 : 0;
}

static int add_all(struct transport *t, uint64_t *values, size_t count, struct error *e)
{
    const size_t bytes = count * sizeof *values;
    uint64_t *theirs = malloc(bytes + 1);
    int status = theirs ? 0 : no_memory(e);
    for (int part = 1; part < t->count && !status; part++) {
        status = transport_receive(t, part, theirs, bytes, e);
        for (size_t i = 0; i < count && !status; i++)
            values[i] += theirs[i];
    }
    for (int part = 1; part < t->count && !status; part++)
        status = transport_send(t, part, values, bytes, e);
    free(theirs);
    return status || transport_flush(t, e) ? -1 : 0;
}

int gather_sums(struct transport *t, uint64_t *values, size_t count, struct error *e)
{
    int status = 0;
    if (t && t->part)
        status = transport_send(t, 0, values, count * sizeof *values, e) || transport_flush(t, e) ||
                         transport_receive(t, 0, values, count * sizeof *values, e)
                     ? -1
                     : 0;
    else if (t)
        status = add_all(t, values, count, e);
    return status ? give_up(t, e) : 0;
}

/* Both are sent before either is waited for. */
int gather_sides(struct bytes from[2], struct transport *t, const struct bytes to[2], const bool neighbours[2],
                 struct error *e)
{
    int status = 0;
    memset(from, 0, 2 * sizeof *from);
    for (int side = 0; side < 2 && !status; side++)
        if (neighbours[side])
            status = gather_send(t, t->part + (side ? 1 : -1), &to[side], e);
    for (int side = 0; side < 2 && !status; side++)
        if (neighbours[side])
            status = gather_receive(&from[side], t, t->part + (side ? 1 : -1), e);
    return status || (t && transport_flush(t, e)) ? give_up(t, e) : 0;
}
