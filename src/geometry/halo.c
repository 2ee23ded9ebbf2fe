/* SPDX-License-Identifier: MIT */
/* Packs, sends and unpacks the planes that neighbouring slabs share. */
#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "base/transport/packet.h"
#include "geometry/halo.h"

void halo_neighbours(bool neighbours[2], const struct room_cuts *r)
{
    neighbours[0] = r->own[0] > 0;
    neighbours[1] = r->own[1] < r->count[2];
}

void halo_given(size_t planes[2], const struct room_cuts *r, int side)
{
    planes[0] = side ? r->own[1] - CUTS_HALO : r->own[0];
    planes[1] = planes[0] + CUTS_HALO;
}

/* Packs the rows of the own planes that are the halo of a neighbour, and the filled voxels in them. */
static void pack(struct packet *w, const struct room_cuts *r, int side)
{
    const struct regions *g = &r->air;
    size_t planes[2], first = 0, end;
    halo_given(planes, r, side);
    const size_t rows[2] = {planes[0] * g->count[1], planes[1] * g->count[1]};
    const uint64_t plane = (uint64_t)g->count[0] * g->count[1];
    packet_put(w, g->start + rows[0], (rows[1] - rows[0] + 1) * sizeof *g->start);
    packet_put(w, g->runs + g->start[rows[0]], (g->start[rows[1]] - g->start[rows[0]]) * sizeof *g->runs);
    while (first < r->filled_count && r->filled[first].voxel < planes[0] * plane)
        first++;
    for (end = first; end < r->filled_count && r->filled[end].voxel < planes[1] * plane;)
        end++;
    packet_put_size(w, planes[0]);
    packet_put_size(w, end - first);
    packet_put(w, r->filled + first, (end - first) * sizeof *r->filled);
}

/* A received halo; it points into the packet. */
struct halo {
    const uint32_t *start; /* [CUTS_HALO rows + 1] */
    const struct air_run *runs;
    const struct filled_voxel *filled;
    size_t run_count, filled_count, plane; /* plane: of theirs, that is the halo's first */
};

static int unpack(struct halo *h, struct packet *w, const struct room_cuts *r, struct error *e)
{
    const size_t rows = CUTS_HALO * r->count[1];
    h->start = packet_take(w, (rows + 1) * sizeof *h->start);
    h->run_count = h->start ? h->start[rows] - h->start[0] : 0;
    h->runs = packet_take(w, h->run_count * sizeof *h->runs);
    h->plane = packet_get_size(w);
    h->filled_count = packet_get_size(w);
    h->filled = packet_take(w, h->filled_count * sizeof *h->filled);
    return w->failed ? fail(e, ERROR_ENGINE, "the planes of a neighbouring part are incomplete") : 0;
}

/* Joins the air of the lower halo, the own planes and the upper halo. */
static int join_air(struct room_cuts *r, const struct halo halos[2], const bool neighbours[2], struct error *e)
{
    struct regions *g = &r->air;
    const size_t first_row = r->own[0] * g->count[1], end_row = r->own[1] * g->count[1];
    const size_t own = g->start[end_row] - g->start[first_row];
    const size_t total = halos[0].run_count + own + halos[1].run_count;
    struct regions made = *g;
    made.start = calloc(g->rows + 1, sizeof *made.start);
    made.runs = malloc((total + 1) * sizeof *made.runs);
    made.part = malloc((total + 1) * sizeof *made.part);
    if (!made.start || !made.runs || !made.part || total >= UINT32_MAX) {
        regions_free(&made);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    size_t row = 0, at = 0;
    for (size_t i = 0; neighbours[0] && i < CUTS_HALO * g->count[1]; i++)
        made.start[++row] = halos[0].start[i + 1] - halos[0].start[0];
    memcpy(made.runs, halos[0].run_count ? halos[0].runs : g->runs, halos[0].run_count * sizeof *made.runs);
    at += halos[0].run_count;
    for (size_t i = first_row; i < end_row; i++)
        made.start[++row] = (uint32_t)at + g->start[i + 1] - g->start[first_row];
    memcpy(made.runs + at, g->runs + g->start[first_row], own * sizeof *made.runs);
    at += own;
    for (size_t i = 0; neighbours[1] && i < CUTS_HALO * g->count[1]; i++)
        made.start[++row] = (uint32_t)at + halos[1].start[i + 1] - halos[1].start[0];
    memcpy(made.runs + at, halos[1].run_count ? halos[1].runs : g->runs, halos[1].run_count * sizeof *made.runs);
    regions_free(g);
    *g = made;
    return 0;
}

static int join_filled(struct room_cuts *r, const struct halo halos[2], struct error *e)
{
    const uint64_t plane = (uint64_t)r->count[0] * r->count[1];
    struct filled_voxel *all =
        malloc((halos[0].filled_count + r->filled_count + halos[1].filled_count + 1) * sizeof *all);
    size_t count = 0;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < halos[side].filled_count; i++) {
            const struct filled_voxel *from = &halos[side].filled[i];
            const uint64_t here = side ? r->own[1] : 0;
            all[count++] = (struct filled_voxel){from->voxel - halos[side].plane * plane + here * plane, from->shows};
        }
        for (size_t i = 0; !side && i < r->filled_count; i++)
            if (cuts_is_own(r, (size_t)(r->filled[i].voxel / plane)))
                all[count++] = r->filled[i];
    }
    free(r->filled);
    r->filled = all;
    r->filled_count = count;
    return 0;
}

int cuts_refresh(struct room_cuts *r, struct error *e)
{
    struct packet sent[2] = {{.bytes = NULL}, {.bytes = NULL}};
    struct bytes from[2] = {{.at = NULL}, {.at = NULL}}, to[2] = {{.at = NULL}, {.at = NULL}};
    struct halo halos[2] = {{.run_count = 0}, {.run_count = 0}};
    bool neighbours[2];
    int status = 0;
    if (!r->transport)
        return 0;
    halo_neighbours(neighbours, r);
    for (int side = 0; side < 2; side++) {
        if (neighbours[side])
            pack(&sent[side], r, side);
        if (sent[side].failed)
            status = fail(e, ERROR_MEMORY, "out of memory");
        to[side] = (struct bytes){sent[side].bytes, sent[side].count};
    }
    status = gather_agree(r->transport, status, e) || gather_sides(from, r->transport, to, neighbours, e) ? -1 : 0;
    for (int side = 0; side < 2 && !status; side++)
        if (neighbours[side])
            status = unpack(&halos[side], &(struct packet){.bytes = from[side].at, .count = from[side].count}, r, e);
    status = status || join_air(r, halos, neighbours, e) || join_filled(r, halos, e) ? -1 : 0;
    for (int side = 0; side < 2; side++) {
        packet_free(&sent[side]);
        free(from[side].at);
    }
    return gather_agree(r->transport, status, e);
}
