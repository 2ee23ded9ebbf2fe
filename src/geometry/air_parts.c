/* SPDX-License-Identifier: MIT */
/* Each slab joins its own runs and names a part by the number, in the whole lattice, of its lowest
 * run. At each cut two slabs have names for the same runs. All slabs receive these pairs of names
 * and unite them identically, keeping the lower name. */
#include "geometry/air_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "geometry/halo.h"

struct name_pair {
    uint64_t name, same;
};

struct naming {
    struct room_cuts *room;
    uint32_t first, end;     /* the slab's own runs */
    uint64_t before;         /* runs of the slabs below */
    struct name_pair *pairs; /* [pair_count], by name: what became of the names that pairs have */
    size_t pair_count;
};

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

static int by_value(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Sorts and keeps each once; how many. */
static size_t keep_once(uint64_t *values, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(values, count, sizeof *values, by_value);
    for (size_t i = 0; i < count; i++)
        if (!kept || values[kept - 1] != values[i])
            values[kept++] = values[i];
    return kept;
}

static int count_before(struct naming *n, struct error *e)
{
    const struct transport *t = n->room->transport;
    const uint64_t own = n->end - n->first;
    struct gathered all;
    if (!t)
        return 0;
    const int status = gather_all(&all, n->room->transport, &own, sizeof own, e);
    for (int part = 0; part < t->part && !status; part++) {
        uint64_t count;
        memcpy(&count, all.bytes + (size_t)part * sizeof count, sizeof count);
        n->before += count;
    }
    gathered_free(&all);
    return status;
}

static uint64_t name_of(const struct naming *n, uint32_t run)
{
    return n->before + n->room->air.part[run] - n->first;
}

/* ---- names that are the same */

/* The names of the runs in the lowest own plane go down; those that come from above are of the runs of the first plane
 * after the own ones. Pairs are those of runs that the own ones are joined with. */
static int compare_names(struct naming *n, struct bytes *received, struct error *e)
{
    const struct room_cuts *r = n->room;
    const struct regions *g = &r->air;
    const size_t rows = g->count[1], lowest = r->own[0] * rows;
    bool both[2];
    struct bytes from[2] = {{.at = NULL}, {.at = NULL}}, to[2] = {{.at = NULL}, {.at = NULL}};
    halo_neighbours(both, r);
    const size_t count = both[0] ? g->start[lowest + rows] - g->start[lowest] : 0;
    uint64_t *names = malloc((count + 1) * sizeof *names);
    int status = names ? 0 : no_memory(e);
    for (size_t i = 0; i < count && !status; i++)
        names[i] = name_of(n, g->start[lowest] + (uint32_t)i);
    to[0] = (struct bytes){(char *)names, count * sizeof *names};
    status = gather_agree(r->transport, status, e) || gather_sides(from, r->transport, to, both, e) ? -1 : 0;
    free(from[0].at); /* nothing */
    free(names);
    *received = from[1];
    return status;
}

static int find_pairs(struct naming *n, struct error *e)
{
    const struct room_cuts *r = n->room;
    const struct regions *g = &r->air;
    const uint32_t above = n->end,
                   above_end = r->own[1] < r->count[2] ? g->start[(r->own[1] + 1) * g->count[1]] : above;
    struct bytes received = {.at = NULL};
    struct name_pair *pairs = NULL;
    size_t count = 0;
    int status = compare_names(n, &received, e);
    if (!status && received.count != (above_end - above) * sizeof(uint64_t))
        status = fail(e, ERROR_ENGINE, "two parts of the grid disagree about the air between them");
    if (!status && !(pairs = malloc((above_end - above + 1) * sizeof *pairs)))
        status = no_memory(e);
    for (uint32_t run = above; run < above_end && !status; run++) {
        uint64_t theirs;
        memcpy(&theirs, received.at + (run - above) * sizeof theirs, sizeof theirs);
        if (g->part[run] >= n->end) /* joined with nothing below */
            continue;
        if (!count || pairs[count - 1].name != theirs || pairs[count - 1].same != name_of(n, run))
            pairs[count++] = (struct name_pair){theirs, name_of(n, run)};
    }
    free(received.at);
    n->pairs = pairs;
    n->pair_count = count;
    return gather_agree(r->transport, status, e);
}

static size_t place_of(const uint64_t *names, size_t count, uint64_t name)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (names[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t root_of(size_t *parent, size_t at)
{
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

/* All pairs become, for each name in them, the lowest that is the same. */
static int unite_pairs(struct naming *n, const struct name_pair *all, size_t count, struct error *e)
{
    uint64_t *names = malloc((2 * count + 1) * sizeof *names);
    size_t *parent = malloc((2 * count + 1) * sizeof *parent);
    struct name_pair *pairs = malloc((2 * count + 1) * sizeof *pairs);
    free(n->pairs);
    n->pairs = pairs;
    if (!names || !parent || !pairs) {
        free(names);
        free(parent);
        return no_memory(e);
    }
    for (size_t i = 0; i < count; i++) {
        names[2 * i] = all[i].name;
        names[2 * i + 1] = all[i].same;
    }
    n->pair_count = keep_once(names, 2 * count);
    for (size_t i = 0; i < n->pair_count; i++)
        parent[i] = i;
    for (size_t i = 0; i < count; i++) {
        const size_t a = root_of(parent, place_of(names, n->pair_count, all[i].name));
        const size_t b = root_of(parent, place_of(names, n->pair_count, all[i].same));
        parent[a < b ? b : a] = a < b ? a : b;
    }
    for (size_t i = 0; i < n->pair_count; i++)
        pairs[i] = (struct name_pair){names[i], names[root_of(parent, i)]};
    free(names);
    free(parent);
    return 0;
}

static int join_names(struct naming *n, struct error *e)
{
    struct gathered all = {.bytes = NULL};
    if (!n->room->transport)
        return 0;
    int status = find_pairs(n, e);
    if (!status)
        status = gather_all(&all, n->room->transport, n->pairs, n->pair_count * sizeof *n->pairs, e);
    if (!status)
        status = unite_pairs(n, (const struct name_pair *)(void *)all.bytes, all.count / sizeof *n->pairs, e);
    gathered_free(&all);
    return gather_agree(n->room->transport, status, e);
}

static uint64_t joined_name(const struct naming *n, uint32_t run)
{
    const uint64_t name = name_of(n, run);
    size_t low = 0, high = n->pair_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (n->pairs[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n->pair_count && n->pairs[low].name == name ? n->pairs[low].same : name;
}

/* ---- numbers */

/* names[count]: of the parts that the slab has, each once and ascending. */
static int list_names(uint64_t **names, size_t *count, const struct naming *n, struct error *e)
{
    const uint32_t *part = n->room->air.part;
    size_t roots = 0;
    for (uint32_t run = n->first; run < n->end; run++)
        roots += part[run] == run;
    *names = malloc((roots + 1) * sizeof **names);
    if (!*names)
        return no_memory(e);
    *count = 0;
    for (uint32_t run = n->first; run < n->end; run++)
        if (part[run] == run)
            (*names)[(*count)++] = joined_name(n, run);
    *count = keep_once(*names, *count);
    return 0;
}

/* In place: a root precedes all others of its part, so its number is in place before they look it
 * up. */
static void number_runs(struct naming *n, const uint64_t *names, size_t count)
{
    uint32_t *part = n->room->air.part;
    for (uint32_t run = n->first; run < n->end; run++) {
        const bool is_root = part[run] == run;
        part[run] = is_root ? (uint32_t)place_of(names, count, joined_name(n, run)) : part[part[run]];
    }
    n->room->parts = count;
}

static int number_parts(struct naming *n, struct error *e)
{
    struct gathered all = {.bytes = NULL};
    uint64_t *names = NULL;
    size_t count = 0;
    int status = gather_agree(n->room->transport, list_names(&names, &count, n, e), e);
    if (!status)
        status = gather_all(&all, n->room->transport, names, count * sizeof *names, e);
    if (!status) {
        uint64_t *of_all = (uint64_t *)(void *)all.bytes;
        number_runs(n, of_all, keep_once(of_all, all.count / sizeof *of_all));
    }
    gathered_free(&all);
    free(names);
    return gather_agree(n->room->transport, status, e);
}

/* The parts of the runs in halos, which have as many runs as the neighbours' planes. */
static int receive_halos(struct room_cuts *r, struct error *e)
{
    struct regions *g = &r->air;
    struct bytes from[2], to[2] = {{.at = NULL}, {.at = NULL}};
    bool neighbours[2];
    if (!r->transport)
        return 0;
    halo_neighbours(neighbours, r);
    for (int side = 0; side < 2; side++) {
        size_t planes[2];
        if (!neighbours[side])
            continue;
        halo_given(planes, r, side);
        const uint32_t first = g->start[planes[0] * g->count[1]], end = g->start[planes[1] * g->count[1]];
        to[side] = (struct bytes){(char *)(g->part + first), (end - first) * sizeof *g->part};
    }
    int status = gather_sides(from, r->transport, to, neighbours, e);
    for (int side = 0; side < 2; side++) {
        const uint32_t first = side ? g->start[r->own[1] * g->count[1]] : 0;
        const uint32_t end = g->start[side ? g->rows : r->own[0] * g->count[1]];
        if (!status && from[side].count != (end - first) * sizeof *g->part)
            status = fail(e, ERROR_ENGINE, "two parts of the grid disagree about the air between them");
        if (!status && from[side].count)
            memcpy(g->part + first, from[side].at, from[side].count);
        free(from[side].at);
    }
    return gather_agree(r->transport, status, e);
}

int air_parts_find(struct room_cuts *r, bool cut, struct error *e)
{
    struct regions *g = &r->air;
    struct naming n = {.room = r, .first = g->start[r->own[0] * g->count[1]], .end = g->start[r->own[1] * g->count[1]]};
    int status = regions_join_planes(g, cut ? &r->crossings : NULL, r->own[0], r->own[1], e);
    status = gather_agree(r->transport, status, e) || count_before(&n, e) || join_names(&n, e) || number_parts(&n, e) ||
                     receive_halos(r, e)
                 ? -1
                 : 0;
    free(n.pairs);
    return status;
}
