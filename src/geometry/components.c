/* SPDX-License-Identifier: MIT */
#include "geometry/components.h"

#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "geometry/joined_parts.h"
#include "geometry/source_voxels.h"

/* Whether a run of air reaches the padding around the lattice. */
static bool components_is_outside(const struct room_cuts *r, size_t row, const struct air_run *run)
{
    const size_t y = row % r->count[1], z = r->planes.from + row / r->count[1];
    return !r->lattice->walled && (y == 0 || y + 1 == r->count[1] || z == 0 || z + 1 == r->planes.all ||
                                   run->start == 0 || run->end == r->count[0]);
}

/* volume[part], in voxels; of all slabs. */
static int measure(uint64_t *volume, bool *outside, const struct room_cuts *r, struct error *e)
{
    const struct regions *g = &r->air;
    uint64_t *reach = calloc(r->parts + 1, sizeof *reach); /* runs that reach the padding */
    int status = reach ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t row = r->own[0] * g->count[1]; row < r->own[1] * g->count[1] && !status; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++) {
            volume[g->part[i]] += g->runs[i].end - g->runs[i].start;
            reach[g->part[i]] += components_is_outside(r, row, &g->runs[i]);
        }
    status = gather_agree(r->transport, status, e) || gather_sums(r->transport, volume, r->parts, e) ||
                     gather_sums(r->transport, reach, r->parts, e)
                 ? -1
                 : 0;
    for (size_t i = 0; i < r->parts && !status; i++)
        outside[i] = reach[i] > 0;
    free(reach);
    return status;
}

/* A part's longest run, the first of several. */
struct longest {
    uint64_t length;
    double place[3]; /* m: its centre */
};

static void find_longest(struct longest *longest, const struct room_cuts *r, const uint32_t *parts, size_t count)
{
    const struct regions *g = &r->air;
    for (size_t row = r->own[0] * g->count[1]; row < r->own[1] * g->count[1]; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++)
            for (size_t k = 0; k < count; k++) {
                const uint32_t length = g->runs[i].end - g->runs[i].start;
                if (parts[k] != g->part[i] || length <= longest[k].length)
                    continue;
                longest[k].length = length;
                cuts_place(longest[k].place, r,
                           (const size_t[3]){g->runs[i].start + length / 2, row % g->count[1], row / g->count[1]});
            }
}

static int place_parts(struct voxel_report *report, const struct room_cuts *r, const uint32_t *parts, size_t count,
                       struct error *e)
{
    struct longest longest[VOXEL_COMPONENTS] = {{.length = 0}}, most[VOXEL_COMPONENTS] = {{.length = 0}};
    struct gathered all;
    find_longest(longest, r, parts, count);
    const int status = gather_all(&all, r->transport, longest, sizeof longest, e);
    for (size_t at = 0; at < all.count && !status; at += sizeof longest) {
        memcpy(longest, all.bytes + at, sizeof longest);
        for (size_t k = 0; k < count; k++)
            most[k] = longest[k].length > most[k].length ? longest[k] : most[k];
    }
    for (size_t k = 0; k < count; k++)
        memcpy(report->components[k].place, most[k].place, sizeof most[k].place);
    gathered_free(&all);
    return status;
}

/* The largest parts, by falling volume; of equal ones the lower first. */
static size_t largest(uint32_t found[VOXEL_COMPONENTS], const uint64_t *volume, uint32_t parts, size_t *all)
{
    size_t count = 0;
    *all = 0;
    for (uint32_t part = 0; part < parts; part++) {
        if (!volume[part])
            continue;
        ++*all;
        size_t at = count < VOXEL_COMPONENTS ? count++ : count;
        if (at == VOXEL_COMPONENTS) {
            if (volume[part] <= volume[found[at - 1]])
                continue;
            at--;
        }
        for (; at > 0 && volume[found[at - 1]] < volume[part]; at--)
            found[at] = found[at - 1];
        found[at] = part;
    }
    return count;
}

