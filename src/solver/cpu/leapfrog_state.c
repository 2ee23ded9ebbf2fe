/* SPDX-License-Identifier: MIT */
#include "solver/cpu/leapfrog_state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geometry/voxels/voxel_set.h"
#include "solver/schemes/leapfrog/problem.h"

/* Pages of a grid, in blocks of the size of a huge page. A block whose pages mostly contain air
 * is placed on a huge page if the system provides one; a huge page always takes memory as a
 * whole. */
struct page_map {
    uint8_t *air; /* [count]: the page contains points of air */
    size_t count, page, in_block;
};

/* Grids are stored whole if at least this many sixteenths of their pages contain air, or if they
 * are small. */
enum { STORED_WHOLE = 15, SMALL = 4 * HUGE_PAGE };

/* A block is placed on a huge page if this many quarters of its pages contain air. */
enum { HUGE_QUARTERS = 3 };

/* Each change between huge and other pages takes a memory area of the kernel; a process has
 * 65,530. */
enum { CHANGES_MAX = 8192 };

static void mark(struct page_map *m, const struct grid_shape *s, size_t row, size_t x0, size_t x1)
{
    const size_t real = precision_bytes(s->problem->precision), at = s->before + row * s->stride * real;
    for (size_t page = (at + x0 * real) / m->page; page <= (at + x1 * real - 1) / m->page; page++)
        m->air[page] = 1;
}

/* Marks the points (row y, z) of the air voxels of a row of the set. With the 19-point stencil,
 * a voxel has points at both ends. */
static void mark_row(struct page_map *m, const struct grid_shape *s, size_t y, size_t z, const struct voxel_row *from)
{
    const size_t further = leapfrog_of(s->problem)->stencil == STENCIL_19_POINT ? 1 : 0;
    for (size_t i = 0; i < from->air_count; i++)
        mark(m, s, y + s->problem->points[1] * z, from->air[i].start, from->air[i].end + further);
}

static void mark_air(struct page_map *m, const struct grid_shape *s)
{
    const struct leapfrog_problem *l = leapfrog_of(s->problem);
    const size_t around =
        l->stencil == STENCIL_19_POINT ? 2 : 1; /* rows of voxels around a row of points, along each axis */
    for (size_t z = 0; z < s->problem->points[2]; z++)
        for (size_t y = 0; y < s->problem->points[1]; y++)
            for (size_t k = 0; k < around * around; k++) {
                const struct voxel_row row =
                    voxel_set_row(l->voxels, y - k % around, z - k / around); /* wraps below 0: no air */
                mark_row(m, s, y, z, &row);
            }
}

/* m->air == NULL: the grid is stored whole. */
static int map_pages(struct page_map *m, const struct grid_shape *s, struct error *e)
{
    const size_t page = memory_page_bytes();
    *m = (struct page_map){.count = (s->bytes + page - 1) / page, .page = page, .in_block = HUGE_PAGE / page};
    const size_t *n = s->problem->points;
    const struct voxel_set *voxels = leapfrog_of(s->problem)->voxels;
    if (s->whole || s->bytes < SMALL || !voxels || 16 * voxel_set_air(voxels) >= STORED_WHOLE * n[0] * n[1] * n[2])
        return 0;
    if (!(m->air = calloc(m->count, 1)))
        return fail(e, ERROR_MEMORY, "out of memory");
    mark_air(m, s);
    return 0;
}

/* Number of stored pages of the block that begins at a page; *huge: the block is placed on a
 * huge page. */
static size_t stored_of_block(const struct page_map *m, size_t first, bool *huge)
{
    const size_t end = first + m->in_block < m->count ? first + m->in_block : m->count;
    size_t air = 0;
    for (size_t page = first; page < end; page++)
        air += m->air[page];
    *huge = 4 * air >= HUGE_QUARTERS * m->in_block;
    return *huge ? end - first : air;
}

/* Number of stored pages, and of changes between huge and other pages. */
static uint64_t count_stored(const struct page_map *m, size_t *changes)
{
    uint64_t stored = 0;
    bool last = true;
    *changes = 0;
    for (size_t page = 0; page < m->count; page += m->in_block) {
        bool huge;
        stored += stored_of_block(m, page, &huge);
        *changes += huge != last;
        last = huge;
    }
    return stored;
}

/* Number of pages that the grid occupies; m->air becomes NULL if all are stored. */
static int plan(struct page_map *m, uint64_t *stored, const struct grid_shape *s, struct error *e)
{
    size_t changes;
    if (map_pages(m, s, e))
        return -1;
    *stored = m->count;
    if (!m->air)
        return 0;
    *stored = count_stored(m, &changes);
    if (16 * *stored < STORED_WHOLE * (uint64_t)m->count && changes <= CHANGES_MAX)
        return 0;
    free(m->air);
    m->air = NULL;
    *stored = m->count;
    return 0;
}

int grid_memory_need(uint64_t *bytes, const struct grid_shape *shape, struct error *e)
{
    struct page_map map;
    uint64_t stored;
    if (plan(&map, &stored, shape, e))
        return -1;
    *bytes = map.air ? stored * map.page : shape->bytes;
    free(map.air);
    return 0;
}

/* Requests huge pages for the blocks placed on them. */
static void choose_pages(const struct page_map *m, char *block)
{
    bool huge, next;
    for (size_t page = 0, end; page < m->count; page = end) {
        stored_of_block(m, page, &huge);
        for (end = page + m->in_block; end < m->count; end += m->in_block) {
            stored_of_block(m, end, &next);
            if (next != huge)
                break;
        }
        memory_pages_huge(block + page * m->page, (end - page) * m->page, huge);
    }
}

int grid_memory_make(struct grid_memory *m, const struct grid_shape *shape, struct error *e)
{
    struct page_map map;
    uint64_t stored;
    *m = (struct grid_memory){.block = NULL};
    if (plan(&map, &stored, shape, e))
        return -1;
    m->bytes = map.air ? shape->bytes : 0;
    m->block = map.air ? memory_pages(shape->bytes) : memory_large(shape->bytes);
    if (m->block && map.air)
        choose_pages(&map, m->block);
    free(map.air);
    return m->block ? 0 : fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid)", memory_text(shape->bytes));
}

void grid_memory_free(struct grid_memory *m)
{
    if (m->bytes)
        memory_pages_free(m->block, m->bytes);
    else
        free(m->block);
    *m = (struct grid_memory){.block = NULL};
}
