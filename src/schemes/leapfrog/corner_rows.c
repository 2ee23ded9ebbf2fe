/* The rows of a room stepped by the 19-point stencil: points are the corners of voxels. */
#include <stdlib.h>

#include "base/stop.h"
#include "schemes/leapfrog/corners.h"
#include "schemes/leapfrog/row_sink.h"

struct scan {
    const struct problem *problem;
    size_t voxels[3];
    uint8_t *planes[2]; /* z - 1, z: cells[voxels along y][voxels along x] */
};

/* The four rows of voxels around a row of points, by dy + 2 dz. */
struct voxel_rows {
    const uint8_t *row[4]; /* NULL beyond the box */
    uint8_t beyond[4];     /* code there */
    uint8_t before, after; /* code beyond the ends of the rows */
};

static uint8_t voxel_at(const struct scan *s, const struct voxel_rows *v, int row, size_t x_and_one)
{
    if (!v->row[row])
        return v->beyond[row];
    if (x_and_one == 0)
        return v->before;
    return x_and_one > s->voxels[0] ? v->after : v->row[row][x_and_one - 1];
}

/* Number of voxels from x on that equal the first in each of the rows. */
static size_t count_equal(const struct scan *s, const struct voxel_rows *v, size_t x)
{
    enum { BLOCK = 64 }; /* compared at once, vectorised */
    const size_t nx = s->voxels[0];
    size_t end = x + 1;
    for (; end + BLOCK <= nx; end += BLOCK) {
        uint8_t differ = 0;
        for (int i = 0; i < 4; i++)
            for (size_t k = 0; v->row[i] && k < BLOCK; k++)
                differ |= v->row[i][end + k] ^ v->row[i][x];
        if (differ)
            break;
    }
    for (; end < nx; end++)
        for (int i = 0; i < 4; i++)
            if (v->row[i] && v->row[i][end] != v->row[i][x])
                return end - x;
    return end - x;
}

/* Pattern and walls of the point at x. */
static unsigned look_around(const struct scan *s, const struct voxel_rows *v, size_t x, struct row_wall *wall)
{
    uint8_t codes[CORNER_VOXELS];
    for (int i = 0; i < CORNER_VOXELS; i++)
        codes[i] = voxel_at(s, v, i >> 1, x + (size_t)(i & 1));
    const unsigned pattern = corner_pattern(codes);
    if (pattern == PATTERN_ALL || pattern == 0)
        *wall = (struct row_wall){.weight = 0.0};
    else
        *wall = corner_wall(leapfrog_of(s->problem), codes, pattern);
    return pattern;
}

static int scan_row(const struct scan *s, const struct voxel_rows *v, struct row_sink *sink, struct error *e)
{
    const size_t points = s->voxels[0] + 1;
    size_t start = 0;
    unsigned current = 0; /* pattern of the run from `start` on */
    for (size_t x = 0; x < points;) {
        struct row_wall wall;
        const unsigned pattern = look_around(s, v, x, &wall);
        /* a point between two equal columns of voxels is like those after it, as long as the columns are equal */
        size_t alike = 1;
        if (x > 0 && x < s->voxels[0]) {
            const size_t equal = count_equal(s, v, x - 1);
            alike = equal > 1 ? equal - 1 : 1;
        }
        if (pattern != current) {
            if (current)
                row_sink_run(sink, start, x - start, current);
            start = x;
            current = pattern;
        }
        if (wall.branched || wall.weight > 0.0)
            for (size_t i = 0; i < alike; i++)
                if (row_sink_wall(sink, x + i, &wall, e))
                    return -1;
        x += alike;
    }
    if (current)
        row_sink_run(sink, start, points - start, current);
    return 0;
}

static void place_row(const struct scan *s, size_t y, size_t z, struct voxel_rows *v)
{
    const uint8_t *outside = leapfrog_of(s->problem)->outside;
    v->before = outside[FACE_X_MIN];
    v->after = outside[FACE_X_MAX];
    for (int i = 0; i < 4; i++) {
        const size_t y_and_one = y + (size_t)(i & 1), z_and_one = z + (size_t)(i >> 1);
        v->row[i] = NULL;
        v->beyond[i] = CELL_SOLID;
        if (y_and_one == 0 || y_and_one > s->voxels[1])
            v->beyond[i] = outside[y_and_one == 0 ? FACE_Y_MIN : FACE_Y_MAX];
        else if (z_and_one == 0 || z_and_one > s->voxels[2])
            v->beyond[i] = outside[z_and_one == 0 ? FACE_Z_MIN : FACE_Z_MAX];
        else
            v->row[i] = s->planes[i >> 1] + (y_and_one - 1) * s->voxels[0];
    }
}

int corner_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    struct scan s = {.problem = p, .voxels = {p->points[0] - 1, p->points[1] - 1, p->points[2] - 1}};
    const size_t plane = s.voxels[0] * s.voxels[1];
    uint8_t *memory = malloc(2 * plane + 1);
    if (!memory)
        return fail(e, ERROR_MEMORY, "out of memory for two planes of %zu voxels", plane);
    s.planes[0] = memory;
    s.planes[1] = memory + plane;
    int status = 0;
    for (size_t z = 0; z < p->points[2] && !status; z++) {
        uint8_t *oldest = s.planes[0];
        s.planes[0] = s.planes[1];
        s.planes[1] = oldest;
        if (z < s.voxels[2])
            l->cells(l->voxels, z, 1, s.planes[1]);
        status = stop_requested() ? fail(e, ERROR_STOPPED, "stopped while looking through the voxel map") : 0;
        for (size_t y = 0; y < p->points[1] && !status; y++) {
            struct voxel_rows v;
            place_row(&s, y, z, &v);
            status = row_sink_row(sink, y + p->points[1] * z, e) || scan_row(&s, &v, sink, e);
        }
        status = status || row_sink_plane_end(sink, e);
    }
    free(memory);
    return status ? -1 : 0;
}
