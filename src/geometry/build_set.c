/* SPDX-License-Identifier: MIT */
#include "geometry/build_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "base/stop.h"
#include "base/transport/gather.h"

enum { BATCH = 8192 /* rows whose faces are found at once */ };

/* Of a material, over the own planes: whole numbers, which slabs may add in any order. */
struct sums {
    uint64_t faces, units; /* units: of their shares */
    uint64_t wet;          /* components of the normals of those that show solids or walls, in 1/COMPONENT_UNITS */
    uint64_t gaps;
};
enum { SUMS = sizeof(struct sums) / sizeof(uint64_t), COMPONENT_UNITS = 1 << 30 };

struct building {
    const struct room_cuts *room;
    struct areas *areas;
    struct voxel_report *report;
    size_t from[3], to[3]; /* the voxels of the set, in the whole padded lattice */
    struct sums *sums;     /* [material_count] */
    struct row_faces rows[BATCH];
    struct air_run *air;
    struct face_run *faces;
    size_t air_capacity, face_capacity;
};

static void whole_lattice(struct building *b)
{
    for (int k = 0; k < 3; k++) {
        b->from[k] = b->room->shift;
        b->to[k] = (k == 2 ? b->room->planes.all : b->room->count[k]) - b->room->shift;
    }
}

struct box {
    size_t low[3], high[3];
};

static void box_own_air(struct box *box, const struct room_cuts *r)
{
    const struct regions *g = &r->air;
    *box = (struct box){{SIZE_MAX, SIZE_MAX, SIZE_MAX}, {0, 0, 0}};
    for (size_t row = r->own[0] * g->count[1]; row < r->own[1] * g->count[1]; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++) {
            const size_t first[3] = {g->runs[i].start, row % g->count[1], r->planes.from + row / g->count[1]};
            const size_t end[3] = {g->runs[i].end, first[1] + 1, first[2] + 1};
            for (int k = 0; k < 3; k++) {
                box->low[k] = first[k] < box->low[k] ? first[k] : box->low[k];
                box->high[k] = end[k] > box->high[k] ? end[k] : box->high[k];
            }
        }
}

/* A margin beyond the padded lattice is left out: no air reaches its ends. */
static int around_air(struct building *b, size_t margin, struct error *e)
{
    struct box box, other;
    struct gathered all;
    box_own_air(&box, b->room);
    const int status = gather_all(&all, b->room->transport, &box, sizeof box, e);
    for (size_t at = 0; at < all.count && !status; at += sizeof other) {
        memcpy(&other, all.bytes + at, sizeof other);
        for (int k = 0; k < 3; k++) {
            box.low[k] = other.low[k] < box.low[k] ? other.low[k] : box.low[k];
            box.high[k] = other.high[k] > box.high[k] ? other.high[k] : box.high[k];
        }
    }
    gathered_free(&all);
    for (int k = 0; k < 3 && !status && box.low[0] != SIZE_MAX; k++) {
        const size_t count = k == 2 ? b->room->planes.all : b->room->count[k];
        b->from[k] = box.low[k] < margin ? 0 : box.low[k] - margin;
        b->to[k] = box.high[k] + margin > count ? count : box.high[k] + margin;
    }
    return status;
}

/* ---- the report */

static bool is_across(const struct seen_run *run)
{
    return run->seen.element != ELEMENT_NONE && run->seen.component > 0.55; /* some component is 0.577 at least */
}

static void note_gap(struct building *b, uint32_t material, uint64_t voxels, const size_t at[3])
{
    if (!b->sums[material].gaps)
        cuts_place(b->report->materials[material].gap_place, b->room, at);
    b->sums[material].gaps += voxels;
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

/* Faces of one share. */
static void add_areas(struct building *b, const struct seen *seen, const struct share_run *part)
{
    if (seen->element == ELEMENT_NONE)
        return;
    struct sums *sums = &b->sums[cuts_material(b->room, seen->element)];
    sums->faces += part->length;
    sums->units += (uint64_t)part->length * part->units;
    if (seen->element >= b->room->snapped.count)
        sums->wet += (uint64_t)part->length * (uint64_t)llround(seen->component * COMPONENT_UNITS);
}

/* The place of a gap is that of the lowest slab which has one. */
static int find_first_gaps(struct building *b, struct error *e)
{
    struct voxel_report *report = b->report;
    const size_t count = report->material_count, bytes = (count + 1) * sizeof(double[4]);
    double(*places)[4] = calloc(count + 1, sizeof *places); /* whether there is one; where */
    struct gathered all = {.bytes = NULL};
    int status = places ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        places[i][0] = b->sums[i].gaps > 0;
        memcpy(places[i] + 1, report->materials[i].gap_place, sizeof report->materials[i].gap_place);
    }
    status = gather_agree(b->room->transport, status, e) || gather_all(&all, b->room->transport, places, bytes, e);
    for (size_t at = all.count; at > 0 && !status; at -= bytes) {
        memcpy(places, all.bytes + at - bytes, bytes);
        for (size_t i = 0; i < count; i++)
            if (places[i][0] > 0.0)
                memcpy(report->materials[i].gap_place, places[i] + 1, sizeof report->materials[i].gap_place);
    }
    gathered_free(&all);
    free(places);
    return status ? -1 : 0;
}

