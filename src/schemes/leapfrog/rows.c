#include "schemes/leapfrog/rows.h"

#include <stdlib.h>
#include <string.h>

#include "schemes/leapfrog/row_sink.h"

/* Also builds *branches, which the caller frees even on failure. */
static int scan_map(const struct problem *p, struct row_sink *sink, struct branches *branches, struct error *e)
{
    memset(branches, 0, sizeof *branches);
    if (p->points[0] > ROW_POINTS_MAX)
        return fail(e, ERROR_ENGINE, "%zu points along x: the engines take at most %d", p->points[0], ROW_POINTS_MAX);
    if (!leapfrog_of(p)->voxels)
        return fail(e, ERROR_MEMORY, "a grid of %zu x %zu x %zu points is too large to step", p->points[0],
                    p->points[1], p->points[2]);
    int status = branch_builder_open(&sink->branches, branches, p, e) ||
                 (leapfrog_of(p)->stencil == STENCIL_19_POINT ? corner_rows_scan : voxel_rows_scan)(p, sink, e);
    branch_builder_close(sink->branches);
    return status ? -1 : 0;
}

size_t rows_stride(size_t nx, enum precision precision)
{
    size_t line = ROW_ALIGNMENT / precision_bytes(precision);
    return (nx + line - 1) / line * line;
}

int rows_count(uint64_t *bytes, uint64_t *air_points, uint64_t *wall_points, struct branches *branches,
               const struct problem *p, struct error *e)
{
    struct row_sink sink = {.precision = p->precision};
    const int status = scan_map(p, &sink, branches, e);
    const uint64_t count = (uint64_t)p->points[1] * p->points[2];
    *bytes = sink.runs * sizeof(struct run) + sink.walls * (sizeof(uint32_t) + precision_bytes(p->precision)) +
             3 * (count + 1) * sizeof(uint64_t) + branches->segment_count * sizeof(struct branch_segment) +
             branches->state_count * precision_bytes(p->precision);
    if (leapfrog_of(p)->stencil == STENCIL_19_POINT)
        *bytes += sink.walls;
    *air_points = sink.air_points;
    *wall_points = sink.walls + branches->point_count;
    return status;
}

double rows_mass(const struct rows *r, uint64_t point)
{
    const uint64_t row = point / r->nx;
    const uint32_t x = (uint32_t)(point % r->nx);
    for (uint64_t i = r->run_start[row]; i < r->run_start[row + 1]; i++)
        if (x >= r->runs[i].start && x < r->runs[i].start + r->runs[i].length)
            return r->stencil == STENCIL_19_POINT ? (double)__builtin_popcount(r->runs[i].links) / MASS_UNITS : 1.0;
    return 0.0;
}

int rows_make(struct rows *r, const struct problem *p, struct error *e)
{
    struct row_sink sink = {.precision = p->precision};
    memset(r, 0, sizeof *r);
    const int status = scan_map(p, &sink, &r->branches, e);
    branches_free(&r->branches); /* built again below */
    if (status)
        return -1;
    r->stencil = leapfrog_of(p)->stencil;
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
    if (r->stencil == STENCIL_19_POINT)
        r->wall_mass = malloc(sink.walls + 1);
    if (!r->runs || !r->run_start || !r->wall_x || !r->wall_weight || !r->wall_start ||
        (r->stencil == STENCIL_19_POINT && !r->wall_mass)) {
        rows_free(r);
        return fail(e, ERROR_MEMORY, "out of memory for the boundary lists");
    }
    sink = (struct row_sink){.rows = r, .precision = p->precision};
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
    free(r->wall_mass);
    free(r->wall_start);
    branches_free(&r->branches);
    memset(r, 0, sizeof *r);
}
