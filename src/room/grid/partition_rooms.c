/* SPDX-License-Identifier: MIT */
#include "room/grid/partition_rooms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "room/grid/partition_layers.h"

/* Runs of air, numbered through the rows, united to rooms. */
struct labels {
    const struct voxel_set *set;
    size_t rows, *start; /* [rows + 1]: of each row's runs */
    size_t *room; /* [start[rows]]: while they are united, another run of the same room; then the number of its room */
};

static size_t root_of(size_t *parent, size_t at)
{
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

static void unite(size_t *parent, size_t a, size_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a < b ? b : a] = a < b ? a : b;
}

static void unite_rows(struct labels *l, size_t row, size_t other)
{
    const size_t ny = voxel_set_count(l->set, 1);
    const struct voxel_row a = voxel_set_row(l->set, row % ny, row / ny);
    const struct voxel_row b = voxel_set_row(l->set, other % ny, other / ny);
    for (size_t i = 0, j = 0; i < a.air_count && j < b.air_count;) {
        if (a.air[i].start < b.air[j].end && b.air[j].start < a.air[i].end)
            unite(l->room, l->start[row] + i, l->start[other] + j);
        const bool first = a.air[i].end <= b.air[j].end, second = b.air[j].end <= a.air[i].end;
        i += first;
        j += second;
    }
}

static int label(struct labels *l, const struct voxel_set *set, size_t *count, struct error *e)
{
    const size_t ny = voxel_set_count(set, 1), nz = voxel_set_count(set, 2);
    *l = (struct labels){.set = set, .rows = ny * nz};
    l->start = calloc(l->rows + 1, sizeof *l->start);
    if (!l->start)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t row = 0; row < l->rows; row++)
        l->start[row + 1] = l->start[row] + voxel_set_row(set, row % ny, row / ny).air_count;
    l->room = malloc((l->start[l->rows] + 1) * sizeof *l->room);
    if (!l->room)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < l->start[l->rows]; i++)
        l->room[i] = i;
    for (size_t row = 0; row < l->rows && !stop_requested(); row++) {
        if (row % ny + 1 < ny)
            unite_rows(l, row, row + 1);
        if (row / ny + 1 < nz)
            unite_rows(l, row, row + ny);
    }
    size_t *number = malloc((l->start[l->rows] + 1) * sizeof *number);
    if (!number)
        return fail(e, ERROR_MEMORY, "out of memory");
    *count = 0;
    for (size_t i = 0; i < l->start[l->rows]; i++) /* a root precedes all others of its room */
        number[i] = l->room[i] == i ? (*count)++ : number[root_of(l->room, i)];
    free(l->room);
    l->room = number;
    return stop_check(e);
}

/* PARTITION_NO_ROOM: not air */
static size_t room_at(const struct labels *l, const size_t at[3])
{
    const struct voxel_row row = voxel_set_row(l->set, at[1], at[2]);
    for (size_t i = 0; i < row.air_count; i++)
        if (at[0] >= row.air[i].start && at[0] < row.air[i].end)
            return l->room[l->start[at[1] + voxel_set_count(l->set, 1) * at[2]] + i];
    return PARTITION_NO_ROOM;
}

/* ---- faces */

static struct solid_runs runs_of(const struct model *m)
{
    struct solid_runs runs = {.set = m->partitions.set};
    for (size_t i = 0; i < m->room->material_count; i++)
        runs.passes[CELL_SOLID + i] = m->room->materials[i].transmission.given;
    return runs;
}

bool partition_behind(struct solid_run *run, const struct model *m, const size_t at[3], int side)
{
    struct solid_runs runs = runs_of(m);
    return solid_run_behind(run, &runs, at, side);
}

/* Half of a pair belongs to each of its materials. */
static void add_pair(struct model *m, const struct face_run *face, const struct face_run *behind, size_t depth,
                     size_t layers)
{
    const double area =
        0.5 * ((double)face->area + (double)behind->area) / FACE_AREA_UNITS * m->grid.spacing * m->grid.spacing;
    struct partition *one = &m->partitions.of[face->code - CELL_SOLID];
    struct partition *other = &m->partitions.of[behind->code - CELL_SOLID];
    one->deepest = fmax(one->deepest, (double)depth * m->grid.spacing);
    other->deepest = fmax(other->deepest, (double)depth * m->grid.spacing);
    if (layers > (other != one ? 2 : 1))
        one->uncounted += area;
    one->mixed = one->mixed || other != one;
    other->mixed = other->mixed || other != one;
    one->faces++;
    other->faces += other != one;
    one->area += 0.5 * area;
    other->area += 0.5 * area;
}

struct joining {
    struct model *model;
    const struct labels *labels;
    struct partition_layers *layers;
    size_t *joined; /* [rooms]: the lowest room that partitions join it with */
};

static int join_faces(void *context, const struct solid_run *run, struct error *e)
{
    const struct joining *j = context;
    (void)e;
    unite(j->joined, room_at(j->labels, run->lower), room_at(j->labels, run->upper));
    add_pair(j->model, run->faces[0], run->faces[1], run->length, partition_layers_count(j->layers, j->model, run));
    return 0;
}

static void measure(struct model *m, const struct labels *l)
{
    const double voxel = m->grid.spacing * m->grid.spacing * m->grid.spacing;
    const size_t ny = voxel_set_count(l->set, 1);
    for (size_t row = 0; row < l->rows; row++) {
        const struct voxel_row runs = voxel_set_row(l->set, row % ny, row / ny);
        for (size_t i = 0; i < runs.air_count; i++)
            m->partitions.rooms[l->room[l->start[row] + i]].volume += voxel * (runs.air[i].end - runs.air[i].start);
    }
}

/* The rooms of sources and receivers, and those that are joined with the first. */
static void place(struct model *m, const struct labels *l, size_t *joined, size_t seeds)
{
    struct partitions *p = &m->partitions;
    size_t first = PARTITION_NO_ROOM;
    for (size_t i = 0; i < seeds; i++) {
        const size_t *seed = room_voxels_seed(&m->voxels, i);
        p->room_of[i] = seed ? room_at(l, seed) : PARTITION_NO_ROOM;
        if (first == PARTITION_NO_ROOM)
            first = p->room_of[i];
    }
    for (size_t i = 0; i < p->room_count && first != PARTITION_NO_ROOM; i++)
        p->rooms[i].reached = root_of(joined, i) == root_of(joined, first);
}

int partition_rooms_find(struct model *m, struct error *e)
{
    struct labels l = {.set = NULL};
    struct partitions *p = &m->partitions;
    struct solid_runs runs = runs_of(m);
    struct partition_layers layers = {.any = false};
    size_t *joined = NULL, seeds = m->room->source_count;
    for (size_t i = 0; i < m->room->receiver_count; i++)
        seeds += receiver_place_count(&m->room->receivers[i]);
    int status = partition_layers_make(&layers, m, e) || label(&l, m->partitions.set, &p->room_count, e) ? -1 : 0;
    if (!status) {
        joined = malloc((p->room_count + 1) * sizeof *joined);
        p->rooms = calloc(p->room_count + 1, sizeof *p->rooms);
        p->room_of = calloc(seeds + 1, sizeof *p->room_of);
        status = joined && p->rooms && p->room_of ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < p->room_count && !status; i++)
        joined[i] = i;
    if (!status)
        status = solid_runs_visit(&runs, join_faces, &(struct joining){m, &l, &layers, joined}, e);
    if (!status) {
        measure(m, &l);
        place(m, &l, joined, seeds);
    }
    partition_layers_free(&layers);
    free(joined);
    free(l.start);
    free(l.room);
    return status;
}
