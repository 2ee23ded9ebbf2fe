#include "geometry/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

static const double pi = 3.14159265358979323846;

static bool in_cylinder(const struct surface_solid *s, const double at[3])
{
    double along = 0.0, length = 0.0, distance = 0.0;
    for (int i = 0; i < 3; i++) {
        along += (at[i] - s->from[i]) * (s->to[i] - s->from[i]);
        length += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
        distance += (at[i] - s->from[i]) * (at[i] - s->from[i]);
    }
    const double t = along / length;
    return t >= 0.0 && t < 1.0 && distance - t * along <= s->radius * s->radius;
}

/* The position along a turned box's own axis, from its centre. */
static double own_place(const struct surface_solid *s, const double at[3], int axis)
{
    double place = 0.0;
    for (int i = 0; i < 3; i++)
        place += (at[i] - s->centre[i]) * s->axes[axis][i];
    return place;
}

bool solid_holds(const struct surface_solid *s, const double at[3])
{
    if (s->shape == SOLID_CYLINDER)
        return in_cylinder(s, at);
    double distance = 0.0;
    for (int i = 0; i < 3; i++) {
        if (s->shape == SOLID_BOX && !(at[i] >= s->from[i] && at[i] < s->to[i]))
            return false;
        if (s->shape == SOLID_TURNED_BOX) {
            const double place = own_place(s, at, i);
            if (!(place >= -s->half[i] && place < s->half[i]))
                return false;
        }
        distance += (at[i] - s->centre[i]) * (at[i] - s->centre[i]);
    }
    return s->shape != SOLID_SPHERE || distance <= s->radius * s->radius;
}

static double cylinder_length(const struct surface_solid *s)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
    return sqrt(square);
}

double solid_area(const struct surface_solid *s)
{
    double side[3];
    if (s->shape == SOLID_SPHERE)
        return 4.0 * pi * s->radius * s->radius;
    if (s->shape == SOLID_CYLINDER)
        return 2.0 * pi * s->radius * (s->radius + cylinder_length(s));
    for (int i = 0; i < 3; i++)
        side[i] = s->shape == SOLID_BOX ? s->to[i] - s->from[i] : 2.0 * s->half[i];
    return 2.0 * (side[0] * side[1] + side[0] * side[2] + side[1] * side[2]);
}

/* ---- covered voxels */

static void extent(double range[2], const struct surface_solid *s, int axis)
{
    double reach = s->radius, low = s->centre[axis], high = s->centre[axis];
    if (s->shape == SOLID_TURNED_BOX) {
        reach = 0.0;
        for (int i = 0; i < 3; i++)
            reach += s->half[i] * fabs(s->axes[i][axis]);
    }
    if (s->shape == SOLID_BOX || s->shape == SOLID_CYLINDER) {
        low = fmin(s->from[axis], s->to[axis]);
        high = fmax(s->from[axis], s->to[axis]);
        reach = 0.0;
    }
    if (s->shape == SOLID_CYLINDER) {
        /* the end discs extend by radius times the sine of the angle between the axis and this direction */
        const double part = (s->to[axis] - s->from[axis]) / cylinder_length(s), square = 1.0 - part * part;
        reach = s->radius * sqrt(square > 0.0 ? square : 0.0);
    }
    range[0] = low - reach;
    range[1] = high + reach;
}

/* Voxels whose centres are in [from, to), of the padded lattice; for all but axis-parallel boxes one more on either
 * side, since their own test decides. */
static void covered(size_t range[2], const struct solid_rows *r, const struct surface_solid *s, int axis)
{
    double ends[2];
    extent(ends, s, axis);
    const double spacing = r->lattice->spacing, origin = r->lattice->origin[axis], max = (double)r->count[axis];
    const double margin = s->shape == SOLID_BOX ? 0.0 : 1.0, shift = (double)r->shift;
    const double first = ceil((ends[0] - origin) / spacing - 0.5) + shift - margin;
    const double end = ceil((ends[1] - origin) / spacing - 0.5) + shift + margin;
    range[0] = (size_t)(first < 0.0 ? 0.0 : first > max ? max : first);
    range[1] = (size_t)(end < 0.0 ? 0.0 : end > max ? max : end);
    if (range[1] < range[0])
        range[1] = range[0];
}

