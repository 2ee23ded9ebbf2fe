/* SPDX-License-Identifier: MIT */
#include "geometry/voxelize.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/transport/gather.h"
#include "geometry/air_parts.h"
#include "geometry/areas.h"
#include "geometry/build_set.h"
#include "geometry/components.h"
#include "geometry/corners.h"
#include "geometry/cut_links.h"
#include "geometry/joined_parts.h"
#include "geometry/leaks.h"
#include "geometry/room_cuts.h"
#include "geometry/source_voxels.h"

/* Thin sheets in a room: they cut links between voxels of its air, and become one voxel thick. */

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

static int sheets_fill(struct room_cuts *r, uint64_t *count, size_t place[3], struct error *e)
{
    struct chosen chosen = {.room = r};
    /* of links to the plane below the upper voxel may be chosen */
    int status = cut_links_visit(r, r->own[0] - (r->own[0] > 0), r->own[1], choose, &chosen, e);
    if (!status && chosen.failed)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = cuts_fill(r, chosen.at, &chosen.count, e);
    status = gather_agree(r->transport, status, e) || count_all(count, place, r, &chosen, e) ? -1 : 0;
    if (!status && *count)
        status = cuts_refresh(r, e);
    free(chosen.at);
    return status;
}

/* Padding: the outside of an open lattice joins all around the geometry; that of a walled one is wall. */
enum { PADDING = 1 };

static int check(const struct surface *s, const struct lattice *l, struct error *e)
{
    for (int k = 0; k < 3; k++)
        if (!(l->spacing > 0.0) || !isfinite(l->origin[k]) || l->count[k] < 1 ||
            l->count[k] > VOXEL_ROW_MAX - 2 * PADDING)
            return fail(e, ERROR_INPUT,
                        "a grid of %zu × %zu × %zu voxels of %g m exceeds %d along an axis; use a coarser grid",
                        l->count[0], l->count[1], l->count[2], l->spacing, VOXEL_ROW_MAX - 2 * PADDING);
    bool known = true;
    for (size_t i = 0; i < s->triangle_count; i++)
        known = known && s->triangles[i].material < s->material_count && s->triangles[i].back < s->material_count &&
                s->triangles[i].below < s->material_count;
    for (size_t i = 0; i < s->solid_count; i++)
        known = known && s->solids[i].material < s->material_count;
    for (int i = 0; i < FACES && l->walled; i++)
        known = known && l->walls[i] < s->material_count;
    return known ? 0 : fail(e, ERROR_INPUT, "a surface has a material outside the %zu defined", s->material_count);
}

static int open_report(struct voxel_report *report, const struct surface *s, const struct lattice *l, struct error *e)
{
    *report = (struct voxel_report){.material_count = s->material_count};
    report->materials = calloc(s->material_count + 1, sizeof *report->materials);
    if (!report->materials)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->solid_count; i++)
        report->materials[s->solids[i].material].mesh += solid_area(&s->solids[i]);
    for (int i = 0; i < FACES && l->walled; i++)
        report->materials[l->walls[i]].mesh +=
            (double)l->count[(i / 2 + 1) % 3] * (double)l->count[(i / 2 + 2) % 3] * l->spacing * l->spacing;
    return 0;
}

/* Which solids are on the planes here at all. */
static int note_solids(struct voxel_report *report, const struct room_cuts *r, struct error *e)
{
    const size_t rows = r->count[1] * r->count[2];
    report->solid_count = r->surface->solid_count;
    report->solids = calloc(report->solid_count + 1, sizeof *report->solids);
    if (!report->solids)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; r->solids.start && i < r->solids.start[rows]; i++)
        report->solids[r->solids.runs[i].solid] = true;
    for (int axis = 0; axis < 3 && report->solid_count; axis++)
        for (uint32_t i = 0; i < r->crossings.start[axis][rows]; i++) {
            const element shown = crossing_element(r->crossings.at[axis][i]);
            if (shown >= r->snapped.count)
                report->solids[shown - r->snapped.count] = true;
        }
    return 0;
}

/* Which are on any. */
static int share_solids(struct voxel_report *report, const struct room_cuts *r, struct error *e)
{
    uint64_t *here = calloc(report->solid_count + 1, sizeof *here);
    int status = here ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < report->solid_count && !status; i++)
        here[i] = report->solids[i];
    status = gather_agree(r->transport, status, e) || gather_sums(r->transport, here, report->solid_count, e) ? -1 : 0;
    for (size_t i = 0; i < report->solid_count && !status; i++)
        report->solids[i] = here[i] > 0;
    free(here);
    return status;
}

