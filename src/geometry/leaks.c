#include "geometry/leaks.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/erosion.h"
#include "geometry/seeds.h"

/* Voxels of padding around the lattice, where the outside joins, and so the greatest clearance that is looked at. */
enum { OUTSIDE = 24 };

struct search {
    struct room_cuts cuts;
    const struct lattice *lattice;
    size_t source[3]; /* moves inwards as clearance grows */
};

/* ---- joined with the outside */

static bool at_end(const struct regions *g, size_t row, const struct air_run *run)
{
    const size_t y = row % g->count[1], z = row / g->count[1];
    return y == 0 || y + 1 == g->count[1] || z == 0 || z + 1 == g->count[2] || run->start == 0 ||
           run->end == g->count[0];
}

/* Marks the parts that reach the lattice's end. */
static bool *outside_parts(const struct regions *g)
{
    bool *outside = calloc((size_t)g->start[g->rows] + 1, sizeof *outside);
    for (size_t row = 0; row < g->rows && outside; row++)
        for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++)
            outside[g->part[i]] = outside[g->part[i]] || at_end(g, row, &g->runs[i]);
    return outside;
}

/* The voxel of g within two steps of a voxel, the nearest first. False: none. */
static bool nearby(size_t found[3], const struct regions *g, const size_t at[3])
{
    for (int steps = 0; steps <= 2; steps++)
        for (int i = 0; i < 125; i++) {
            const int d[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
            size_t near[3];
            if (abs(d[0]) + abs(d[1]) + abs(d[2]) != steps)
                continue;
            for (int k = 0; k < 3; k++)
                near[k] = at[k] + (size_t)(ptrdiff_t)d[k];
            if (regions_run_at(g, near) == NO_RUN)
                continue;
            memcpy(found, near, sizeof near);
            return true;
        }
    return false;
}

/* Whether the source is joined with the outside in g: 1; else 0, or -1 when memory is out. */
static int is_joined(struct search *s, const struct regions *g)
{
    size_t source[3];
    if (!nearby(source, g, s->source))
        return 0;
    bool *outside = outside_parts(g);
    if (!outside)
        return -1;
    const int joined = outside[g->part[regions_run_at(g, source)]];
    if (joined)
        memcpy(s->source, source, sizeof source);
    free(outside);
    return joined;
}

/* ---- the shortest way through voxels of one clearance */

struct step {
    uint64_t voxel;
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
    uint32_t low = 0, high = w->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (w->steps[middle].voxel < voxel)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count && w->steps[low].voxel == voxel ? low : NO_RUN;
}

/* The voxels of `narrow` that are not in `wide`. */
static int list_steps(struct way *w, const struct regions *narrow)
{
    const uint64_t all = regions_voxels(narrow) - regions_voxels(w->wide);
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

/* Whether a voxel is beside one of the wide parts that are marked. */
static bool touches(const struct way *w, const size_t at[3], const bool *parts)
{
    for (int side = 0; side < FACES; side++) {
        size_t beside[3] = {at[0], at[1], at[2]};
        beside[side / 2] += side % 2 ? (size_t)1 : SIZE_MAX;
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
        size_t beside[3] = {at[0], at[1], at[2]};
        beside[side / 2] += side % 2 ? (size_t)1 : SIZE_MAX;
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

/* Breadth first from the source's side; the step at which the outside is reached, or NO_RUN. */
static uint32_t walk(struct way *w, const bool *source, const bool *outside, uint64_t source_voxel)
{
    uint32_t head = 0, tail = 0;
    size_t at[3];
    for (uint32_t i = 0; i < w->count; i++) {
        regions_place(at, w->wide, w->steps[i].voxel);
        if (w->steps[i].voxel != source_voxel && !touches(w, at, source))
            continue;
        w->steps[i].reached = true;
        w->steps[i].before = i;
        w->queue[tail++] = i;
    }
    while (head < tail) {
        const uint32_t i = w->queue[head++];
        regions_place(at, w->wide, w->steps[i].voxel);
        if (reaches_outside(w, at, outside))
            return i;
        for (int side = 0; side < FACES; side++) {
            size_t beside[3] = {at[0], at[1], at[2]};
            beside[side / 2] += side % 2 ? (size_t)1 : SIZE_MAX;
            const uint32_t next =
                beside[side / 2] < w->wide->count[side / 2] ? step_at(w, regions_index(w->wide, beside)) : NO_RUN;
            if (next == NO_RUN || w->steps[next].reached || !is_open(w, at, side))
                continue;
            w->steps[next].reached = true;
            w->steps[next].before = i;
            w->queue[tail++] = next;
        }
    }
    return NO_RUN;
}

/* As walk(); where the way leads through further wide parts, from the last of them. */
static uint32_t walk_on(struct way *w, bool *source, const bool *outside, uint64_t source_voxel)
{
    for (bool grown = true; grown;) {
        const uint32_t last = walk(w, source, outside, source_voxel);
        if (last != NO_RUN)
            return last;
        grown = false;
        for (uint32_t i = 0; i < w->count; i++) {
            size_t at[3];
            regions_place(at, w->wide, w->steps[i].voxel);
            if (w->steps[i].reached && mark_touched(w, at, source))
                grown = true;
            w->steps[i].reached = false;
        }
    }
    return NO_RUN;
}

static void middle_of(size_t middle[3], const struct way *w, uint32_t last)
{
    uint32_t length = 0, i = last;
    for (; w->steps[i].before != i; i = w->steps[i].before)
        length++;
    i = last;
    for (uint32_t k = 0; k < length / 2; k++)
        i = w->steps[i].before;
    regions_place(middle, w->wide, w->steps[i].voxel);
}

/* The hole between source and outside, which `narrow` joins and `wide` does not. 1: found; 0: not; -1: no memory. */
static int find_hole(size_t hole[3], const struct search *s, const struct regions *narrow, const struct regions *wide,
                     const struct room_cuts *cuts)
{
    struct way w = {.cuts = cuts, .wide = wide};
    bool *outside = outside_parts(wide), *source = calloc((size_t)wide->start[wide->rows] + 1, sizeof *source);
    size_t at[3];
    int found = -1;
    if (outside && source && !list_steps(&w, narrow)) {
        if (nearby(at, wide, s->source))
            source[wide->part[regions_run_at(wide, at)]] = true;
        const uint32_t last = walk_on(&w, source, outside, regions_index(wide, s->source));
        found = last != NO_RUN;
        if (found)
            middle_of(hole, &w, last);
    }
    free(w.steps);
    free(w.queue);
    free(outside);
    free(source);
    return found;
}

/* ---- all holes */

/* The widest hole and its clearance, in `air`, which joins source and outside. 1: found; 0: not; -1: failed. */
static int widest(size_t hole[3], int *clearance, struct search *s, const struct regions *air, struct error *e)
{
    struct regions levels[2] = {{.rows = 0}, {.rows = 0}};
    const struct regions *narrow = air;
    int joined = 1;
    for (*clearance = 0; joined == 1; ++*clearance) {
        struct regions *wide = &levels[*clearance % 2];
        regions_free(wide);
        if (erode(wide, narrow, *clearance ? NULL : &s->cuts, e)) {
            joined = -2; /* *e says why */
            break;
        }
        joined = *clearance < OUTSIDE ? is_joined(s, wide) : 0;
        if (joined == 0) {
            joined = find_hole(hole, s, narrow, wide, *clearance ? NULL : &s->cuts);
            break;
        }
        narrow = wide;
    }
    regions_free(&levels[0]);
    regions_free(&levels[1]);
    if (joined == -1)
        return fail(e, ERROR_MEMORY, "not enough memory to look for the hole of a room that is open");
    return joined < 0 ? -1 : joined;
}

/* Takes the voxels around a hole from the air. */
static int plug(struct regions *air, const struct room_cuts *cuts, const size_t hole[3], int clearance, struct error *e)
{
    const size_t reach = (size_t)clearance + 2, width = 2 * reach + 1;
    uint64_t *voxels = malloc(width * width * width * sizeof *voxels);
    size_t count = 0;
    if (!voxels)
        return fail(e, ERROR_MEMORY, "not enough memory to look for the hole of a room that is open");
    for (size_t i = 0; i < width * width * width; i++) {
        const size_t at[3] = {hole[0] + i % width - reach, hole[1] + i / width % width - reach,
                              hole[2] + i / width / width - reach};
        if (at[0] < air->count[0] && at[1] < air->count[1] && at[2] < air->count[2])
            voxels[count++] = regions_index(air, at);
    }
    const int status = regions_remove(air, voxels, count, e) || regions_relink(air, &cuts->crossings, e);
    free(voxels);
    return status ? -1 : 0;
}

static int find_all(struct voxel_report *report, struct search *s, struct error *e)
{
    struct regions *air = &s->cuts.air;
    for (report->leak_count = 0; report->leak_count < VOXEL_LEAKS;) {
        size_t hole[3], source[3];
        int clearance;
        memcpy(source, s->source, sizeof source);
        const int joined = is_joined(s, air);
        if (joined < 0)
            return fail(e, ERROR_MEMORY, "not enough memory to look for the hole of a room that is open");
        const int found = joined ? widest(hole, &clearance, s, air, e) : 0;
        if (found <= 0)
            return found;
        struct voxel_leak *leak = &report->leaks[report->leak_count++];
        cuts_place(leak->place, &s->cuts, hole);
        leak->size = (clearance ? 2.0 * clearance : 1.0) * s->lattice->spacing;
        memcpy(s->source, source, sizeof source);
        if (plug(air, &s->cuts, hole, clearance, e))
            return -1;
    }
    return 0;
}

int leaks_find(struct voxel_report *report, const struct surface *surface, const struct lattice *lattice,
               const double source[3], double seal, int threads, struct error *e)
{
    struct search s = {.lattice = lattice};
    struct room_cuts *r = &s.cuts;
    r->threads = threads;
    int status = cuts_find(r, surface, lattice, OUTSIDE, seal, e);
    if (!status && seed_run(s.source, r, source) != NO_RUN)
        status = find_all(report, &s, e);
    cuts_free(r);
    return status ? -1 : 0;
}
