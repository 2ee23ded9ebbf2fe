/* SPDX-License-Identifier: MIT */
#include "geometry/leak_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel_search.h"

static bool at_end(const struct regions *g, size_t row, const struct air_run *run)
{
    const size_t y = row % g->count[1], z = row / g->count[1];
    return y == 0 || y + 1 == g->count[1] || z == 0 || z + 1 == g->count[2] || run->start == 0 ||
           run->end == g->count[0];
}

bool *leak_outside_parts(const struct regions *g)
{
    bool *outside = calloc((size_t)g->start[g->rows] + 1, sizeof *outside);
    for (size_t row = 0; row < g->rows && outside; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++)
            outside[g->part[i]] = outside[g->part[i]] || at_end(g, row, &g->runs[i]);
    return outside;
}

/* A voxel of one clearance. */
struct step {
    uint64_t voxel;
    uint32_t depth;  /* steps from the source's side */
    uint32_t before; /* step from which it was reached; the first ones: their own */
    bool reached;
};

struct way {
    const struct room_cuts *cuts; /* of links; NULL: none is cut */
    const struct regions *wide;   /* beyond this clearance */
    struct step *steps;           /* [count], by voxel */
    uint32_t *queue, count;
};

static uint32_t step_at(const struct way *w, uint64_t voxel)
{
    const size_t at = voxel_search(w->steps, w->count, sizeof *w->steps, voxel);
    return at < w->count ? (uint32_t)at : NO_RUN;
}

/* The voxels of `narrow` that are not in `wide`. */
static int list_steps(struct way *w, const struct regions *narrow)
{
    const uint64_t all = regions_voxels(narrow, 0, narrow->count[2]) - regions_voxels(w->wide, 0, w->wide->count[2]);
    if (all >= NO_RUN || !(w->steps = malloc(((size_t)all + 1) * sizeof *w->steps)) ||
        !(w->queue = malloc(((size_t)all + 1) * sizeof *w->queue)))
        return -1;
    for (size_t row = 0; row < narrow->rows; row++) {
        uint32_t i = w->wide->start[row];
        const uint32_t end = w->wide->start[row + 1];
        for (uint32_t k = narrow->start[row]; k < narrow->start[row + 1]; k++)
            for (uint32_t x = narrow->runs[k].start; x < narrow->runs[k].end; x++) {
                while (i < end && w->wide->runs[i].end <= x)
                    i++;
                if (i < end && w->wide->runs[i].start <= x)
                    x = w->wide->runs[i].end - 1;
                else
                    w->steps[w->count++] = (struct step){.voxel = (uint64_t)row * narrow->count[0] + x};
            }
    }
    return 0;
}

static bool is_open(const struct way *w, const size_t at[3], int side)
{
    size_t count = 0;
    if (w->cuts)
        cuts_on_link(&count, w->cuts, at, side);
    return count == 0;
}

/* The voxel beside one; it may lie outside the lattice. */
static void step_aside(size_t beside[3], const size_t at[3], int side)
{
    memcpy(beside, at, 3 * sizeof *at);
    beside[side / 2] += side % 2 ? (size_t)1 : SIZE_MAX;
}

/* Whether a voxel is beside one of the wide parts that are marked. */
static bool touches(const struct way *w, const size_t at[3], const bool *parts)
{
    for (int side = 0; side < FACES; side++) {
        size_t beside[3];
        step_aside(beside, at, side);
        const uint32_t run = regions_run_at(w->wide, beside);
        if (run != NO_RUN && parts[w->wide->part[run]] && is_open(w, at, side))
            return true;
    }
    return false;
}

/* Marks the wide parts beside a voxel; whether any was not marked before. */
static bool mark_touched(const struct way *w, const size_t at[3], bool *parts)
{
    bool any = false;
    for (int side = 0; side < FACES; side++) {
        size_t beside[3];
        step_aside(beside, at, side);
        const uint32_t run = regions_run_at(w->wide, beside);
        if (run == NO_RUN || parts[w->wide->part[run]] || !is_open(w, at, side))
            continue;
        parts[w->wide->part[run]] = true;
        any = true;
    }
    return any;
}