/* Of all slabs; wet has those of triangles already. */
static int report_areas(struct building *b, struct error *e)
{
    const double face = b->room->lattice->spacing * b->room->lattice->spacing;
    if (find_first_gaps(b, e) ||
        gather_sums(b->room->transport, (uint64_t *)(void *)b->sums, SUMS * b->report->material_count, e))
        return -1;
    for (size_t i = 0; i < b->report->material_count; i++) {
        struct material_areas *m = &b->report->materials[i];
        const struct sums *sums = &b->sums[i];
        m->gaps = sums->gaps;
        m->faces = face * (double)sums->faces;
        m->corrected = face * (double)sums->units / FACE_AREA_UNITS;
        m->wet += face * ((double)sums->wet / COMPONENT_UNITS);
        m->true_area = fabs(m->corrected - m->wet) <= 1e-3 * m->wet;
    }
    return 0;
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
    return air > b->air_capacity || faces > b->face_capacity ? fail(e, ERROR_MEMORY, "out of memory") : 0;
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
    size_t start = run->start - b->from[0], made = 0;
    for (size_t i = 0; i < count; i++) {
        add_areas(b, &run->seen, &parts[i]);
        for (uint32_t left = parts[i].length, length; left; left -= length) {
            length = left < FACE_RUN_MAX ? left : FACE_RUN_MAX;
            faces[made++] = (struct face_run){.start = start & VOXEL_ROW_MAX,
                                              .length = length & FACE_RUN_MAX,
                                              .side = (unsigned)run->side & 7u,
                                              .code = code_of(b, &run->seen) & 255u,
                                              .area = parts[i].units & FACE_AREA_MAX,
                                              .before = run->before & FACE_BEFORE_MAX};
            start += length;
        }
    }
    return made;
}

static int append_row(struct building *b, struct voxel_set_builder *to, const struct row_faces *f, size_t y, size_t z,
                      struct error *e)
{
    const struct regions *g = &b->room->air;
    const size_t row = y + g->count[1] * z, first = g->start[row], count = g->start[row + 1] - first;
    size_t faces = 0, most = 0;
    for (size_t i = 0; i < f->count; i++) /* a run has at most two areas, and long ones are split */
        most += 2 + f->runs[i].length / FACE_RUN_MAX;
    if (make_room(b, count, most, e))
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

/* Rows of planes z0 .. z1 - 1 of those here. */
static int append_rows(struct building *b, struct voxel_set_builder *to, size_t z0, size_t z1, struct error *e)
{
    const size_t ny = b->to[1] - b->from[1], rows = ny * (z1 - z0);
    for (size_t done = 0; done < rows; done += BATCH) {
        const size_t count = rows - done < BATCH ? rows - done : BATCH;
        int failed = 0;
        if (stop_check(e))
            return -1;
#pragma omp parallel for schedule(dynamic, 8) num_threads(b->room->threads) reduction(| : failed)
        for (size_t i = 0; i < count; i++)
            failed |= row_faces_find(&b->rows[i], b->room, b->from[1] + (done + i) % ny, z0 + (done + i) / ny) != 0;
        if (failed)
            return fail(e, ERROR_MEMORY, "out of memory");
        for (size_t i = 0; i < count; i++)
            if (append_row(b, to, &b->rows[i], b->from[1] + (done + i) % ny, z0 + (done + i) / ny, e))
                return -1;
    }
    return 0;
}

/* The planes of the set that are the slab's own. */
static int make_planes(struct voxel_planes *made, struct building *b, struct error *e)
{
    const struct room_cuts *r = b->room;
    struct voxel_set_builder *builder = NULL;
    const size_t first = r->planes.from + r->own[0], end = r->planes.from + r->own[1];
    const size_t from = first < b->from[2] ? b->from[2] : first < b->to[2] ? first : b->to[2];
    const size_t to = end > b->to[2] ? b->to[2] : end > from ? end : from;
    for (int k = 0; k < 3; k++)
        made->count[k] = b->to[k] - b->from[k];
    made->first = from - b->from[2];
    int status = voxel_set_open(&builder, (const size_t[3]){made->count[0], made->count[1], to - from}, e);
    if (!status)
        status = append_rows(b, builder, from - r->planes.from, to - r->planes.from, e);
    if (!status)
        made->set = voxel_set_close(builder);
    else
        voxel_set_abandon(builder);
    return status;
}

int build_set(struct voxel_planes *made, struct voxel_report *report, const struct room_cuts *r, struct areas *areas,
              const struct voxelize_options *options, struct error *e)
{
    struct building *b = calloc(1, sizeof *b);
    struct sums *sums = calloc(report->material_count + 1, sizeof *sums);
    int status = b && sums ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = gather_agree(r->transport, status, e);
    if (!status) {
        *b = (struct building){.room = r, .areas = areas, .report = report, .sums = sums};
        for (int i = 0; i < BATCH; i++)
            b->rows[i].slopes = options->close_corners;
        whole_lattice(b);
        status = options->crop && around_air(b, options->margin ? 1 : 0, e) ? -1 : 0;
    }
    if (!status)
        status = gather_agree(r->transport, make_planes(made, b, e), e) || report_areas(b, e) ? -1 : 0;
    for (int k = 0; k < 3 && !status; k++) {
        report->offset[k] = (ptrdiff_t)b->from[k] - (ptrdiff_t)r->shift;
        report->origin[k] = r->lattice->origin[k] + (double)report->offset[k] * r->lattice->spacing;
    }
    for (int i = 0; i < BATCH && b; i++)
        row_faces_free(&b->rows[i]);
    if (b) {
        free(b->air);
        free(b->faces);
    }
    free(b);
    free(sums);
    return status;
}
