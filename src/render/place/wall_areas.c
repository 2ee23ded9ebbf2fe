/* SPDX-License-Identifier: MIT */
/* The faces of the voxels of a room, joined to areas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/place/wall_areas.h"

static const double SIDE = 1.0;     /* m, of the cubes */
static const double INWARDS = 5e-7; /* voxels: on the point of the grid for the placement, and not beyond a wall */

struct wall_face {
    uint32_t voxel[3]; /* of air */
    uint32_t cube[3];
    uint8_t side, code, quarter;
    double area; /* m² */
};

struct face_list {
    struct wall_face *faces;
    size_t count, capacity;
    const struct model *m;
    size_t cubes[3];
};

static void centre_of(double at[3], const struct model *m, const struct wall_face *face)
{
    for (int k = 0; k < 3; k++)
        at[k] = m->grid.origin[k] + m->grid.spacing * ((double)face->voxel[k] + 0.5);
    at[face->side / 2] += m->grid.spacing * (face->side % 2 ? 0.5 : -0.5);
}

/* The cube of a face, and its quarter of the square that the cube has along the face. */
static void find_cube(struct wall_face *face, const struct face_list *list)
{
    int bit = 0;
    face->quarter = 0;
    for (int k = 0; k < 3; k++) {
        const double share = ((double)face->voxel[k] + 0.5) / (double)list->m->grid.voxels[k];
        const double place = share * (double)list->cubes[k];
        face->cube[k] = (uint32_t)place;
        if (k != face->side / 2)
            face->quarter |= (uint8_t)((place - floor(place) >= 0.5) << bit++);
    }
}

static int add_run(struct face_list *list, const struct face_run *run, size_t y, size_t z, struct error *e)
{
    const double unit = list->m->grid.spacing * list->m->grid.spacing / FACE_AREA_UNITS;
    if (run->code < CELL_SOLID || !run->area) /* air, and p = 0 */
        return 0;
    if (list->count + run->length > list->capacity) {
        const size_t capacity = 2 * list->capacity + run->length;
        struct wall_face *longer = realloc(list->faces, capacity * sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        list->faces = longer;
        list->capacity = capacity;
    }
    for (size_t i = 0; i < run->length; i++) {
        struct wall_face *face = &list->faces[list->count++];
        *face = (struct wall_face){.voxel = {(uint32_t)(run->start + i), (uint32_t)y, (uint32_t)z},
                                   .side = (uint8_t)run->side,
                                   .code = (uint8_t)run->code,
                                   .area = unit * (double)run->area};
        find_cube(face, list);
    }
    return 0;
}

static int add_faces(struct face_list *list, struct error *e)
{
    const struct voxel_set *set = list->m->voxels.set;
    for (size_t z = 0; z < voxel_set_count(set, 2); z++) {
        if (stop_check(e))
            return -1;
        for (size_t y = 0; y < voxel_set_count(set, 1); y++) {
            const struct voxel_row row = voxel_set_row(set, y, z);
            for (int side = 0; side < FACES; side++)
                for (size_t i = 0; i < row.face_count[side]; i++)
                    if (add_run(list, &row.faces[side][i], y, z, e))
                        return -1;
        }
    }
    return list->count
               ? 0
               : fail(e, ERROR_INPUT, "%s: has no wall for --walls: all are held at p = 0", list->m->room->path);
}

/* Of one area. */
static int compare_areas(const struct wall_face *x, const struct wall_face *y)
{
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    for (int k = 2; k >= 0; k--)
        if (x->cube[k] != y->cube[k])
            return x->cube[k] < y->cube[k] ? -1 : 1;
    return 0;
}

static int by_area(const void *a, const void *b)
{
    const struct wall_face *x = a, *y = b;
    const int areas = compare_areas(x, y);
    if (areas || x->quarter != y->quarter)
        return areas ? areas : (int)x->quarter - (int)y->quarter;
    for (int k = 2; k >= 0; k--)
        if (x->voxel[k] != y->voxel[k])
            return x->voxel[k] < y->voxel[k] ? -1 : 1;
    return 0;
}

/* Whether a point of the 19-point grid touches a face at p = 0. */
static bool is_held(const struct model *m, const size_t point[3])
{
    for (int i = 0; i < 8; i++) {
        size_t voxel[3];
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            inside = inside && (point[k] > 0 || (i >> k & 1));
            voxel[k] = point[k] - !(i >> k & 1);
        }
        for (int k = 0; inside && k < 3; k++) {
            const struct face_run *face =
                voxel_set_face(m->voxels.set, voxel[0], voxel[1], voxel[2], 2 * k + !(i >> k & 1));
            if (face && face->code == CELL_FIXED)
                return true;
        }
    }
    return false;
}