static bool reaches_outside(const struct way *w, const size_t at[3], const bool *outside)
{
    for (int k = 0; k < 3; k++)
        if (at[k] == 0 || at[k] + 1 == w->wide->count[k])
            return true;
    return touches(w, at, outside);
}

/* Of the steps from queue[first] on, all of one depth and the last that are there, those that reach the outside: moved
 * to the front of the queue; how many. */
static uint32_t collect_mouth(struct way *w, uint32_t first, uint32_t tail, const bool *outside)
{
    const uint32_t depth = w->steps[w->queue[first]].depth;
    uint32_t count = 0;
    for (uint32_t i = first; i < tail && w->steps[w->queue[i]].depth == depth; i++) {
        size_t at[3];
        regions_place(at, w->wide, w->steps[w->queue[i]].voxel);
        if (reaches_outside(w, at, outside))
            w->queue[count++] = w->queue[i];
    }
    return count;
}

static void reach(struct way *w, uint32_t step, uint32_t before, uint32_t depth)
{
    w->steps[step].reached = true;
    w->steps[step].depth = depth;
    w->steps[step].before = before;
}

/* Adds the steps beside queue[head] that were not reached yet to the queue, which ends at tail; its new end. */
static uint32_t step_on(struct way *w, uint32_t head, uint32_t tail)
{
    const uint32_t i = w->queue[head];
    size_t at[3];
    regions_place(at, w->wide, w->steps[i].voxel);
    for (int side = 0; side < FACES; side++) {
        size_t beside[3];
        step_aside(beside, at, side);
        const uint32_t next =
            beside[side / 2] < w->wide->count[side / 2] ? step_at(w, regions_index(w->wide, beside)) : NO_RUN;
        if (next == NO_RUN || w->steps[next].reached || !is_open(w, at, side))
            continue;
        reach(w, next, i, w->steps[i].depth + 1);
        w->queue[tail++] = next;
    }
    return tail;
}

/* Breadth first from the source's side; the voxels at which the outside is reached first, in the queue: how many. */
static uint32_t walk(struct way *w, const bool *source, const bool *outside, uint64_t source_voxel)
{
    uint32_t tail = 0;
    size_t at[3];
    for (uint32_t i = 0; i < w->count; i++) {
        regions_place(at, w->wide, w->steps[i].voxel);
        if (w->steps[i].voxel != source_voxel && !touches(w, at, source))
            continue;
        reach(w, i, i, 0);
        w->queue[tail++] = i;
    }
    for (uint32_t head = 0; head < tail; head++) {
        regions_place(at, w->wide, w->steps[w->queue[head]].voxel);
        if (reaches_outside(w, at, outside))
            return collect_mouth(w, head, tail, outside);
        tail = step_on(w, head, tail);
    }
    return 0;
}

/* As walk(); where the way leads through further wide parts, from the last of them. */
static uint32_t walk_on(struct way *w, bool *source, const bool *outside, uint64_t source_voxel)
{
    for (bool grown = true; grown;) {
        const uint32_t mouth = walk(w, source, outside, source_voxel);
        if (mouth)
            return mouth;
        grown = false;
        for (uint32_t i = 0; i < w->count; i++) {
            size_t at[3];
            regions_place(at, w->wide, w->steps[i].voxel);
            if (w->steps[i].reached && mark_touched(w, at, source))
                grown = true;
            w->steps[i].reached = false;
        }
    }
    return 0;
}

