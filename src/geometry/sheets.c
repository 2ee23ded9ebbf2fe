/* SPDX-License-Identifier: MIT */
#include "geometry/sheets.h"

#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "geometry/cut_links.h"

struct chosen {
    const struct room_cuts *room;
    struct filled_voxel *at;
    size_t count, capacity;
    bool failed;
};

/* Whether the links on both sides of a link, along one of the other axes, are cut by more than a seal. */
static bool in_seam(const struct room_cuts *r, const struct cut_link *link)
{
    for (int across = 0; across < 3; across++) {
        int cut = 0;
        for (int i = 0; i < 2 && across != link->axis; i++) {
            size_t beside[3];
            cut += cuts_beside(beside, r, link->lower, 2 * across + i) && cuts_link(r, beside, 2 * link->axis + 1);
        }
        if (cut == 2)
            return true;
    }
    return false;
}

static int cut_count(const struct room_cuts *r, const size_t at[3])
{
    int cut = 0;
    for (int side = 0; side < FACES; side++)
        cut += cuts_link(r, at, side);
    return cut;
}

static void add(struct chosen *to, uint64_t voxel)
{
    if (to->count == to->capacity) {
        const size_t capacity = to->capacity ? 2 * to->capacity : 256;
        struct filled_voxel *more = realloc(to->at, capacity * sizeof *more);
        if (!more) {
            to->failed = true;
            return;
        }
        to->at = more;
        to->capacity = capacity;
    }
    to->at[to->count++] = (struct filled_voxel){voxel, ELEMENT_SHEET};
}

static void choose(void *context, const struct cut_link *link)
{
    struct chosen *to = context;
    const struct room_cuts *r = to->room;
    bool own = false;
    if (!link->air[0] || !link->air[1])
        return;
    for (size_t i = 0; i < link->count; i++)
        own = own || !crossing_is_seal(link->cuts[i]);
    if (!own && !in_seam(r, link))
        return;
    size_t upper[3];
    memcpy(upper, link->lower, sizeof upper);
    upper[link->axis]++;
    const size_t *solid = cut_count(r, link->lower) > cut_count(r, upper) ? link->lower : upper;
    if (!cuts_is_own(r, solid[2]))
        return;
#pragma omp critical(sheet_voxels)
    add(to, regions_index(&r->air, solid));
}

/* How many there are in all slabs, and the first. */
static int count_all(uint64_t *count, size_t place[3], const struct room_cuts *r, const struct chosen *own,
                     struct error *e)
{
    uint64_t mine[4] = {own->count};
    struct gathered all;
    if (own->count) {
        size_t at[3];
        regions_place(at, &r->air, own->at[0].voxel);
        for (int k = 0; k < 3; k++)
            mine[1 + k] = at[k] + (k == 2 ? r->planes.from : 0);
    }
    const int status = gather_all(&all, r->transport, mine, sizeof mine, e);
    *count = 0;
    for (size_t i = 0; i < all.count && !status; i += sizeof mine) {
        memcpy(mine, all.bytes + i, sizeof mine);
        for (int k = 0; k < 3 && !*count && mine[0]; k++)
            place[k] = (size_t)mine[1 + k];
        *count += mine[0];
    }
    gathered_free(&all);
    return status;
}

int sheets_fill(struct room_cuts *r, uint64_t *count, size_t place[3], struct error *e)
{
    struct chosen chosen = {.room = r};
    /* of links to the plane below the upper voxel may be chosen */
    int status = cut_links_visit(r, r->own[0] - (r->own[0] > 0), r->own[1], choose, &chosen, e);
    if (!status && chosen.failed)
        status = fail(e, ERROR_MEMORY, "not enough memory for the voxels of thin sheets");
    if (!status)
        status = cuts_fill(r, chosen.at, &chosen.count, e);
    status = gather_agree(r->transport, status, e) || count_all(count, place, r, &chosen, e) ? -1 : 0;
    if (!status && *count)
        status = cuts_refresh(r, e);
    free(chosen.at);
    return status;
}
