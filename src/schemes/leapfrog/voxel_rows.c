/* The rows of a room stepped by the 7-point stencil: points are the centres of voxels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "schemes/leapfrog/row_sink.h"

struct scan {
    const struct problem *problem;
    size_t nx, ny, nz;
    double courant;
    uint8_t *planes[3]; /* z - 1, z, z + 1: cells[ny][nx] */
};

static bool is_linked(uint8_t cell)
{
    return cell == CELL_AIR || cell == CELL_FIXED;
}

/* The rows of cells around a row of points: NULL beyond the box. */
struct row_cells {
    const uint8_t *centre;
    const uint8_t *side[4]; /* y_min y_max z_min z_max */
    uint8_t outside[6];
};

static uint8_t neighbour(const struct row_cells *c, size_t nx, size_t x, int face)
{
    if (face == FACE_X_MIN)
        return x ? c->centre[x - 1] : c->outside[face];
    if (face == FACE_X_MAX)
        return x + 1 < nx ? c->centre[x + 1] : c->outside[face];
    const uint8_t *row = c->side[face - 2];
    return row ? row[x] : c->outside[face];
}

/* Links of an air point, and the effect of its missing faces. */
static unsigned point_links(const struct scan *s, const struct row_cells *c, size_t x, struct row_wall *wall)
{
    const struct leapfrog_problem *l = leapfrog_of(s->problem);
    unsigned links = 0;
    double admittance = 0.0;
    *wall = (struct row_wall){.key.mass = MASS_UNITS};
    for (int face = 0; face < FACES; face++) {
        uint8_t cell = neighbour(c, s->nx, x, face);
        if (is_linked(cell)) {
            links |= 1u << face;
        } else {
            admittance += l->admittance[cell];
            wall_key_add(&wall->key, l, cell, AREA_UNITS);
        }
    }
    const double a = 0.5 * s->courant * admittance;
    wall->weight = a / (1.0 + a);
    wall->branched = wall_key_branched(&wall->key, l);
    return links;
}

/* Number of cells from x on that equal the first, in this row and in the four beside it. */
static size_t count_equal(const struct row_cells *c, size_t nx, size_t x)
{
    enum { BLOCK = 64 }; /* compared at once, vectorised */
    const uint8_t *row[5] = {c->centre};
    size_t rows = 1, end = x + 1;
    for (int i = 0; i < 4; i++)
        if (c->side[i])
            row[rows++] = c->side[i];
    for (; end + BLOCK <= nx; end += BLOCK) {
        uint8_t differ = 0;
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < BLOCK; k++)
                differ |= row[i][end + k] ^ row[i][x];
        if (differ)
            break;
    }
    for (; end < nx; end++)
        for (size_t i = 0; i < rows; i++)
            if (row[i][end] != row[i][x])
                return end - x;
    return end - x;
}

static int scan_row(const struct scan *s, const struct row_cells *c, struct row_sink *sink, struct error *e)
{
    const size_t nx = s->nx;
    for (size_t x = 0; x < nx;) {
        if (c->centre[x] != CELL_AIR) {
            x++;
            continue;
        }
        struct row_wall wall;
        const unsigned links = point_links(s, c, x, &wall);
        const size_t start = x;
        if (row_sink_wall(sink, x, &wall, e))
            return -1;
        for (x++; x < nx && c->centre[x] == CELL_AIR; x++) {
            if (point_links(s, c, x, &wall) != links)
                break;
            /* all but the last of the equal cells have air on both sides along x, as this one has */
            const size_t equal = count_equal(c, nx, x), last = equal > 1 ? x + equal - 2 : x;
            if (wall.branched || wall.weight > 0.0)
                for (; x < last; x++)
                    if (row_sink_wall(sink, x, &wall, e))
                        return -1;
            x = last;
            if (row_sink_wall(sink, x, &wall, e))
                return -1;
        }
        row_sink_run(sink, start, x - start, links);
    }
    return 0;
}

static int scan_plane(const struct scan *s, size_t z, struct row_sink *sink, struct error *e)
{
    size_t nx = s->nx, ny = s->ny;
    struct row_cells c;
    memcpy(c.outside, leapfrog_of(s->problem)->outside, sizeof c.outside);
    for (size_t y = 0; y < ny; y++) {
        c.centre = s->planes[1] + y * nx;
        c.side[0] = y ? c.centre - nx : NULL;
        c.side[1] = y + 1 < ny ? c.centre + nx : NULL;
        c.side[2] = z ? s->planes[0] + y * nx : NULL;
        c.side[3] = z + 1 < s->nz ? s->planes[2] + y * nx : NULL;
        if (row_sink_row(sink, y + ny * z, e) || scan_row(s, &c, sink, e))
            return -1;
    }
    return row_sink_plane_end(sink, e);
}

/* Scans all planes, with three of them in memory at a time. */
static int scan_planes(struct scan *s, struct row_sink *sink, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(s->problem);
    l->cells(l->voxels, 0, 1, s->planes[1]);
    for (size_t z = 0; z < s->nz; z++) {
        if (stop_requested()) /* a large map takes seconds */
            return fail(e, ERROR_STOPPED, "stopped while looking through the voxel map");
        if (z + 1 < s->nz)
            l->cells(l->voxels, z + 1, 1, s->planes[2]);
        if (scan_plane(s, z, sink, e))
            return -1;
        uint8_t *oldest = s->planes[0];
        s->planes[0] = s->planes[1];
        s->planes[1] = s->planes[2];
        s->planes[2] = oldest;
    }
    return 0;
}

int voxel_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e)
{
    struct scan s = {.problem = p,
                     .nx = p->points[0],
                     .ny = p->points[1],
                     .nz = p->points[2],
                     .courant = sqrt(leapfrog_of(p)->courant_squared)};
    const size_t plane = s.nx * s.ny;
    uint8_t *memory = malloc(3 * plane);
    if (!memory)
        return fail(e, ERROR_MEMORY, "out of memory for three planes of %zu points", plane);
    for (int i = 0; i < 3; i++)
        s.planes[i] = memory + (size_t)i * plane;
    const int status = scan_planes(&s, sink, e);
    free(memory);
    return status;
}
