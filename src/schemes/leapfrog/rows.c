#include "schemes/leapfrog/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* Receives the rows of a map in order; with NULL arrays it only counts. */
struct sink {
    struct rows *rows;
    enum precision precision;
    uint64_t runs, walls, air_points;
    uint64_t walls_in_plane, walls_in_plane_max;
    struct branch_builder *branches;
};

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

static void emit_run(struct sink *sink, size_t start, size_t length, unsigned links)
{
    if (sink->rows)
        sink->rows->runs[sink->runs] = (struct run){
            .start = (uint32_t)start, .length = (uint32_t)length & ROW_POINTS_MAX, .links = links & LINKS_ALL};
    sink->runs++;
    sink->air_points += length;
}

/* The missing faces of a point: their weight when all are real, the key of the kind when some have branches. */
struct missing {
    double weight;
    uint64_t key;
};

static int emit_wall(struct sink *sink, size_t x, struct missing wall, struct error *e)
{
    const double weight = wall.weight;
    if (wall.key)
        return branch_builder_point(sink->branches, x, wall.key, e);
    if (!(weight > 0.0))
        return 0;
    if (sink->rows) {
        sink->rows->wall_x[sink->walls] = (uint32_t)x;
        if (sink->precision == PRECISION_DOUBLE)
            ((double *)sink->rows->wall_weight)[sink->walls] = weight;
        else
            ((float *)sink->rows->wall_weight)[sink->walls] = (float)weight;
    }
    sink->walls++;
    sink->walls_in_plane++;
    return 0;
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
static unsigned point_links(const struct scan *s, const struct row_cells *c, size_t x, struct missing *wall)
{
    const struct leapfrog_problem *l = leapfrog_of(s->problem);
    unsigned links = 0;
    double admittance = 0.0;
    uint8_t codes[FACES];
    int missing = 0;
    bool branched = false;
    for (int face = 0; face < FACES; face++) {
        uint8_t cell = neighbour(c, s->nx, x, face);
        if (is_linked(cell)) {
            links |= 1u << face;
        } else {
            admittance += l->admittance[cell];
            branched = branched || l->branch_count[cell];
            codes[missing++] = cell;
        }
    }
    double a = 0.5 * s->courant * admittance;
    *wall = (struct missing){a / (1.0 + a), branched ? branches_key(l, codes, missing) : 0};
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

static int scan_row(const struct scan *s, const struct row_cells *c, struct sink *sink, struct error *e)
{
    const size_t nx = s->nx;
    for (size_t x = 0; x < nx;) {
        if (c->centre[x] != CELL_AIR) {
            x++;
            continue;
        }
        struct missing wall;
        const unsigned links = point_links(s, c, x, &wall);
        const size_t start = x;
        if (emit_wall(sink, x, wall, e))
            return -1;
        for (x++; x < nx && c->centre[x] == CELL_AIR; x++) {
            if (point_links(s, c, x, &wall) != links)
                break;
            /* all but the last of the equal cells have air on both sides along x, as this one has */
            const size_t equal = count_equal(c, nx, x), last = equal > 1 ? x + equal - 2 : x;
            if (wall.key || wall.weight > 0.0)
                for (; x < last; x++)
                    if (emit_wall(sink, x, wall, e))
                        return -1;
            x = last;
            if (emit_wall(sink, x, wall, e))
                return -1;
        }
        emit_run(sink, start, x - start, links);
    }
    return 0;
}

static int scan_plane(const struct scan *s, size_t z, struct sink *sink, struct error *e)
{
    size_t nx = s->nx, ny = s->ny;
    struct row_cells c;
    memcpy(c.outside, leapfrog_of(s->problem)->outside, sizeof c.outside);
    sink->walls_in_plane = 0;
    for (size_t y = 0; y < ny; y++) {
        c.centre = s->planes[1] + y * nx;
        c.side[0] = y ? c.centre - nx : NULL;
        c.side[1] = y + 1 < ny ? c.centre + nx : NULL;
        c.side[2] = z ? s->planes[0] + y * nx : NULL;
        c.side[3] = z + 1 < s->nz ? s->planes[2] + y * nx : NULL;
        if (sink->rows) {
            sink->rows->run_start[y + ny * z] = sink->runs;
            sink->rows->wall_start[y + ny * z] = sink->walls;
        }
        if (branch_builder_row(sink->branches, e) || scan_row(s, &c, sink, e))
            return -1;
    }
    if (sink->walls_in_plane > sink->walls_in_plane_max)
        sink->walls_in_plane_max = sink->walls_in_plane;
    return branch_builder_plane_end(sink->branches, e);
}

/* Scans all planes, with three of them in memory at a time. */
static int scan_planes(struct scan *s, struct sink *sink, struct error *e)
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

/* Also builds *branches, which the caller frees even on failure. */
static int scan_map(const struct problem *p, struct sink *sink, struct branches *branches, struct error *e)
{
    struct scan s = {.problem = p,
                     .nx = p->points[0],
                     .ny = p->points[1],
                     .nz = p->points[2],
                     .courant = sqrt(leapfrog_of(p)->courant_squared)};
    memset(branches, 0, sizeof *branches);
    if (s.nx > ROW_POINTS_MAX)
        return fail(e, ERROR_ENGINE, "%zu points along x: the engines take at most %d", s.nx, ROW_POINTS_MAX);
    size_t plane = s.nx * s.ny;
    uint8_t *memory = malloc(3 * plane);
    if (!memory)
        return fail(e, ERROR_MEMORY, "out of memory for three planes of %zu points", plane);
    for (int i = 0; i < 3; i++)
        s.planes[i] = memory + (size_t)i * plane;
    int status = branch_builder_open(&sink->branches, branches, p, e) || scan_planes(&s, sink, e);
    branch_builder_close(sink->branches);
    free(memory);
    return status ? -1 : 0;
}

size_t rows_stride(size_t nx, enum precision precision)
{
    size_t line = ROW_ALIGNMENT / precision_bytes(precision);
    return (nx + line - 1) / line * line;
}

int rows_count(uint64_t *bytes, uint64_t *air_points, uint64_t *wall_points, const struct problem *p, struct error *e)
{
    struct sink sink = {.precision = p->precision};
    struct branches branches;
    const int status = scan_map(p, &sink, &branches, e);
    const uint64_t count = (uint64_t)p->points[1] * p->points[2];
    *bytes = sink.runs * sizeof(struct run) + sink.walls * (sizeof(uint32_t) + precision_bytes(p->precision)) +
             3 * (count + 1) * sizeof(uint64_t) + branches.segment_count * sizeof(struct branch_segment) +
             branches.state_count * precision_bytes(p->precision);
    *air_points = sink.air_points;
    *wall_points = sink.walls + branches.point_count;
    branches_free(&branches);
    return status;
}

int rows_make(struct rows *r, const struct problem *p, struct error *e)
{
    struct sink sink = {.precision = p->precision};
    memset(r, 0, sizeof *r);
    const int status = scan_map(p, &sink, &r->branches, e);
    branches_free(&r->branches); /* built again below */
    if (status)
        return -1;
    r->nx = p->points[0];
    r->ny = p->points[1];
    r->nz = p->points[2];
    r->count = r->ny * r->nz;
    r->stride = rows_stride(r->nx, p->precision);
    /* one more than needed: an empty list is not a NULL pointer */
    r->runs = malloc((sink.runs + 1) * sizeof *r->runs);
    r->run_start = malloc((r->count + 1) * sizeof *r->run_start);
    r->wall_x = malloc((sink.walls + 1) * sizeof *r->wall_x);
    r->wall_weight = malloc((sink.walls + 1) * precision_bytes(p->precision));
    r->wall_start = malloc((r->count + 1) * sizeof *r->wall_start);
    if (!r->runs || !r->run_start || !r->wall_x || !r->wall_weight || !r->wall_start) {
        rows_free(r);
        return fail(e, ERROR_MEMORY, "out of memory for the boundary lists");
    }
    sink = (struct sink){.rows = r, .precision = p->precision};
    if (scan_map(p, &sink, &r->branches, e)) {
        rows_free(r);
        return -1;
    }
    r->run_start[r->count] = sink.runs;
    r->wall_start[r->count] = sink.walls;
    r->air_points = sink.air_points;
    r->wall_max = (uint32_t)sink.walls_in_plane_max;
    return 0;
}

void rows_free(struct rows *r)
{
    free(r->runs);
    free(r->run_start);
    free(r->wall_x);
    free(r->wall_weight);
    free(r->wall_start);
    branches_free(&r->branches);
    memset(r, 0, sizeof *r);
}
