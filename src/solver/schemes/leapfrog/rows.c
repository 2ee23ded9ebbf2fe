/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/rows.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase_timer.h"
#include "solver/schemes/leapfrog/row_sink.h"

/* Shares of the planes. There are several per thread, as some planes have more walls than
 * others. */
enum { SHARES_MAX = 64, ROWS_WORTH_A_SHARE = 4096 };

static int check(const struct problem *p, struct error *e)
{
    if (p->points[0] > ROW_POINTS_MAX)
        return fail(e, ERROR_ENGINE, "%zu points along x: at most %d are supported", p->points[0], ROW_POINTS_MAX);
    if (!leapfrog_of(p)->voxels)
        return fail(e, ERROR_MEMORY, "a grid of %zu x %zu x %zu points is too large", p->points[0], p->points[1],
                    p->points[2]);
    return 0;
}

/* Scans the planes of a sink. */
static int scan(struct row_sink *sink, const struct problem *p, struct error *e)
{
    const int status = branch_builder_open(&sink->builder, &sink->branches, p, sink->z1 - sink->z0, e) ||
                       (leapfrog_of(p)->stencil == STENCIL_19_POINT ? corner_rows_scan : voxel_rows_scan)(p, sink, e);
    branch_builder_close(sink->builder);
    return status ? -1 : 0;
}

static void free_sink(struct row_sink *sink)
{
    free(sink->runs);
    free(sink->wall_x);
    free(sink->wall_weight);
    free(sink->wall_mass);
    branches_free(&sink->branches);
    *sink = (struct row_sink){.z0 = 0};
}

/* Scans all planes, one share into each sink. */
static int scan_shares(struct row_sink *sinks, int shares, struct rows *r, const struct problem *p, struct error *e)
{
    struct error errors[SHARES_MAX] = {{.code = ERROR_NONE}};
    bool failed[SHARES_MAX] = {false};
#pragma omp parallel for schedule(dynamic, 1) if (shares > 1)
    for (int i = 0; i < shares; i++) {
        const size_t z0 = r->nz * (size_t)i / (size_t)shares, z1 = r->nz * (size_t)(i + 1) / (size_t)shares;
        sinks[i] = (struct row_sink){.z0 = z0,
                                     .z1 = z1,
                                     .precision = p->precision,
                                     .keeps_mass = r->stencil == STENCIL_19_POINT,
                                     .run_start = r->run_start + z0 * r->ny,
                                     .wall_start = r->wall_start + z0 * r->ny};
        failed[i] = scan(&sinks[i], p, &errors[i]) != 0;
    }
    for (int i = 0; i < shares; i++)
        if (failed[i]) {
            *e = errors[i];
            return -1;
        }
    return 0;
}

/* Copies the lists of a share behind those of earlier shares, which have `runs` runs and `walls`
 * walls. */
static void put_share(struct rows *r, struct row_sink *sink, uint64_t runs, uint64_t walls, size_t value)
{
    const size_t rows = (sink->z1 - sink->z0) * r->ny;
    if (sink->run_count)
        memcpy(r->runs + runs, sink->runs, sink->run_count * sizeof *r->runs);
    if (sink->wall_count) {
        memcpy(r->wall_x + walls, sink->wall_x, sink->wall_count * sizeof *r->wall_x);
        memcpy((char *)r->wall_weight + walls * value, sink->wall_weight, sink->wall_count * value);
        if (r->wall_mass)
            memcpy(r->wall_mass + walls, sink->wall_mass, sink->wall_count);
    }
    for (size_t row = 0; row < rows; row++) {
        sink->run_start[row] += runs;
        sink->wall_start[row] += walls;
    }
}

/* Joins the branches of the shares in order. */
static int join_branches(struct rows *r, struct row_sink *sinks, int shares, const struct problem *p, struct error *e)
{
    struct branch_builder *builder = NULL;
    if (shares == 1) {
        r->branches = sinks[0].branches;
        memset(&sinks[0].branches, 0, sizeof sinks[0].branches);
        return 0;
    }
    int status = branch_builder_open(&builder, &r->branches, p, r->nz, e);
    for (int i = 0; i < shares && !status; i++) {
        status = branch_builder_append(builder, &sinks[i].branches, (sinks[i].z1 - sinks[i].z0) * r->ny, e);
        branches_free(&sinks[i].branches);
    }
    branch_builder_close(builder);
    return status ? -1 : 0;
}