static int report_parts(struct voxel_report *report, const struct room_cuts *r, const uint64_t *volume,
                        const bool *room, const bool *outside, const bool *joined, struct error *e)
{
    uint32_t found[VOXEL_COMPONENTS];
    const double voxel = r->lattice->spacing * r->lattice->spacing * r->lattice->spacing;
    for (size_t part = 0; part < r->parts; part++)
        if (volume[part] && !room[part] && !outside[part]) {
            report->closed_count++;
            report->closed_volume += (double)volume[part] * voxel;
        }
    const size_t count = largest(found, volume, (uint32_t)r->parts, &report->component_count);
    for (size_t i = 0; i < count; i++) {
        struct voxel_component *c = &report->components[i];
        *c = (struct voxel_component){.volume = (double)volume[found[i]] * voxel,
                                      .is_room = room[found[i]],
                                      .is_beside = joined[found[i]],
                                      .is_outside = outside[found[i]]};
    }
    return place_parts(report, r, found, count, e);
}

static int refuse_elsewhere(const struct room_cuts *r, const struct source_voxel *s, uint64_t volume, uint64_t of_room,
                            bool is_outside, struct error *e)
{
    const double voxel = r->lattice->spacing * r->lattice->spacing * r->lattice->spacing;
    if (is_outside)
        return source_voxel_refuse(s, e, "is outside the room; move it into the room");
    return source_voxel_refuse(
        s, e, "is in a space of %.4g m³ that is not connected to the %.4g m³ around the first source; move it there",
        (double)volume * voxel, (double)of_room * voxel);
}

static int find_room(bool *room, const uint64_t *volume, const bool *outside, const bool *joined,
                     const struct room_cuts *r, const struct source_voxel *source_voxels,
                     const struct source_voxel_place *places, size_t source_voxel_count, bool bodies, size_t source[3],
                     struct error *e)
{
    uint32_t part = NO_RUN;
    for (int receivers = 0; receivers < 2; receivers++)
        for (size_t i = 0; i < source_voxel_count; i++) {
            if (source_voxels[i].receiver != receivers)
                continue;
            if (!places[i].found)
                return source_voxel_refuse(&source_voxels[i], e,
                                           "has no voxel of air around it at a grid spacing of %.4g m; move it out of "
                                           "the object or wall, or use a finer grid",
                                           r->lattice->spacing);
            if (part == NO_RUN) {
                part = places[i].part;
                memcpy(source, places[i].voxel, sizeof places[i].voxel);
            }
            if (places[i].part != part && !(joined[part] && joined[places[i].part] && !outside[places[i].part]))
                return refuse_elsewhere(r, &source_voxels[i], volume[places[i].part], volume[part],
                                        outside[places[i].part], e);
            room[places[i].part] = true;
        }
    for (size_t i = 0; i < r->parts && part != NO_RUN && joined[part] && !bodies; i++)
        room[i] = room[i] || (joined[i] && !outside[i]);
    return 0;
}

int components_find(bool *room, bool *outside, struct voxel_report *report, const struct room_cuts *r,
                    const struct source_voxel *source_voxels, size_t source_voxel_count, bool bodies, size_t source[3],
                    struct error *e)
{
    struct error of_report;
    uint64_t *volume = calloc(r->parts + 1, sizeof *volume);
    struct source_voxel_place *places = calloc(source_voxel_count + 1, sizeof *places);
    bool *joined = calloc(r->parts + 1, sizeof *joined);
    int status = volume && places && joined ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e) || measure(volume, outside, r, e) ||
                     joined_parts_find(joined, r, e) ||
                     source_voxels_find(places, r, true, source_voxels, source_voxel_count, e)
                 ? -1
                 : 0;
    if (!status) {
        for (size_t i = 0; i < r->parts && !source_voxel_count; i++)
            room[i] = !outside[i];
        status =
            find_room(room, volume, outside, joined, r, source_voxels, places, source_voxel_count, bodies, source, e);
        if (report_parts(report, r, volume, room, outside, joined,
                         status ? &of_report : e)) /* also of a room that fails */
            status = -1;
    }
    free(volume);
    free(places);
    free(joined);
    return status;
}
