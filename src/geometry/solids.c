/* SPDX-License-Identifier: MIT */
#include "geometry/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* ---- covered voxels */

void solid_range(size_t range[2], const struct solid_rows *r, const struct surface_solid *s, int axis)
{
    double ends[2];
    solid_extent(ends, s, axis);
    const double spacing = r->lattice->spacing, origin = r->lattice->origin[axis], max = (double)r->count[axis];
    const double margin = s->shape == SOLID_BOX ? 0.0 : 1.0;
    const double shift = (double)r->shift - (axis == 2 ? (double)r->planes.from : 0.0);
    const double first = ceil((ends[0] - origin) / spacing - 0.5) + shift - margin;
    const double end = ceil((ends[1] - origin) / spacing - 0.5) + shift + margin;
    range[0] = (size_t)(first < 0.0 ? 0.0 : first > max ? max : first);
    range[1] = (size_t)(end < 0.0 ? 0.0 : end > max ? max : end);
    if (range[1] < range[0])
        range[1] = range[0];
}

static void centre_of(double at[3], const struct solid_rows *r, size_t x, size_t y, size_t z)
{
    const size_t voxel[3] = {x, y, z + r->planes.from};
    for (int i = 0; i < 3; i++)
        at[i] = r->lattice->origin[i] + ((double)voxel[i] - (double)r->shift + 0.5) * r->lattice->spacing;
}

static bool holds(const struct solid_rows *r, const struct surface_solid *s, size_t x, size_t y, size_t z)
{
    double at[3];
    centre_of(at, r, x, y, z);
    return solid_holds(s, at);
}

/* Narrows [range[0], range[1]) of a row to the covered voxels around a chord, which are one interval. */
static void narrow(size_t range[2], const struct solid_rows *r, const struct surface_solid *s, const struct chord *c,
                   size_t y, size_t z)
{
    /* more on either side covers rounding, which is worst where a line is almost beside a round solid; the chords of a
     * prism are not so uncertain, and may be next to each other */
    const double more = s->shape == SOLID_PRISM ? 1e-6 : 2.0;
    const double low = fmax(ceil(c->from / r->lattice->spacing - more), (double)range[0]);
    const double high = fmin(floor(c->to / r->lattice->spacing + more) + 1.0, (double)range[1]);
    size_t from = low < (double)range[1] ? (size_t)low : range[1];
    size_t to = high > (double)from ? (size_t)high : from;
    while (from < to && !holds(r, s, from, y, z))
        from++;
    while (from < to && !holds(r, s, to - 1, y, z))
        to--;
    range[0] = from;
    range[1] = to;
}

/* A run of a solid is counted in start[], or stored there, from the front. */
static void put(struct solid_rows *r, size_t solid, size_t row, const size_t range[2], bool store)
{
    size_t *at = &r->start[row + 1];
    if (range[0] == range[1])
        return;
    if (store)
        r->runs[*at] = (struct solid_run){(uint32_t)range[0], (uint32_t)range[1], (uint32_t)solid};
    ++*at;
}

static void cover_row(struct solid_rows *r, size_t solid, const size_t range[2], size_t y, size_t z, bool store)
{
    const struct surface_solid *s = &r->surface->solids[solid];
    const size_t row = y + r->count[1] * z;
    double start[3];
    if (s->shape == SOLID_BOX) {
        put(r, solid, row, range, store);
        return;
    }
    centre_of(start, r, 0, y, z);
    const size_t count = solid_chords(r->chords, s, start, (const double[]){1.0, 0.0, 0.0});
    for (size_t i = 0; i < count; i++) {
        size_t part[2] = {range[0], range[1]};
        narrow(part, r, s, &r->chords[i], y, z);
        put(r, solid, row, part, store);
    }
}

/* Counts the runs of a solid, or stores them. */
static void cover(struct solid_rows *r, size_t solid, bool store)
{
    size_t box[3][2];
    for (int axis = 0; axis < 3; axis++)
        solid_range(box[axis], r, &r->surface->solids[solid], axis);
    for (size_t z = box[2][0]; z < box[2][1]; z++)
        for (size_t y = box[1][0]; y < box[1][1]; y++)
            cover_row(r, solid, box[0], y, z, store);
}

