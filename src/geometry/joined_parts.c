/* SPDX-License-Identifier: MIT */
#include "geometry/joined_parts.h"

#include <stdlib.h>

#include "base/stop.h"
#include "base/transport/gather.h"
#include "geometry/cut_links.h"
#include "geometry/row_faces.h"

struct joining {
    const struct room_cuts *room;
    uint64_t *beside; /* [parts]: not 0: beside a partition */
};

static bool any_joins(const struct surface *s)
{
    for (size_t i = 0; i < s->material_count; i++)
        if (s->materials[i].joins)
            return true;
    return false;
}

static bool joins(const struct room_cuts *r, element shown)
{
    return shown < r->snapped.count + r->surface->solid_count && r->surface->materials[cuts_material(r, shown)].joins;
}

static void mark(const struct joining *j, uint32_t run)
{
    if (run == NO_RUN)
        return;
    uint64_t *beside = &j->beside[j->room->air.part[run]];
#pragma omp atomic write
    *beside = 1;
}

/* Links between voxels of air that a partition thinner than a voxel cuts. */
static void mark_link(void *context, const struct cut_link *link)
{
    const struct joining *j = context;
    size_t upper[3] = {link->lower[0], link->lower[1], link->lower[2]};
    bool found = false;
    upper[link->axis]++;
    for (size_t i = 0; i < link->count; i++)
        found = found || joins(j->room, crossing_element(link->cuts[i]));
    if (!found)
        return;
    mark(j, regions_run_at(&j->room->air, link->lower));
    mark(j, regions_run_at(&j->room->air, upper));
}

/* Faces of air to the solid voxels of partitions; they may extend over several runs of a row. */
static void mark_faces(const struct joining *j, const struct row_faces *f, size_t y, size_t z)
{
    const struct regions *g = &j->room->air;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen_run *seen = &f->runs[i];
        if (seen->seen.element == ELEMENT_NONE || !joins(j->room, seen->seen.element))
            continue;
        const uint32_t end = g->start[y + g->count[1] * z + 1];
        for (uint32_t run = regions_run_at(g, (const size_t[3]){seen->start, y, z});
             run < end && g->runs[run].start < seen->start + seen->length; run++)
            mark(j, run);
    }
}

static int mark_all(struct joining *j, struct error *e)
{
    const struct room_cuts *r = j->room;
    int failed = 0;
#pragma omp parallel num_threads(r->threads) reduction(| : failed)
    {
        struct row_faces faces = {.runs = NULL};
#pragma omp for schedule(dynamic, 8)
        for (size_t z = r->own[0]; z < r->own[1]; z++)
            for (size_t y = 0; y < r->count[1] && !failed && !stop_requested(); y++) {
                failed = row_faces_find(&faces, r, y, z) != 0;
                mark_faces(j, &faces, y, z);
            }
        row_faces_free(&faces);
    }
    return failed ? fail(e, ERROR_MEMORY, "out of memory") : cut_links_visit(r, r->own[0], r->own[1], mark_link, j, e);
}

int joined_parts_find(bool *joined, const struct room_cuts *r, struct error *e)
{
    if (!any_joins(r->surface))
        return 0;
    struct joining j = {r, calloc(r->parts + 1, sizeof *j.beside)};
    int status = j.beside ? mark_all(&j, e) : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e) || gather_sums(r->transport, j.beside, r->parts, e) ? -1 : 0;
    for (size_t i = 0; i < r->parts && !status; i++)
        joined[i] = j.beside[i] > 0;
    free(j.beside);
    return status;
}
