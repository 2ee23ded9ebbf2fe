/* SPDX-License-Identifier: MIT */
#include "geometry/build_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acoustics/cell.h"
#include "base/stop.h"

enum { BATCH = 8192 /* rows whose faces are found at once */ };

struct building {
    const struct room_cuts *room;
    struct areas *areas;
    struct voxel_report *report;
    size_t from[3], to[3]; /* the voxels of the set, in the padded lattice */
    struct row_faces rows[BATCH];
    struct air_run *air;
    struct face_run *faces;
    size_t air_capacity, face_capacity;
};

static void whole_lattice(struct building *b)
{
    for (int k = 0; k < 3; k++) {
        b->from[k] = b->room->shift;
        b->to[k] = b->room->count[k] - b->room->shift;
    }
}

/* A margin beyond the padded lattice is left out: no air reaches its ends. */
static void around_air(struct building *b, size_t margin)
{
    const struct regions *g = &b->room->air;
    size_t low[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, high[3] = {0, 0, 0};
    for (size_t row = 0; row < g->rows; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++) {
            const size_t first[3] = {g->runs[i].start, row % g->count[1], row / g->count[1]};
            const size_t end[3] = {g->runs[i].end, first[1] + 1, first[2] + 1};
            for (int k = 0; k < 3; k++) {
                low[k] = first[k] < low[k] ? first[k] : low[k];
                high[k] = end[k] > high[k] ? end[k] : high[k];
            }
        }
    if (low[0] == SIZE_MAX)
        return;
    for (int k = 0; k < 3; k++) {
        b->from[k] = low[k] < margin ? 0 : low[k] - margin;
        b->to[k] = high[k] + margin > b->room->count[k] ? b->room->count[k] : high[k] + margin;
    }
}

/* ---- the report */

static bool is_across(const struct seen_run *run)
{
    return run->seen.element != ELEMENT_NONE && run->seen.component > 0.55; /* some component is 0.577 at least */
}

static void note_gap(struct building *b, uint32_t material, uint64_t voxels, const size_t at[3])
{
    struct material_areas *m = &b->report->materials[material];
    if (!m->gaps)
        cuts_place(m->gap_place, b->room, at);
    m->gaps += voxels;
}

/* Voxels that see two surfaces across an axis, on both sides. */
static void find_gaps(struct building *b, const struct row_faces *f, size_t y, size_t z, int axis)
{
    size_t i = 0, j = 0;
    while (i < f->count && f->runs[i].side < 2 * axis)
        i++;
    while (j < f->count && f->runs[j].side < 2 * axis + 1)
        j++;
    while (i < f->count && f->runs[i].side == 2 * axis && j < f->count && f->runs[j].side == 2 * axis + 1) {
        const struct seen_run *one = &f->runs[i], *other = &f->runs[j];
        const uint32_t one_end = one->start + one->length, other_end = other->start + other->length;
        const uint32_t low = one->start > other->start ? one->start : other->start;
        const uint32_t high = one_end < other_end ? one_end : other_end;
        if (low < high && is_across(one) && is_across(other)) {
            const uint32_t first = cuts_material(b->room, one->seen.element);
            const uint32_t second = cuts_material(b->room, other->seen.element);
            note_gap(b, first, high - low, (const size_t[3]){low, y, z});
            if (first != second)
                note_gap(b, second, high - low, (const size_t[3]){low, y, z});
        }
        i += one_end <= other_end;
        j += other_end <= one_end;
    }
}

/* Areas of faces of one share, and the wet areas of solids and walls. */
static void add_areas(struct building *b, const struct seen *seen, const struct share_run *part)
{
    const double face = b->room->lattice->spacing * b->room->lattice->spacing;
    if (seen->element == ELEMENT_NONE)
        return;
    struct material_areas *m = &b->report->materials[cuts_material(b->room, seen->element)];
    m->faces += face * part->length;
    m->corrected += face * part->length * part->units / FACE_AREA_UNITS;
    if (seen->element >= b->room->snapped.count)
        m->wet += face * part->length * seen->component;
}

static void judge_areas(struct voxel_report *report)
{
    for (size_t i = 0; i < report->material_count; i++) {
        struct material_areas *m = &report->materials[i];
        m->true_area = fabs(m->corrected - m->wet) <= 1e-3 * m->wet;
    }
}

/* ---- the set */

static int make_room(struct building *b, size_t air, size_t faces, struct error *e)
{
    if (air > b->air_capacity) {
        struct air_run *more = realloc(b->air, 2 * air * sizeof *more);
        b->air = more ? more : b->air;
        b->air_capacity = more ? 2 * air : b->air_capacity;
    }
    if (faces > b->face_capacity) {
        struct face_run *more = realloc(b->faces, 2 * faces * sizeof *more);
        b->faces = more ? more : b->faces;
        b->face_capacity = more ? 2 * faces : b->face_capacity;
    }
    return air > b->air_capacity || faces > b->face_capacity ? fail(e, ERROR_MEMORY, "not enough memory for a row") : 0;
}

static unsigned code_of(const struct building *b, const struct seen *seen)
{
    return seen->element == ELEMENT_NONE ? CELL_SOLID
                                         : b->room->surface->materials[cuts_material(b->room, seen->element)].code;
}

/* Makes the faces of a run at `faces`; how many. */
static size_t put_faces(struct building *b, struct face_run *faces, const struct seen_run *run)
{
    struct share_run parts[2];
    const size_t count = (size_t)areas_of_run(parts, b->areas, b->room, run);
    size_t start = run->start - b->from[0];
    for (size_t i = 0; i < count; i++) {
        faces[i] = (struct face_run){.start = start & VOXEL_ROW_MAX,
                                     .length = parts[i].length & FACE_RUN_MAX,
                                     .side = (unsigned)run->side & 7u,
                                     .code = code_of(b, &run->seen) & 255u,
                                     .area = parts[i].units & FACE_AREA_MAX};
        add_areas(b, &run->seen, &parts[i]);
        start += parts[i].length;
    }
    return count;
}

static int append_row(struct building *b, struct voxel_set_builder *to, const struct row_faces *f, size_t y, size_t z,
                      struct error *e)
{
    const struct regions *g = &b->room->air;
    const size_t row = y + g->count[1] * z, first = g->start[row], count = g->start[row + 1] - first;
    size_t faces = 0;
    if (make_room(b, count, 2 * f->count, e)) /* a run has at most two shares */
        return -1;
    for (size_t i = 0; i < count; i++)
        b->air[i] = (struct air_run){g->runs[first + i].start - (uint32_t)b->from[0],
                                     g->runs[first + i].end - (uint32_t)b->from[0]};
    for (size_t i = 0; i < f->count; i++)
        faces += put_faces(b, b->faces + faces, &f->runs[i]);
    for (int axis = 0; axis < 3 && f->count; axis++)
        find_gaps(b, f, y, z, axis);
    return voxel_set_append(to, b->air, count, b->faces, faces, e);
}

static int append_rows(struct building *b, struct voxel_set_builder *to, struct error *e)
{
    const size_t ny = b->to[1] - b->from[1], rows = ny * (b->to[2] - b->from[2]);
    for (size_t done = 0; done < rows; done += BATCH) {
        const size_t count = rows - done < BATCH ? rows - done : BATCH;
        int failed = 0;
        if (stop_check(e))
            return -1;
#pragma omp parallel for schedule(dynamic, 8) num_threads(b->room->threads) reduction(| : failed)
        for (size_t i = 0; i < count; i++)
            failed |=
                row_faces_find(&b->rows[i], b->room, b->from[1] + (done + i) % ny, b->from[2] + (done + i) / ny) != 0;
        if (failed)
            return fail(e, ERROR_MEMORY, "not enough memory for the faces of a row of voxels");
        for (size_t i = 0; i < count; i++)
            if (append_row(b, to, &b->rows[i], b->from[1] + (done + i) % ny, b->from[2] + (done + i) / ny, e))
                return -1;
    }
    return 0;
}

int build_set(struct voxel_set **set, struct voxel_report *report, const struct room_cuts *r, struct areas *areas,
              const struct voxelize_options *options, struct error *e)
{
    struct voxel_set_builder *builder = NULL;
    struct building *b = calloc(1, sizeof *b);
    if (!b)
        return fail(e, ERROR_MEMORY, "not enough memory for the faces of voxels");
    *b = (struct building){.room = r, .areas = areas, .report = report};
    whole_lattice(b);
    if (options->crop)
        around_air(b, options->margin ? 1 : 0);
    const size_t count[3] = {b->to[0] - b->from[0], b->to[1] - b->from[1], b->to[2] - b->from[2]};
    int status = voxel_set_open(&builder, count, e);
    if (!status)
        status = append_rows(b, builder, e);
    judge_areas(report);
    for (int k = 0; k < 3; k++) {
        report->offset[k] = (ptrdiff_t)b->from[k] - (ptrdiff_t)r->shift;
        report->origin[k] = r->lattice->origin[k] + (double)report->offset[k] * r->lattice->spacing;
    }
    if (!status)
        *set = voxel_set_close(builder);
    else
        voxel_set_abandon(builder);
    for (int i = 0; i < BATCH; i++)
        row_faces_free(&b->rows[i]);
    free(b->air);
    free(b->faces);
    free(b);
    return status ? -1 : 0;
}