static int find_cuts(struct room_cuts *r, struct voxel_report *report, double seal, struct error *e)
{
    int status = cuts_find(r, r->surface, r->lattice, PADDING, seal, e) || note_solids(report, r, e) ? -1 : 0;
    report->degenerate = r->snapped.degenerate;
    report->duplicates = r->snapped.duplicates;
    status = gather_agree(r->transport, status, e);
    return status || share_solids(report, r, e) || cuts_refresh(r, e) || air_parts_find(r, true, e) ? -1 : 0;
}

static int refuse_leak(struct voxel_report *report, const struct room_cuts *r, const double source[3], double seal,
                       struct error *e)
{
    if (r->transport && r->transport->part) /* part 0 says it */
        return fail(e, ERROR_INPUT, "the room is open to the outside");
    if (leaks_find(report, r->surface, r->lattice, source, seal, r->threads, e))
        return -1;
    if (!report->leak_count)
        return fail(e, ERROR_INPUT, "the room is open to the outside; close its surfaces, or move the sources inside");
    const struct voxel_leak *leak = &report->leaks[0];
    return fail(e, ERROR_INPUT,
                "the room is open to the outside: the widest hole is at (%.3f, %.3f, %.3f) m, about %.2g m wide; close "
                "it, or move the sources inside",
                leak->place[0], leak->place[1], leak->place[2], leak->size);
}

/* Small rooms take less time than the synchronization of threads. */
static int threads_for(const size_t count[3])
{
    const double worth = 1.0 + (double)count[0] * (double)count[1] * (double)count[2] / 4e6;
    return worth < omp_get_max_threads() ? (int)worth : omp_get_max_threads();
}

/* Keeps the air connected to the sources or joined with it; without sources, all air inside. */
static int keep_room(struct room_cuts *r, struct voxel_report *report, const struct source_voxel *source_voxels,
                     size_t source_voxel_count, const struct voxelize_options *options, struct error *e)
{
    const size_t parts = r->parts;
    bool *room = calloc(parts + 1, sizeof *room), *outside = calloc(parts + 1, sizeof *outside);
    size_t source[3] = {0};
    bool leaks = false;
    int status = room && outside ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e);
    if (!status)
        status =
            components_find(room, outside, report, r, source_voxels, source_voxel_count, options->bodies, source, e);
    for (size_t i = 0; i < parts && !status; i++)
        leaks = leaks || (room[i] && outside[i]);
    if (leaks) {
        double place[3];
        cuts_place_in_whole(place, r, source);
        status = refuse_leak(report, r, place, options->seal, e);
    }
    if (!status)
        regions_keep(&r->air, room);
    free(room);
    free(outside);
    return status;
}

/* The part of the first, and all that have one in room[]. */
static int judge_source_voxels(uint32_t *part, bool *room, const bool *joined, const struct room_cuts *r,
                               const struct source_voxel *source_voxels, const struct source_voxel_place *places,
                               size_t source_voxel_count, struct error *e)
{
    for (size_t i = 0; i < source_voxel_count; i++) {
        if (!places[i].found)
            return source_voxel_refuse(&source_voxels[i], e,
                                       "is in a gap or beside a thin sheet that a grid spacing of %.4g m does not "
                                       "resolve; move it, or use a finer grid",
                                       r->lattice->spacing);
        *part = *part == NO_RUN ? places[i].part : *part;
        if (places[i].part != *part && !(joined[*part] && joined[places[i].part]))
            return source_voxel_refuse(&source_voxels[i], e,
                                       "is connected to %s only through a passage that is closed at a grid spacing of "
                                       "%.4g m; use a finer grid",
                                       source_voxels[0].name ? source_voxels[0].name : "the first source",
                                       r->lattice->spacing);
        room[places[i].part] = true;
    }
    return 0;
}

/* After voxels became solid: the part that the sources are in, all of which must be, and those joined with it. */
static int keep_sources(struct room_cuts *r, const struct source_voxel *source_voxels, size_t source_voxel_count,
                        bool bodies, struct error *e)
{
    uint32_t part = NO_RUN;
    if (!source_voxel_count)
        return 0;
    if (air_parts_find(r, false, e))
        return -1;
    bool *room = calloc(r->parts + 1, sizeof *room), *joined = calloc(r->parts + 1, sizeof *joined);
    struct source_voxel_place *places = calloc(source_voxel_count, sizeof *places);
    int status = room && joined && places ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e) || joined_parts_find(joined, r, e) ||
                     source_voxels_find(places, r, true, source_voxels, source_voxel_count, e) ||
                     judge_source_voxels(&part, room, joined, r, source_voxels, places, source_voxel_count, e)
                 ? -1
                 : 0;
    for (size_t i = 0; i < r->parts && !status && joined[part] && !bodies; i++)
        room[i] = room[i] || joined[i];
    if (!status)
        regions_keep(&r->air, room);
    free(room);
    free(joined);
    free(places);
    return status;
}

