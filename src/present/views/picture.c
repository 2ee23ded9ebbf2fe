/* SPDX-License-Identifier: MIT */
#include "present/views/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct viewpoint viewpoint_first = {-1.15, 0.62};

static const double DISTANCE = 3.6; /* of the eye, in radii of the sphere around the room */
static const double FIELD = 3.45;   /* half the picture's shorter side shows 1/FIELD of the distance */

static const double PALE = 0.2; /* blend towards white, because large saturated areas are unpleasant */

double side_light(int side)
{
    static const double light[FACES] = {0.80, 0.74, 0.88, 0.66, 1.0, 0.58};
    return light[side];
}

/* x to the right, y upwards, z towards the eye; in radii of the sphere around the room. */
struct camera {
    double axis[3][3], centre[3], scale, half[2];
};

static struct camera camera_make(const struct viewed_room *room, const struct viewpoint *from, size_t columns,
                                 size_t rows)
{
    const double ct = cos(from->turn), st = sin(from->turn), cr = cos(from->rise), sr = sin(from->rise);
    struct camera c = {.axis = {{-st, ct, 0.0}, {-sr * ct, -sr * st, cr}, {cr * ct, cr * st, sr}}};
    double radius = 0.0;
    for (int i = 0; i < 3; i++) {
        const double extent = room->spacing * (double)voxel_set_count(room->set, i);
        c.centre[i] = room->origin[i] + 0.5 * extent;
        radius = hypot(radius, 0.5 * extent);
    }
    c.half[0] = 0.5 * (double)columns;
    c.half[1] = 0.5 * (double)rows;
    c.scale = radius > 0.0 ? 1.0 / radius : 1.0;
    return c;
}

/* Column, row, and the inverse depth for the depth test, which is linear in the picture. */
static void project(double on[3], const struct camera *c, const double place[3])
{
    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v[i] += c->axis[i][k] * (place[k] - c->centre[k]) * c->scale;
    const double near = 1.0 / (DISTANCE - v[2]), unit = FIELD * fmin(c->half[0], c->half[1]);
    on[0] = c->half[0] + unit * v[0] * near;
    on[1] = c->half[1] - unit * v[1] * near;
    on[2] = near;
}

/* Fills the pixels whose centres are in the triangle. Only triangles that are counterclockwise for the viewer are drawn. */
static void fill_triangle(struct picture *p, float *nearness, double corner[3][3], uint8_t colour, uint32_t face)
{
    const double *a = corner[0], *b = corner[1], *c = corner[2];
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!(area < 0.0)) /* rows count downwards */
        return;
    const double low = fmin(a[1], fmin(b[1], c[1])), high = fmax(a[1], fmax(b[1], c[1]));
    const long first = (long)fmax(0.0, ceil(low - 0.5)), last = (long)fmin((double)p->rows - 1.0, floor(high - 0.5));
    for (long row = first; row <= last; row++) {
        const double y = (double)row + 0.5;
        double left = INFINITY, right = -INFINITY;
        for (int i = 0; i < 3; i++) {
            const double *s = corner[i], *t = corner[(i + 1) % 3];
            if ((s[1] <= y) == (t[1] <= y))
                continue;
            const double x = s[0] + (t[0] - s[0]) * (y - s[1]) / (t[1] - s[1]);
            left = fmin(left, x);
            right = fmax(right, x);
        }
        const long begin = (long)fmax(0.0, ceil(left - 0.5)), end = (long)fmin((double)p->columns, ceil(right - 0.5));
        for (long column = begin; column < end; column++) {
            const double x = (double)column + 0.5;
            const double u = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
            const double v = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
            const float near = (float)(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]));
            const size_t at = (size_t)row * p->columns + (size_t)column;
            if (near > nearness[at]) {
                nearness[at] = near;
                p->pixels[at] = colour;
                p->faces[at] = face;
            }
        }
    }
}