/* Where a receiver takes the pressure of the grid at a face: at the centre of its voxel of air where that is a point of
 * the grid, else at the corner of the face that is nearest to `centre`, unless the true wall lies before it. */
static void place_point(double at[3], const struct model *m, const struct wall_face *face, const double centre[3])
{
    const struct room *room = m->room;
    size_t point[3];
    for (int k = 0; k < 3; k++) {
        const double place = grid_place(&m->grid, centre, k) - (double)face->voxel[k];
        const bool upper = k == face->side / 2 ? face->side % 2 : place > 0.5;
        point[k] = face->voxel[k] + upper;
        at[k] = m->grid.origin[k] + m->grid.spacing * ((double)point[k] + (upper ? -INWARDS : INWARDS));
    }
    if (m->grid.stencil == STENCIL_19_POINT && !is_held(m, point) && room_object_at(room, at) == room->object_count &&
        (room_form(room) != ROOM_POLYGON || room_spans(room, at)))
        return;
    for (int k = 0; k < 3; k++)
        at[k] = m->grid.origin[k] + m->grid.spacing * ((double)face->voxel[k] + 0.5);
}

/* The face nearest to the mean of a quarter stands for it. */
static void add_point(struct wall_areas *w, const struct model *m, const struct wall_face *faces, size_t count)
{
    double mean[3] = {0.0, 0.0, 0.0}, area = 0.0, nearest = INFINITY;
    const struct wall_face *best = faces;
    for (size_t i = 0; i < count; i++) {
        double at[3];
        centre_of(at, m, &faces[i]);
        area += faces[i].area;
        for (int k = 0; k < 3; k++)
            mean[k] += faces[i].area * at[k];
    }
    for (int k = 0; k < 3; k++)
        mean[k] /= area;
    for (size_t i = 0; i < count; i++) {
        double at[3];
        centre_of(at, m, &faces[i]);
        const double distance = hypot(hypot(at[0] - mean[0], at[1] - mean[1]), at[2] - mean[2]);
        if (distance < nearest - 1e-9) {
            nearest = distance;
            best = &faces[i];
        }
    }
    struct wall_area *of = &w->area[w->count];
    place_point(w->points[w->point_count], m, best, mean);
    w->weight[w->point_count++] = area;
    of->count++;
    of->area += area;
    for (int k = 0; k < 3; k++)
        of->centre[k] += area * mean[k];
}

/* Sorted faces to areas and their points. */
static void join(struct wall_areas *w, const struct model *m, const struct wall_face *faces, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        struct wall_area *area = &w->area[w->count];
        *area = (struct wall_area){
            .wall = faces[first].side, .material = (size_t)(faces[first].code - CELL_SOLID), .first = w->point_count};
        for (end = first; end < count && !compare_areas(&faces[first], &faces[end]);) {
            const size_t start = end;
            while (end < count && !compare_areas(&faces[first], &faces[end]) &&
                   faces[end].quarter == faces[start].quarter)
                end++;
            add_point(w, m, faces + start, end - start);
        }
        for (int k = 0; k < 3; k++)
            area->centre[k] /= area->area;
        w->count++;
    }
}

int wall_areas_make(struct wall_areas *w, const struct model *m, struct error *e)
{
    struct face_list list = {.m = m};
    for (int k = 0; k < 3; k++)
        list.cubes[k] = (size_t)fmax(1.0, rint(m->grid.size[k] / SIDE));
    int status = add_faces(&list, e);
    if (!status) {
        size_t quarters = 0;
        qsort(list.faces, list.count, sizeof *list.faces, by_area);
        for (size_t i = 0; i < list.count; i++)
            quarters += !i || compare_areas(&list.faces[i - 1], &list.faces[i]) ||
                        list.faces[i - 1].quarter != list.faces[i].quarter;
        w->area = calloc(quarters, sizeof *w->area);
        w->points = calloc(quarters, sizeof *w->points);
        w->weight = calloc(quarters, sizeof *w->weight);
        if (!w->area || !w->points || !w->weight)
            status = fail(e, ERROR_MEMORY, "out of memory");
        else
            join(w, m, list.faces, list.count);
    }
    free(list.faces);
    return status ? -1 : 0;
}

void wall_areas_free(struct wall_areas *w)
{
    free(w->area);
    free(w->points);
    free(w->weight);
    memset(w, 0, sizeof *w);
}