static int join(struct rows *r, struct row_sink *sinks, int shares, const struct problem *p, struct error *e)
{
    uint64_t runs[SHARES_MAX + 1] = {0}, walls[SHARES_MAX + 1] = {0}, most = 0;
    const size_t value = precision_bytes(p->precision);
    for (int i = 0; i < shares; i++) {
        runs[i + 1] = runs[i] + sinks[i].run_count;
        walls[i + 1] = walls[i] + sinks[i].wall_count;
        most = sinks[i].walls_in_plane_max > most ? sinks[i].walls_in_plane_max : most;
        r->air_points += sinks[i].air_points;
    }
    r->wall_max = (uint32_t)most;
    /* one more than needed, so that an empty list is not a NULL pointer */
    r->runs = malloc((runs[shares] + 1) * sizeof *r->runs);
    r->wall_x = malloc((walls[shares] + 1) * sizeof *r->wall_x);
    r->wall_weight = malloc((walls[shares] + 1) * value);
    if (r->stencil == STENCIL_19_POINT)
        r->wall_mass = malloc(walls[shares] + 1);
    if (!r->runs || !r->wall_x || !r->wall_weight || (r->stencil == STENCIL_19_POINT && !r->wall_mass))
        return fail(e, ERROR_MEMORY, "out of memory");
#pragma omp parallel for schedule(dynamic, 1) if (shares > 1)
    for (int i = 0; i < shares; i++)
        put_share(r, &sinks[i], runs[i], walls[i], value);
    r->run_start[r->count] = runs[shares];
    r->wall_start[r->count] = walls[shares];
    return join_branches(r, sinks, shares, p, e);
}

int rows_make_in_shares(struct rows *r, const struct problem *p, int shares, struct error *e)
{
    struct row_sink sinks[SHARES_MAX] = {{.z0 = 0}};
    memset(r, 0, sizeof *r);
    if (check(p, e))
        return -1;
    shares = shares < 1 ? 1 : shares > SHARES_MAX ? SHARES_MAX : shares;
    r->stencil = leapfrog_of(p)->stencil;
    r->nx = p->points[0];
    r->ny = p->points[1];
    r->nz = p->points[2];
    r->count = r->ny * r->nz;
    r->stride = rows_stride(r->nx, p->precision);
    r->run_start = malloc((r->count + 1) * sizeof *r->run_start);
    r->wall_start = malloc((r->count + 1) * sizeof *r->wall_start);
    int status = r->run_start && r->wall_start ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || scan_shares(sinks, shares, r, p, e) || join(r, sinks, shares, p, e);
    for (int i = 0; i < shares; i++)
        free_sink(&sinks[i]);
    if (status)
        rows_free(r);
    return status ? -1 : 0;
}

size_t rows_stride(size_t nx, enum precision precision)
{
    size_t line = ROW_ALIGNMENT / precision_bytes(precision);
    return (nx + line - 1) / line * line;
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

static int make(struct rows *r, const struct problem *p, struct error *e)
{
    const size_t rows = p->points[1] * p->points[2], worth = rows / ROWS_WORTH_A_SHARE;
    const size_t planes = p->points[2] ? p->points[2] : 1, most = worth < planes ? worth : planes;
    const int threads = omp_get_max_threads();
    phase_begin("finding the points at walls");
    const int status =
        rows_make_in_shares(r, p, threads > 1 && most > 1 ? (int)(most < SHARES_MAX ? most : SHARES_MAX) : 1, e);
    phase_end();
    return status;
}

/* Whether the kept rows were made for this problem. */
static bool fits(const struct kept_rows *k, const struct problem *p)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    return k->rows.stencil == l->stencil && k->precision == p->precision && k->courant_squared == l->courant_squared;
}

int rows_make(struct rows *r, const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    struct kept_rows *k = l->kept_rows;
    int status = 0;
    memset(r, 0, sizeof *r);
    if (!k || k->voxels != l->voxels)
        return make(r, p, e);
#pragma omp critical(kept_rows)
    {
        if (!k->made && !make(&k->rows, p, e)) {
            k->made = true;
            k->precision = p->precision;
            k->courant_squared = l->courant_squared;
        }
        status = !k->made ? -1 : !fits(k, p);
        if (!status) {
            *r = k->rows;
            r->borrowed = true;
        }
    }
    return status > 0 ? make(r, p, e) : status;
}

void rows_count(const struct rows *r, const size_t counted[2], uint64_t *air, uint64_t *walls)
{
    const struct branches *b = &r->branches;
    const size_t first = counted[0] * r->ny, end = counted[1] * r->ny;
    if (!counted[1]) {
        *air = r->air_points;
        *walls = r->wall_start[r->count] + b->point_count;
        return;
    }
    *air = 0;
    for (uint64_t i = r->run_start[first]; i < r->run_start[end]; i++)
        *air += r->runs[i].length;
    *walls = r->wall_start[end] - r->wall_start[first];
    for (uint64_t i = b->segment_start[first]; i < b->segment_start[end]; i++)
        *walls += b->segments[i].length;
}

uint64_t rows_bytes(const struct rows *r, enum precision precision)
{
    const uint64_t walls = r->wall_start[r->count];
    return r->run_start[r->count] * sizeof(struct run) +
           walls * (sizeof(uint32_t) + precision_bytes(precision) + (r->wall_mass ? 1 : 0)) +
           3 * (r->count + 1) * sizeof(uint64_t) + r->branches.segment_count * sizeof(struct branch_segment) +
           r->branches.state_count * precision_bytes(precision);
}

void rows_free(struct rows *r)
{
    if (!r->borrowed) {
        free(r->runs);
        free(r->run_start);
        free(r->wall_x);
        free(r->wall_weight);
        free(r->wall_mass);
        free(r->wall_start);
        branches_free(&r->branches);
    }
    memset(r, 0, sizeof *r);
}

void kept_rows_free(struct kept_rows *k)
{
    if (k)
        rows_free(&k->rows);
    free(k);
}
