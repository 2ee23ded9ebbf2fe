#include "model/voxels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Indices i with centre (i + ½) X in [from, to), so that adjacent objects neither overlap nor leave a gap. */
static void covered(double from, double to, double spacing, size_t points, size_t range[2])
{
    double first = ceil(from / spacing - 0.5), end = ceil(to / spacing - 0.5);
    double max = (double)points;
    range[0] = (size_t)(first < 0.0 ? 0.0 : first > max ? max : first);
    range[1] = (size_t)(end < 0.0 ? 0.0 : end > max ? max : end);
    if (range[1] < range[0])
        range[1] = range[0];
}

void voxels_object_bounds(const struct voxels *v, const struct object *o, size_t range[3][2])
{
    for (int axis = 0; axis < 3; axis++) {
        double reach = 0.0, low = o->from[axis], high = o->to[axis];
        if (o->shape == SHAPE_CYLINDER) {
            /* the end discs extend by radius times the sine of the angle between the axis and this direction */
            double along = o->to[axis] - o->from[axis], square = 0.0;
            for (int i = 0; i < 3; i++)
                square += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
            double sine_squared = 1.0 - along * along / square;
            reach = o->radius * sqrt(sine_squared > 0.0 ? sine_squared : 0.0);
            low = fmin(o->from[axis], o->to[axis]);
            high = fmax(o->from[axis], o->to[axis]);
        }
        covered(low - reach, high + reach, v->spacing, v->count[axis], range[axis]);
        /* one point more: a cylinder's own test decides at its rim, not rounding here */
        if (o->shape == SHAPE_CYLINDER && range[axis][1] < v->count[axis])
            range[axis][1]++;
    }
}

static bool inside_cylinder(const struct voxels *v, const struct object *o, size_t x, size_t y, size_t z)
{
    const double at[3] = {((double)x + 0.5) * v->spacing, ((double)y + 0.5) * v->spacing,
                          ((double)z + 0.5) * v->spacing};
    return object_holds(o, at);
}

/* Interval of a row inside an infinite cylinder, in points from the first, up to rounding. False: none. */
static bool crossing(double ends[2], const struct voxels *v, const struct object *o, size_t y, size_t z)
{
    const double start[3] = {0.5 * v->spacing - o->from[0], ((double)y + 0.5) * v->spacing - o->from[1],
                             ((double)z + 0.5) * v->spacing - o->from[2]};
    double square = 0.0, along = 0.0, distance = 0.0;
    for (int i = 0; i < 3; i++) {
        const double axis = o->to[i] - o->from[i];
        square += axis * axis;
        along += start[i] * axis;
        distance += start[i] * start[i];
    }
    const double axis = o->to[0] - o->from[0], limit = o->radius * o->radius;
    /* |start + s e|² - ((start + s e).axis)²/|axis|² = radius² with e along x: a s² + 2 b s + c = 0 */
    const double a = 1.0 - axis * axis / square, b = start[0] - along * axis / square;
    const double c = distance - along * along / square - limit;
    ends[0] = 0.0;
    ends[1] = (double)v->count[0];
    if (!(a > 1e-12)) /* parallel to the axis */
        return c <= 1e-9 * limit;
    const double root = sqrt(fmax(b * b - a * c, 0.0)); /* 0 for a tangent */
    ends[0] = (-b - root) / a / v->spacing;
    ends[1] = (-b + root) / a / v->spacing;
    return true;
}

void voxels_object_row(const struct voxels *v, const struct object *o, size_t y, size_t z, size_t range[2])
{
    size_t box[3][2];
    double ends[2];
    voxels_object_bounds(v, o, box);
    range[0] = range[1] = 0;
    if (y < box[1][0] || y >= box[1][1] || z < box[2][0] || z >= box[2][1] || box[0][0] == box[0][1])
        return;
    size_t from = box[0][0], to = box[0][1];
    if (o->shape == SHAPE_CYLINDER) {
        /* a cylinder is convex, so the inside is one interval; two more points on either side cover rounding */
        if (!crossing(ends, v, o, y, z))
            return;
        const double low = fmax(floor(ends[0]) - 2.0, (double)from), high = fmin(ceil(ends[1]) + 3.0, (double)to);
        from = low < (double)to ? (size_t)low : to;
        to = high > (double)from ? (size_t)high : from;
        while (from < to && !inside_cylinder(v, o, from, y, z))
            from++;
        while (from < to && !inside_cylinder(v, o, to - 1, y, z))
            to--;
    }
    range[0] = from;
    range[1] = to;
}

