/* SPDX-License-Identifier: MIT */
#include "geometry/components.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/seeds.h"

bool components_is_outside(const struct room_cuts *r, size_t row, const struct air_run *run)
{
    const size_t y = row % r->count[1], z = row / r->count[1];
    return !r->lattice->walled && (y == 0 || y + 1 == r->count[1] || z == 0 || z + 1 == r->count[2] ||
                                   run->start == 0 || run->end == r->count[0]);
}

/* volume[part], in voxels. */
static void measure(uint64_t *volume, bool *outside, const struct room_cuts *r)
{
    const struct regions *g = &r->air;
    for (size_t row = 0; row < g->rows; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++) {
            volume[g->part[i]] += g->runs[i].end - g->runs[i].start;
            outside[g->part[i]] = outside[g->part[i]] || components_is_outside(r, row, &g->runs[i]);
        }
}

/* The centre of a part's longest run. */
static void place_of(double place[3], const struct room_cuts *r, uint32_t part)
{
    const struct regions *g = &r->air;
    uint32_t longest = 0;
    for (size_t row = 0; row < g->rows; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++)
            if (g->part[i] == part && g->runs[i].end - g->runs[i].start > longest) {
                longest = g->runs[i].end - g->runs[i].start;
                cuts_place(place, r,
                           (const size_t[3]){g->runs[i].start + longest / 2, row % g->count[1], row / g->count[1]});
            }
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

static void report_parts(struct voxel_report *report, const struct room_cuts *r, const uint64_t *volume,
                         const bool *room, const bool *outside)
{
    uint32_t found[VOXEL_COMPONENTS];
    const double voxel = r->lattice->spacing * r->lattice->spacing * r->lattice->spacing;
    for (uint32_t part = 0; part < r->air.start[r->air.rows]; part++)
        if (volume[part] && !room[part] && !outside[part]) {
            report->closed_count++;
            report->closed_volume += (double)volume[part] * voxel;
        }
    const size_t count = largest(found, volume, r->air.start[r->air.rows], &report->component_count);
    for (size_t i = 0; i < count; i++) {
        struct voxel_component *c = &report->components[i];
        *c = (struct voxel_component){
            .volume = (double)volume[found[i]] * voxel, .is_room = room[found[i]], .is_outside = outside[found[i]]};
        place_of(c->place, r, found[i]);
    }
}

static int refuse_elsewhere(const struct room_cuts *r, const struct voxel_seed *s, uint64_t volume, uint64_t of_room,
                            bool is_outside, struct error *e)
{
    const double voxel = r->lattice->spacing * r->lattice->spacing * r->lattice->spacing;
    if (is_outside)
        return seed_refuse(s, e, "is outside the room: move it into the room");
    return seed_refuse(s, e,
                       "is in a part of the air of %.4g m³, which nothing joins with the %.4g m³ of the first source: "
                       "move it there",
                       (double)volume * voxel, (double)of_room * voxel);
}

static int find_room(bool *room, const uint64_t *volume, const bool *outside, const struct room_cuts *r,
                     const struct voxel_seed *seeds, size_t seed_count, size_t source[3], struct error *e)
{
    uint32_t part = NO_RUN;
    for (int receivers = 0; receivers < 2; receivers++)
        for (size_t i = 0; i < seed_count; i++) {
            size_t voxel[3];
            if (seeds[i].receiver != receivers)
                continue;
            const uint32_t run = seed_run(voxel, r, seeds[i].position);
            if (run == NO_RUN)
                return seed_refuse(
                    &seeds[i], e,
                    "has no voxel of air around it at a grid spacing of %.4g m: move it out of the object or wall "
                    "that it is in, or choose a finer grid",
                    r->lattice->spacing);
            if (part == NO_RUN) {
                part = r->air.part[run];
                memcpy(source, voxel, sizeof voxel);
            }
            if (r->air.part[run] != part)
                return refuse_elsewhere(r, &seeds[i], volume[r->air.part[run]], volume[part], outside[r->air.part[run]],
                                        e);
        }
    if (part != NO_RUN)
        room[part] = true;
    return 0;
}

int components_find(bool *room, bool *outside, struct voxel_report *report, const struct room_cuts *r,
                    const struct voxel_seed *seeds, size_t seed_count, size_t source[3], struct error *e)
{
    const uint32_t parts = r->air.start[r->air.rows];
    uint64_t *volume = calloc((size_t)parts + 1, sizeof *volume);
    if (!volume)
        return fail(e, ERROR_MEMORY, "not enough memory for the parts of the air");
    measure(volume, outside, r);
    for (uint32_t i = 0; i < parts && !seed_count; i++)
        room[i] = volume[i] && !outside[i];
    const int status = find_room(room, volume, outside, r, seeds, seed_count, source, e);
    report_parts(report, r, volume, room, outside);
    free(volume);
    return status;
}