static void centre_of(double at[3], const struct solid_rows *r, size_t x, size_t y, size_t z)
{
    const size_t voxel[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        at[i] = r->lattice->origin[i] + ((double)voxel[i] - (double)r->shift + 0.5) * r->lattice->spacing;
}

static bool holds(const struct solid_rows *r, const struct surface_solid *s, size_t x, size_t y, size_t z)
{
    double at[3];
    centre_of(at, r, x, y, z);
    return solid_holds(s, at);
}

/* Cuts ends[] to where a s² + 2 b s + c <= 0. False: nowhere, but for rounding. */
static bool cut_by_square(double ends[2], double a, double b, double c, double scale)
{
    if (!(a > 1e-12))
        return c <= 1e-9 * scale;
    const double root = sqrt(fmax(b * b - a * c, 0.0)); /* 0 for a tangent */
    ends[0] = fmax(ends[0], (-b - root) / a);
    ends[1] = fmin(ends[1], (-b + root) / a);
    return true;
}

/* Where a line along x from `start` on is in a solid without ends, in m, up to rounding. False: nowhere. */
static bool line_in_solid(double ends[2], const struct surface_solid *s, const double start[3])
{
    double square = 0.0, along = 0.0, distance = 0.0;
    if (s->shape == SOLID_TURNED_BOX) {
        for (int i = 0; i < 3; i++) {
            const double place = own_place(s, start, i), slope = s->axes[i][0];
            if (!(fabs(slope) > 1e-9))
                continue; /* the solid's own test decides */
            const double one = (-s->half[i] - place) / slope, other = (s->half[i] - place) / slope;
            ends[0] = fmax(ends[0], fmin(one, other));
            ends[1] = fmin(ends[1], fmax(one, other));
        }
        return true;
    }
    const bool is_sphere = s->shape == SOLID_SPHERE;
    const double *base = is_sphere ? s->centre : s->from;
    for (int i = 0; i < 3; i++) {
        const double axis = is_sphere ? 0.0 : s->to[i] - s->from[i], offset = start[i] - base[i];
        square += axis * axis;
        along += offset * axis;
        distance += offset * offset;
    }
    const double axis = is_sphere ? 0.0 : s->to[0] - s->from[0], limit = s->radius * s->radius;
    const double unit = is_sphere ? 1.0 : square;
    return cut_by_square(ends, 1.0 - axis * axis / unit, start[0] - base[0] - along * axis / unit,
                         distance - along * along / unit - limit, limit);
}

/* The covered voxels of a row within range[]: one interval, since solids are convex. */
static void covered_row(size_t range[2], const struct solid_rows *r, const struct surface_solid *s, size_t y, size_t z)
{
    if (s->shape == SOLID_BOX)
        return;
    double start[3], ends[2] = {-INFINITY, INFINITY};
    size_t from = range[0], to = range[1];
    centre_of(start, r, 0, y, z);
    range[1] = range[0];
    if (!line_in_solid(ends, s, start))
        return;
    /* two more voxels on either side cover rounding */
    const double low = fmax(floor(ends[0] / r->lattice->spacing) - 2.0, (double)from);
    const double high = fmin(ceil(ends[1] / r->lattice->spacing) + 3.0, (double)to);
    from = low < (double)to ? (size_t)low : to;
    to = high > (double)from ? (size_t)high : from;
    while (from < to && !holds(r, s, from, y, z))
        from++;
    while (from < to && !holds(r, s, to - 1, y, z))
        to--;
    range[0] = from;
    range[1] = to;
}

/* Counts the runs of a solid in start[], or stores them there, from the front. */
static void cover(struct solid_rows *r, size_t solid, bool store)
{
    const struct surface_solid *s = &r->surface->solids[solid];
    size_t box[3][2];
    for (int axis = 0; axis < 3; axis++)
        covered(box[axis], r, s, axis);
    for (size_t z = box[2][0]; z < box[2][1]; z++)
        for (size_t y = box[1][0]; y < box[1][1]; y++) {
            size_t range[2] = {box[0][0], box[0][1]}, *at = &r->start[y + r->count[1] * z + 1];
            covered_row(range, r, s, y, z);
            if (range[0] == range[1])
                continue;
            if (store)
                r->runs[*at] = (struct solid_run){(uint32_t)range[0], (uint32_t)range[1], (uint32_t)solid};
            ++*at;
        }
}

int solids_find(struct solid_rows *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
                struct error *e)
{
    *r = (struct solid_rows){.surface = surface, .lattice = lattice, .shift = shift};
    for (int axis = 0; axis < 3; axis++)
        r->count[axis] = lattice->count[axis] + 2 * shift;
    if (surface->solid_count == 0)
        return 0;
    const size_t rows = r->count[1] * r->count[2];
    r->start = calloc(rows + 2, sizeof *r->start);
    if (!r->start)
        return fail(e, ERROR_MEMORY, "not enough memory for %zu rows of voxels", rows);
    for (size_t i = 0; i < surface->solid_count && !stop_requested(); i++)
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
        return fail(e, ERROR_MEMORY, "not enough memory for %zu runs of solid voxels", total);
    for (size_t i = 0; i < surface->solid_count && !stop_requested(); i++)
        cover(r, i, true);
    return stop_check(e);
}

void solids_free(struct solid_rows *r)
{
    free(r->start);
    free(r->runs);
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

/* ---- links that enter a solid */

static double cylinder_component(const struct surface_solid *s, const double at[3], int axis)
{
    const double length = cylinder_length(s);
    double along = 0.0, radial[3], distance = 0.0;
    for (int i = 0; i < 3; i++)
        along += (at[i] - s->from[i]) * (s->to[i] - s->from[i]) / length;
    for (int i = 0; i < 3; i++) {
        radial[i] = at[i] - s->from[i] - along * (s->to[i] - s->from[i]) / length;
        distance += radial[i] * radial[i];
    }
    distance = sqrt(distance);
    const double to_end = fmin(fabs(along), fabs(length - along));
    if (to_end < fabs(s->radius - distance) || !(distance > 0.0))
        return fabs(s->to[axis] - s->from[axis]) / length;
    return fabs(radial[axis]) / distance;
}

/* Of the unit normal along an axis, at a place on the solid's border. */
static double component_at(const struct surface_solid *s, const double at[3], int axis)
{
    if (s->shape == SOLID_BOX)
        return 1.0;
    if (s->shape == SOLID_CYLINDER)
        return cylinder_component(s, at, axis);
    if (s->shape == SOLID_SPHERE) {
        double distance = 0.0;
        for (int i = 0; i < 3; i++)
            distance += (at[i] - s->centre[i]) * (at[i] - s->centre[i]);
        return distance > 0.0 ? fabs(at[axis] - s->centre[axis]) / sqrt(distance) : 1.0;
    }
    int nearest = 0;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double depth = fabs(s->half[i] - fabs(own_place(s, at, i)));
        if (depth < least) {
            least = depth;
            nearest = i;
        }
    }
    return fabs(s->axes[nearest][axis]);
}

uint32_t solid_entry(double *component, const struct solid_rows *r, size_t solid, const size_t from[3], int side)
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
    at[axis] = base + direction * ((double)outside / 65536.0);
    *component = component_at(s, at, axis);
    return outside;
}

double solid_component(const struct solid_rows *r, size_t solid, const size_t voxel[3], int axis)
{
    double at[3];
    centre_of(at, r, voxel[0], voxel[1], voxel[2]);
    return component_at(&r->surface->solids[solid], at, axis);
}