static int fill(struct room_cuts *r, struct voxel_report *report, const struct source_voxel *source_voxels,
                size_t source_voxel_count, const struct voxelize_options *options, struct error *e)
{
    size_t sheet[3] = {0};
    if (sheets_fill(r, &report->sheet_voxels, sheet, e))
        return -1;
    if (report->sheet_voxels)
        cuts_place_in_whole(report->sheet_place, r, sheet);
    /* what sheets part from the sources is gone before corners are judged */
    if (report->sheet_voxels && keep_sources(r, source_voxels, source_voxel_count, options->bodies, e))
        return -1;
    if (options->close_corners && corners_close(r, &report->closed_voxels, e))
        return -1;
    return report->closed_voxels ? keep_sources(r, source_voxels, source_voxel_count, options->bodies, e) : 0;
}

/* The voxels of the source voxels, in the set. */
static int locate_source_voxels(struct voxel_report *report, const struct room_cuts *r,
                                const struct source_voxel *source_voxels, size_t source_voxel_count, struct error *e)
{
    struct source_voxel_place *places = calloc(source_voxel_count + 1, sizeof *places);
    report->source_voxels = calloc(source_voxel_count + 1, sizeof *report->source_voxels);
    int status = places && report->source_voxels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e) ||
                     source_voxels_find(places, r, false, source_voxels, source_voxel_count, e)
                 ? -1
                 : 0;
    for (size_t i = 0; i < source_voxel_count && !status; i++) {
        if (!places[i].found)
            status = source_voxel_refuse(&source_voxels[i], e, "has no voxel of air around it");
        for (int k = 0; k < 3 && !status; k++)
            report->source_voxels[i][k] =
                places[i].voxel[k] - (size_t)(report->offset[k] + (ptrdiff_t)r->shift); /* not below 0 */
    }
    free(places);
    return status;
}

static int find_volume(struct voxel_report *report, const struct room_cuts *r, struct error *e)
{
    const double spacing = r->lattice->spacing;
    uint64_t voxels = regions_voxels(&r->air, r->own[0], r->own[1]);
    const int status = gather_sums(r->transport, &voxels, 1, e);
    report->volume = (double)voxels * spacing * spacing * spacing;
    return status;
}

/* Each stage gathers the data of other slabs that it needs; at its end all slabs agree that it is
 * done. */
int voxelize_planes(struct voxel_planes *made, struct voxel_report *report, const struct surface *surface,
                    const struct lattice *lattice, const struct source_voxel *source_voxels, size_t source_voxel_count,
                    const struct voxelize_options *options, struct transport *transport, struct error *e)
{
    struct room_cuts r = {.surface = surface, .lattice = lattice, .shift = PADDING, .transport = transport};
    struct areas areas = {.triangles = NULL};
    *made = (struct voxel_planes){.set = NULL};
    *report = (struct voxel_report){.material_count = 0};
    int status = check(surface, lattice, e) || open_report(report, surface, lattice, e) ? -1 : 0;
    if (gather_agree(transport, status, e))
        return -1;
    r.threads = options->threads > 0 ? options->threads : threads_for(lattice->count);
    status = find_cuts(&r, report, options->seal, e);
    if (!status)
        status = gather_agree(transport, keep_room(&r, report, source_voxels, source_voxel_count, options, e), e);
    if (!status)
        status = gather_agree(transport, areas_open(&areas, &r, e), e);
    if (!status)
        status = fill(&r, report, source_voxels, source_voxel_count, options, e);
    if (!status)
        status = areas_share(&areas, &r, report, e);
    if (!status)
        status = build_set(made, report, &r, &areas, options, e);
    if (!status)
        status = locate_source_voxels(report, &r, source_voxels, source_voxel_count, e) || find_volume(report, &r, e)
                     ? -1
                     : 0;
    areas_free(&areas);
    cuts_free(&r);
    if (status) {
        voxel_set_free(made->set);
        made->set = NULL;
    }
    return status;
}

int voxelize(struct voxel_set **result, struct voxel_report *report, const struct surface *surface,
             const struct lattice *lattice, const struct source_voxel *source_voxels, size_t source_voxel_count,
             const struct voxelize_options *options, struct error *e)
{
    struct voxel_planes whole;
    const int status =
        voxelize_planes(&whole, report, surface, lattice, source_voxels, source_voxel_count, options, NULL, e);
    *result = whole.set;
    return status;
}

void voxel_report_free(struct voxel_report *r)
{
    free(r->source_voxels);
    free(r->materials);
    free(r->covered);
    free(r->solids);
    memset(r, 0, sizeof *r);
}