static int find_runs(struct solid_rows *r, struct error *e)
{
    const size_t rows = r->count[1] * r->count[2];
    for (size_t i = 0; i < r->surface->solid_count && !stop_requested(); i++)
        cover(r, i, false);
    /* start[row + 1] becomes the first run of a row, and its end as runs are stored */
    size_t total = 0;
    for (size_t row = 0; row <= rows; row++) {
        const size_t count = r->start[row + 1];
        r->start[row + 1] = total;
        total += row < rows ? count : 0;
    }
    r->runs = malloc((total + 1) * sizeof *r->runs);
    if (!r->runs)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r->surface->solid_count && !stop_requested(); i++)
        cover(r, i, true);
    return stop_check(e);
}

static size_t most_chords(const struct surface *surface)
{
    size_t most = 1;
    for (size_t i = 0; i < surface->solid_count; i++) {
        const size_t count = solid_chords_max(&surface->solids[i]);
        most = count > most ? count : most;
    }
    return most;
}

int solids_find(struct solid_rows *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
                const struct lattice_planes *planes, struct error *e)
{
    *r = (struct solid_rows){.surface = surface, .lattice = lattice, .shift = shift, .planes = *planes};
    for (int axis = 0; axis < 2; axis++)
        r->count[axis] = lattice->count[axis] + 2 * shift;
    r->count[2] = planes->end - planes->from;
    if (surface->solid_count == 0)
        return 0;
    const size_t rows = r->count[1] * r->count[2];
    r->start = calloc(rows + 2, sizeof *r->start);
    r->chords = malloc(most_chords(surface) * sizeof *r->chords);
    return r->start && r->chords ? find_runs(r, e) : fail(e, ERROR_MEMORY, "out of memory");
}

void solids_free(struct solid_rows *r)
{
    free(r->start);
    free(r->runs);
    free(r->chords);
    memset(r, 0, sizeof *r);
}

size_t solid_at(const struct solid_rows *r, const size_t at[3])
{
    if (r->start) {
        const size_t row = at[1] + r->count[1] * at[2];
        for (size_t i = r->start[row + 1]; i-- > r->start[row];)
            if (at[0] >= r->runs[i].start && at[0] < r->runs[i].end)
                return r->runs[i].solid;
    }
    return r->surface->solid_count;
}

bool solid_covers(const struct solid_rows *r, size_t solid, const size_t at[3])
{
    const size_t row = at[1] + r->count[1] * at[2];
    for (size_t i = r->start ? r->start[row] : 0; r->start && i < r->start[row + 1]; i++)
        if (r->runs[i].solid == solid && at[0] >= r->runs[i].start && at[0] < r->runs[i].end)
            return true;
    return false;
}

/* ---- links that enter a solid */

double solid_component_on_link(const struct solid_rows *r, size_t solid, const size_t from[3], int side, uint32_t place,
                               int axis)
{
    double at[3];
    centre_of(at, r, from[0], from[1], from[2]);
    at[side / 2] += (side % 2 ? 1.0 : -1.0) * r->lattice->spacing * ((double)place / 65536.0);
    return solid_component(&r->surface->solids[solid], at, axis);
}

uint32_t solid_entry(const struct solid_rows *r, size_t solid, const size_t from[3], int side)
{
    const struct surface_solid *s = &r->surface->solids[solid];
    const int axis = side / 2;
    const double direction = side % 2 ? r->lattice->spacing : -r->lattice->spacing;
    double at[3];
    uint32_t outside = 0, inside = 65536; /* places */
    centre_of(at, r, from[0], from[1], from[2]);
    const double base = at[axis];
    while (inside - outside > 1) {
        const uint32_t middle = (outside + inside) / 2;
        at[axis] = base + direction * ((double)middle / 65536.0);
        if (solid_holds(s, at))
            inside = middle;
        else
            outside = middle;
    }
    return outside;
}

double solid_component_near(const struct solid_rows *r, size_t solid, const size_t voxel[3], int axis)
{
    double at[3];
    centre_of(at, r, voxel[0], voxel[1], voxel[2]);
    return solid_component(&r->surface->solids[solid], at, axis);
}