static uint8_t material_cell(const struct room *room, size_t material)
{
    return boundary_kind_of(&room->materials[material])->fixed ? CELL_FIXED : (uint8_t)(CELL_SOLID + material);
}

void voxels_make(struct voxels *v, const struct room *room, const struct grid *g)
{
    *v = (struct voxels){.room = room, .stencil = g->stencil, .spacing = g->spacing};
    memcpy(v->count, g->voxels, sizeof v->count);
    v->object_planes[0] = v->count[2];
    for (size_t i = 0; i < room->object_count; i++) {
        size_t range[3][2];
        voxels_object_bounds(v, &room->objects[i], range);
        if (range[2][0] < v->object_planes[0])
            v->object_planes[0] = range[2][0];
        if (range[2][1] > v->object_planes[1])
            v->object_planes[1] = range[2][1];
    }
}

uint64_t voxels_index(const struct voxels *v, const size_t at[3])
{
    return ((uint64_t)at[2] * v->count[1] + at[1]) * v->count[0] + at[0];
}

size_t voxels_closed_from(const struct voxels *v, uint64_t index)
{
    size_t low = 0, high = v->closed_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (v->closed[middle].voxel < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool voxels_wall_is_fixed(const struct voxels *v, int wall)
{
    return v->stencil == STENCIL_7_POINT && boundary_kind_of(&v->room->materials[v->room->walls[wall]])->fixed;
}

static void fill_object(const struct voxels *v, const struct object *o, size_t z, uint8_t *plane)
{
    size_t range[3][2];
    voxels_object_bounds(v, o, range);
    if (z < range[2][0] || z >= range[2][1])
        return;
    uint8_t cell = material_cell(v->room, o->material);
    for (size_t y = range[1][0]; y < range[1][1]; y++) {
        uint8_t *row = plane + y * v->count[0];
        if (o->shape == SHAPE_BOX) {
            memset(row + range[0][0], cell, range[0][1] - range[0][0]);
            continue;
        }
        for (size_t x = range[0][0]; x < range[0][1]; x++)
            if (inside_cylinder(v, o, x, y, z))
                row[x] = cell;
    }
}

static void fill_closed(const struct voxels *v, size_t z, uint8_t *plane)
{
    const uint64_t size = (uint64_t)v->count[0] * v->count[1], first = z * size;
    for (size_t i = voxels_closed_from(v, first); i < v->closed_count && v->closed[i].voxel < first + size; i++)
        plane[v->closed[i].voxel - first] = material_cell(v->room, v->room->objects[v->closed[i].object].material);
}

static void fill_plane(const struct voxels *v, size_t z, uint8_t *plane)
{
    const size_t nx = v->count[0], ny = v->count[1];
    memset(plane, CELL_AIR, nx * ny);
    if (z >= v->object_planes[0] && z < v->object_planes[1])
        for (size_t i = 0; i < v->room->object_count; i++)
            fill_object(v, &v->room->objects[i], z, plane);
    fill_closed(v, z, plane);
    /* a fixed wall is a layer of fixed points inside the box */
    if ((z == 0 && voxels_wall_is_fixed(v, FACE_Z_MIN)) ||
        (z + 1 == v->count[2] && voxels_wall_is_fixed(v, FACE_Z_MAX)))
        memset(plane, CELL_FIXED, nx * ny);
    if (voxels_wall_is_fixed(v, FACE_Y_MIN))
        memset(plane, CELL_FIXED, nx);
    if (voxels_wall_is_fixed(v, FACE_Y_MAX))
        memset(plane + (ny - 1) * nx, CELL_FIXED, nx);
    for (size_t y = 0; y < ny; y++) {
        if (voxels_wall_is_fixed(v, FACE_X_MIN))
            plane[y * nx] = CELL_FIXED;
        if (voxels_wall_is_fixed(v, FACE_X_MAX))
            plane[y * nx + nx - 1] = CELL_FIXED;
    }
}

void voxels_cells(const void *voxels, size_t z0, size_t nz, uint8_t *cells)
{
    const struct voxels *v = voxels;
    for (size_t z = z0; z < z0 + nz; z++)
        fill_plane(v, z, cells + (z - z0) * v->count[0] * v->count[1]);
}

size_t voxels_object_at(const struct voxels *v, const size_t at[3])
{
    for (size_t i = v->room->object_count; i-- > 0;) {
        const struct object *o = &v->room->objects[i];
        size_t range[3][2];
        voxels_object_bounds(v, o, range);
        bool inside = true;
        for (int axis = 0; axis < 3; axis++)
            inside = inside && at[axis] >= range[axis][0] && at[axis] < range[axis][1];
        if (inside && (o->shape == SHAPE_BOX || inside_cylinder(v, o, at[0], at[1], at[2])))
            return i;
    }
    const uint64_t index = voxels_index(v, at);
    const size_t closed = voxels_closed_from(v, index);
    if (closed < v->closed_count && v->closed[closed].voxel == index)
        return v->closed[closed].object;
    return v->room->object_count;
}

uint8_t voxels_cell(const struct voxels *v, size_t x, size_t y, size_t z)
{
    const size_t at[3] = {x, y, z};
    for (int wall = 0; wall < FACES; wall++)
        if (voxels_wall_is_fixed(v, wall) && at[wall / 2] == (wall % 2 ? v->count[wall / 2] - 1 : 0))
            return CELL_FIXED;
    const size_t object = voxels_object_at(v, at);
    return object < v->room->object_count ? material_cell(v->room, v->room->objects[object].material) : CELL_AIR;
}

enum { FEW = 1000000 };

/* Whether any point in a box of indices is covered. */
static bool any_covered(const struct voxels *v, const struct object *o, size_t range[3][2])
{
    for (size_t z = range[2][0]; z < range[2][1]; z++)
        for (size_t y = range[1][0]; y < range[1][1]; y++)
            for (size_t x = range[0][0]; x < range[0][1]; x++)
                if (inside_cylinder(v, o, x, y, z))
                    return true;
    return false;
}

/* For a long cylinder in a large grid: tests the points next to its axis, half a cell at a time. */
static bool covered_along_axis(const struct voxels *v, const struct object *o, size_t range[3][2])
{
    double length = 0.0;
    for (int i = 0; i < 3; i++)
        length += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
    const double steps = ceil(2.0 * sqrt(length) / v->spacing);
    for (double step = 0.0; step <= steps; step += 1.0) {
        size_t near[3][2];
        for (int i = 0; i < 3; i++) {
            double centre = floor((o->from[i] + step / steps * (o->to[i] - o->from[i])) / v->spacing);
            double low = fmax(centre - 1.0, (double)range[i][0]), high = fmin(centre + 2.0, (double)range[i][1]);
            near[i][0] = (size_t)low;
            near[i][1] = high > low ? (size_t)high : near[i][0];
        }
        if (any_covered(v, o, near))
            return true;
    }
    return false;
}

bool voxels_object_visible(const struct voxels *v, size_t object)
{
    const struct object *o = &v->room->objects[object];
    size_t range[3][2];
    double volume = 1.0;
    voxels_object_bounds(v, o, range);
    for (int axis = 0; axis < 3; axis++)
        volume *= (double)(range[axis][1] - range[axis][0]);
    if (o->shape == SHAPE_BOX || volume == 0.0)
        return volume > 0.0;
    return volume <= FEW ? any_covered(v, o, range) : covered_along_axis(v, o, range);
}
