/* SPDX-License-Identifier: MIT */
/* Stores the state of a solver in blocks, independent of engine, kernel and number of parts
 * (solver/state.h). */
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "solver/checkpoint/folder.h"
#include "solver/scheme.h"
#include "solver/state.h"

enum { BLOCK_BYTES = 8 << 20 }; /* approximate size of a block, which bounds the memory used while writing */

static size_t plane_bytes(const struct problem *p)
{
    return p->points[0] * p->points[1] * precision_bytes(p->precision);
}

static size_t array_count(const struct problem *p)
{
    size_t count = 0;
    while (p->scheme->arrays[count])
        count++;
    return count;
}

static int put_array(struct blocks_out *f, size_t array, const struct problem *p, struct solver *s, struct error *e)
{
    const size_t plane = plane_bytes(p), most = BLOCK_BYTES / plane ? BLOCK_BYTES / plane : 1;
    char *values = malloc((most < p->points[2] ? most : p->points[2]) * plane);
    int status = values ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t z = 0, count; z < p->points[2] && !status; z += count) {
        const size_t left = p->points[2] - z;
        count = left < most ? left : most;
        const struct block_head head = {.kind = BLOCK_FIELD, .array = (uint32_t)array, .first = z, .count = count};
        status = solver_get(s, p->scheme->arrays[array], z, count, values, e) ||
                         blocks_put(f, head, values, count * plane, e)
                     ? -1
                     : 0;
    }
    free(values);
    return status;
}

/* Number of pieces from `first` that fit into a block, at least one. */
static size_t count_pieces(const size_t *bytes, size_t first, size_t end, size_t *total)
{
    size_t count = 0;
    *total = 0;
    while (first + count < end && (!count || *total + bytes[first + count] + sizeof(uint64_t) <= BLOCK_BYTES))
        *total += bytes[first + count++] + sizeof(uint64_t);
    return count;
}

static int put_pieces(struct blocks_out *f, const size_t *bytes, size_t first, size_t count, size_t total,
                      struct solver *s, struct error *e)
{
    const struct block_head head = {.kind = BLOCK_PIECES, .first = first, .count = count};
    char *block = malloc(total + 1), *at = block + count * sizeof(uint64_t);
    int status = block ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; at += bytes[first + i++]) {
        const uint64_t size = bytes[first + i];
        memcpy(block + i * sizeof size, &size, sizeof size);
        status = solver_get_state_block(s, first + i, at, e);
    }
    status = status || blocks_put(f, head, block, total, e) ? -1 : 0;
    free(block);
    return status;
}

int solver_blocks_put(struct blocks_out *f, const struct problem *p, struct solver *s, struct error *e)
{
    const size_t pieces = p->points[2] + 1, arrays = array_count(p);
    for (size_t array = 0; array < arrays; array++)
        if (put_array(f, array, p, s, e))
            return -1;
    if (!solver_has_state_blocks(s))
        return 0;
    size_t *bytes = calloc(pieces, sizeof *bytes);
    int status = bytes ? solver_state_block_bytes(s, bytes, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t first = 0, count, total; first < pieces && !status; first += count) {
        count = count_pieces(bytes, first, pieces, &total);
        status = put_pieces(f, bytes, first, count, total, s, e);
    }
    free(bytes);
    return status ? -1 : 0;
}

static int damaged(const struct blocks_in *f, struct error *e)
{
    return fail(e, ERROR_INPUT, "%s: damaged checkpoint: block %llu does not fit this run", f->path,
                (unsigned long long)f->blocks - 1);
}

static int take_pieces(struct solver_blocks *b, const struct blocks_in *f, const struct problem *p, struct solver *s,
                       struct error *e)
{
    const struct block_head *head = &f->head;
    if (head->first != b->pieces || head->count > p->points[2] + 1 - b->pieces ||
        !sizes_fit(head->count, sizeof(uint64_t), head->bytes))
        return damaged(f, e);
    const char *at = f->bytes + head->count * sizeof(uint64_t), *end = f->bytes + head->bytes;
    for (size_t i = 0; i < head->count; i++) {
        uint64_t size;
        memcpy(&size, f->bytes + i * sizeof size, sizeof size);
        if (size > (uint64_t)(end - at))
            return damaged(f, e);
        if (solver_has_state_blocks(s) && solver_put_state_block(s, head->first + i, at, (size_t)size, e))
            return -1;
        at += size;
    }
    b->pieces += head->count;
    return 0;
}

int solver_blocks_take(struct solver_blocks *b, const struct blocks_in *f, const struct problem *p, struct solver *s,
                       struct error *e)
{
    const struct block_head *head = &f->head;
    const size_t planes = p->points[2];
    if (head->kind == BLOCK_PIECES)
        return take_pieces(b, f, p, s, e);
    if (head->array >= array_count(p) || b->planes != head->array * planes + head->first || head->first > planes ||
        head->count > planes - head->first || head->bytes != head->count * plane_bytes(p))
        return damaged(f, e);
    b->planes += head->count;
    return solver_put(s, p->scheme->arrays[head->array], head->first, head->count, f->bytes, e);
}

/* An engine that provides no pieces has written none. */
bool solver_blocks_are_all(const struct solver_blocks *b, const struct problem *p)
{
    return b->planes == array_count(p) * p->points[2] && (b->pieces == p->points[2] + 1 || !b->pieces);
}