static void fill_rectangle(struct picture *p, float *nearness, const struct camera *c, const struct viewed_room *room,
                           const struct rectangles *faces, size_t index, uint8_t colour)
{
    double on[4][3], second[3][3];
    for (int corner = 0; corner < 4; corner++) {
        uint32_t at[3];
        double place[3];
        rectangle_corner(&faces->list[index], corner, at);
        for (int i = 0; i < 3; i++)
            place[i] = room->origin[i] + room->spacing * at[i];
        project(on[corner], c, place);
    }
    memcpy(second[0], on[0], sizeof second[0]);
    memcpy(second[1], on[2], sizeof second[1]);
    memcpy(second[2], on[3], sizeof second[2]);
    fill_triangle(p, nearness, on, colour, (uint32_t)index + 1);
    fill_triangle(p, nearness, second, colour, (uint32_t)index + 1);
}

static uint32_t lit(uint32_t colour, double light)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8)
        result |= (uint32_t)lrint(light * ((1.0 - PALE) * (colour >> shift & 255u) + PALE * 255.0)) << shift;
    return result;
}

/* Colours of a palette: at most 42 materials; those beyond share the last one's. */
static uint8_t colour_of(struct picture *p, const struct viewed_room *room, const struct rectangle *face)
{
    enum { MOST = 255 / FACES };
    const size_t material = view_material(room, face->code), shown = material < MOST ? material : MOST - 1;
    const size_t index = 1 + FACES * shown + face->side;
    p->palette[index] = lit(view_colour(shown), side_light(face->side));
    if (index >= p->colours)
        p->colours = index + 1;
    return (uint8_t)index;
}

int picture_make(struct picture *p, const struct viewed_room *room, const struct rectangles *faces,
                 const struct viewpoint *from, size_t columns, size_t rows, struct error *e)
{
    memset(p, 0, sizeof *p);
    p->columns = columns;
    p->rows = rows;
    p->colours = 1;
    p->palette[PICTURE_CLEAR] = 0xffffff;
    p->pixels = calloc(columns * rows, sizeof *p->pixels);
    p->faces = calloc(columns * rows, sizeof *p->faces);
    p->marks = calloc(room->mark_count + 1, sizeof *p->marks);
    float *nearness = calloc(columns * rows, sizeof *nearness);
    if (!p->pixels || !p->faces || !p->marks || !nearness) {
        free(nearness);
        picture_free(p);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    const struct camera c = camera_make(room, from, columns, rows);
    for (size_t i = 0; i < faces->count; i++)
        fill_rectangle(p, nearness, &c, room, faces, i, colour_of(p, room, &faces->list[i]));
    for (size_t i = 0; i < room->mark_count; i++) {
        double on[3];
        project(on, &c, room->marks[i].position);
        p->marks[i][0] = on[0];
        p->marks[i][1] = on[1];
    }
    free(nearness);
    return 0;
}

void picture_free(struct picture *p)
{
    free(p->pixels);
    free(p->faces);
    free(p->marks);
    memset(p, 0, sizeof *p);
}

void picture_place(double place[3], const struct viewed_room *room, const struct viewpoint *from, size_t columns,
                   size_t rows, const struct rectangle *face, size_t column, size_t row)
{
    const struct camera c = camera_make(room, from, columns, rows);
    const double unit = FIELD * fmin(c.half[0], c.half[1]);
    const double a = ((double)column + 0.5 - c.half[0]) / unit, b = (c.half[1] - (double)row - 0.5) / unit;
    double begin[3], along[3]; /* the ray from the eye: begin + t along */
    for (int i = 0; i < 3; i++) {
        begin[i] = c.centre[i] + DISTANCE * c.axis[2][i] / c.scale;
        along[i] = (a * c.axis[0][i] + b * c.axis[1][i] - c.axis[2][i]) / c.scale;
    }
    const int axis = face->side / 2;
    const double t = (room->origin[axis] + room->spacing * face->at - begin[axis]) / along[axis];
    for (int i = 0; i < 3; i++)
        place[i] = begin[i] + t * along[i];
}