/* The voxel of a mouth that is nearest to its centroid, of several the lowest; and places on the way to it. */
static void take_middles(struct leak_way *found, const struct way *w, uint32_t count)
{
    double centroid[3] = {0.0, 0.0, 0.0}, least = INFINITY;
    uint32_t best = w->queue[0];
    size_t at[3];
    for (uint32_t i = 0; i < count; i++) {
        regions_place(at, w->wide, w->steps[w->queue[i]].voxel);
        for (int k = 0; k < 3; k++)
            centroid[k] += (double)at[k] / count;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step = w->queue[i];
        double off = 0.0;
        regions_place(at, w->wide, w->steps[step].voxel);
        for (int k = 0; k < 3; k++)
            off += ((double)at[k] - centroid[k]) * ((double)at[k] - centroid[k]);
        if (off < least || (off == least && step < best)) {
            least = off;
            best = step;
        }
    }
    regions_place(found->mouth, w->wide, w->steps[best].voxel);
    for (uint32_t i = 0, depth = w->steps[best].depth; i < LEAK_WAY_PLACES; i++) {
        while (w->steps[best].depth > depth - (uint64_t)depth * i / (LEAK_WAY_PLACES - 1))
            best = w->steps[best].before;
        regions_place(found->places[i], w->wide, w->steps[best].voxel);
    }
}

/* The voxels as far as a source moves, in a box around it. */
enum { BOX_WIDTH = 2 * LEAK_STEPS_FAR + 1, BOX_VOXELS = BOX_WIDTH * BOX_WIDTH * BOX_WIDTH };

static size_t box_index(const size_t at[3], const size_t centre[3])
{
    size_t index = 0;
    for (int k = 2; k >= 0; k--)
        index = index * BOX_WIDTH + (at[k] + LEAK_STEPS_FAR - centre[k]);
    return index;
}

static void box_place(size_t at[3], size_t index, const size_t centre[3])
{
    for (int k = 0; k < 3; k++, index /= BOX_WIDTH)
        at[k] = centre[k] + index % BOX_WIDTH - LEAK_STEPS_FAR;
}

int leak_move_inwards(size_t source[3], const struct regions *narrow, const struct regions *wide,
                      const struct room_cuts *cuts)
{
    const struct way w = {.cuts = cuts, .wide = wide};
    uint8_t depths[BOX_VOXELS] = {0}; /* steps to it, and one; 0: not reached */
    uint16_t queue[BOX_VOXELS];
    size_t tail = 0;
    if (regions_run_at(wide, source) != NO_RUN)
        return 0;
    const size_t centre[3] = {source[0], source[1], source[2]};
    queue[tail++] = (uint16_t)box_index(centre, centre);
    depths[queue[0]] = 1;
    for (size_t head = 0; head < tail && depths[queue[head]] <= LEAK_STEPS_FAR; head++) {
        size_t at[3];
        box_place(at, queue[head], centre);
        for (int side = 0; side < FACES; side++) {
            size_t beside[3];
            step_aside(beside, at, side);
            const size_t next = box_index(beside, centre);
            if (depths[next] || regions_run_at(narrow, beside) == NO_RUN || !is_open(&w, at, side))
                continue;
            depths[next] = (uint8_t)(depths[queue[head]] + 1);
            if (regions_run_at(wide, beside) != NO_RUN) {
                memcpy(source, beside, sizeof beside);
                return depths[next] - 1;
            }
            queue[tail++] = (uint16_t)next;
        }
    }
    return LEAK_STEPS_FAR + 1;
}

int leak_find_way(struct leak_way *found, const size_t source[3], const struct regions *narrow,
                  const struct regions *wide, const struct room_cuts *cuts)
{
    struct way w = {.cuts = cuts, .wide = wide};
    bool *outside = leak_outside_parts(wide), *from = calloc((size_t)wide->start[wide->rows] + 1, sizeof *from);
    int status = -1;
    if (outside && from && !list_steps(&w, narrow)) {
        const uint32_t run = regions_run_at(wide, source);
        if (run != NO_RUN)
            from[wide->part[run]] = true;
        const uint32_t mouth = walk_on(&w, from, outside, regions_index(wide, source));
        status = mouth > 0;
        if (mouth)
            take_middles(found, &w, mouth);
    }
    free(w.steps);
    free(w.queue);
    free(outside);
    free(from);
    return status;
}
