/* SPDX-License-Identifier: MIT */
/* The leapfrog solvers of the CPU engine: choice of kernel, layout of the grids, memory
 * requirement. */
#include "base/memory.h"
#include "solver/cpu/leapfrog_state.h"
#include "solver/find_kernel.h"
#include "solver/schemes/bodies/bodies.h"

/* Offset between grids. At a multiple of the page size, p and p⁻ would share cache sets and
 * alias in the store queue. */
enum { GRID_SKEW = 2048 + 64, GRID_PADDING = ROW_ALIGNMENT };

static const struct kernel *const *table_of(const struct problem *p)
{
    return leapfrog_of(p)->stencil == STENCIL_19_POINT ? isotropic19_kernels : kernels;
}

static const char *kernel_of_table(const void *problem, size_t index, const char **reason)
{
    const struct kernel *k = table_of(problem)[index];
    *reason = k ? k->applicable(problem) : NULL;
    return k ? k->name : NULL;
}

const struct kernel *leapfrog_kernel(const struct problem *p, const struct solver_options *c, struct error *e)
{
    const struct kernel_table table = {"cpu", NULL, kernel_of_table, p};
    size_t index;
    return find_kernel(&index, &table, c ? c->kernel : NULL, e) ? NULL : table_of(p)[index];
}

size_t leapfrog_levels(const struct problem *p)
{
    return leapfrog_of(p)->viscosity > 0.0 ? 3 : 2;
}

/* A requested tile or depth is either used exactly or refused. */
static int check_time_block(const struct kernel *kernel, const struct solver_options *c, struct error *e)
{
    if (c && c->cuda.in_place)
        return fail(e, ERROR_ENGINE, "--in-place is supported by the cuda engine only; remove it");
    if (!c || (!c->time_block && !c->block[1]))
        return 0;
    if (kernel->needs_cells)
        return fail(e, ERROR_ENGINE, "the %s kernel visits the grid in a fixed order; remove --time-block and --block",
                    kernel->name);
    if (c->time_block > DEPTH_MAX)
        return fail(e, ERROR_USAGE, "--time-block %d: the cpu engine supports temporal blocks of 1 to %d steps",
                    c->time_block, DEPTH_MAX);
    if (c->block[1] && c->time_block > c->block[1])
        return fail(e, ERROR_USAGE,
                    "--time-block %d --block %dx%dx%d: tiles of %d rows allow temporal blocks of at most %d steps",
                    c->time_block, c->block[0], c->block[1], c->block[2], c->block[1], c->block[1]);
    return 0;
}

/* Rows take an odd number of cache lines, so that the vectors of a column do not share the sets
 * of the first-level cache, whose ways are 4 KiB on common processors. */
size_t leapfrog_stride(const struct problem *p, const struct kernel *kernel)
{
    const size_t stride = rows_stride(p->points[0], p->precision), line = ROW_ALIGNMENT / precision_bytes(p->precision);
    return kernel->functions[p->precision].sweep_planes && stride % (2 * line) == 0 ? stride + line : stride;
}

struct grid_shape leapfrog_grid(const struct problem *p, const struct kernel *kernel, size_t g)
{
    const size_t stride = leapfrog_stride(p, kernel), before = GRID_PADDING + g * GRID_SKEW;
    const size_t values = stride * p->points[1] * p->points[2];
    return (struct grid_shape){.problem = p,
                               .stride = stride,
                               .before = before,
                               .bytes = values * precision_bytes(p->precision) + before + GRID_PADDING,
                               .whole = kernel->needs_cells};
}

/* Grids whose air alone does not fit into memory are counted as a whole. */
static int count_field(uint64_t *bytes, const struct problem *p, const struct kernel *kernel, uint64_t available,
                       struct error *e)
{
    const uint64_t air = leapfrog_of(p)->voxels ? voxel_set_air(leapfrog_of(p)->voxels) : 0;
    const bool whole = leapfrog_levels(p) * air * precision_bytes(p->precision) > available;
    *bytes = 0;
    for (size_t g = 0; g < leapfrog_levels(p); g++) {
        struct grid_shape shape = leapfrog_grid(p, kernel, g);
        shape.whole = shape.whole || whole;
        uint64_t of_grid;
        if (grid_memory_need(&of_grid, &shape, e))
            return -1;
        *bytes += of_grid;
    }
    return 0;
}

void leapfrog_counted(size_t rows[2], const struct problem *p)
{
    rows[0] = p->counted[0] * p->points[1];
    rows[1] = (p->counted[1] ? p->counted[1] : p->points[2]) * p->points[1];
}

int leapfrog_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    const struct kernel *kernel = leapfrog_kernel(p, c, e);
    if (!kernel || check_time_block(kernel, c, e))
        return -1;
    const uint64_t points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2];
    r->engine = "cpu";
    r->kernel = kernel->name;
    const struct bodies *bodies = leapfrog_of(p)->bodies;
    r->balanced = leapfrog_levels(p) == 2 && !(bodies && bodies->unaudited); /* the losses of air are not summed */
    r->available_bytes = memory_available();
    if (count_field(&r->field_bytes, p, kernel, r->available_bytes, e))
        return -1;
    r->channel_bytes = channels_bytes(p) + bodies_bytes(leapfrog_of(p)->bodies);
    if (r->field_bytes > r->available_bytes)
        return 0;
    struct rows lists;
    if (rows_make(&lists, p, e))
        return -1;
    rows_count(&lists, p->counted, &r->air_points, &r->wall_points);
    const uint64_t layout = branch_layout_bytes(&lists.branches, p->points[1], rows, p->precision);
    r->boundary_bytes = rows_bytes(&lists, p->precision) + layout;
    rows_free(&lists);
    struct partition_links links;
    const int searched = partition_links_make(&links, p, e);
    r->boundary_bytes += partition_flows_bytes(&links, p);
    partition_links_free(&links);
    if (searched)
        return -1;
    if (layout == UINT64_MAX)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->boundary_bytes += rows * (sizeof(double) + 4 * sizeof(uint64_t)) + /* energy, shapes, starts of walls */
                         (kernel->needs_cells ? points * (1 + sizeof(uint32_t)) : 0);
    return 0;
}
