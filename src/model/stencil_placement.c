#include "model/stencil_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "model/point_stencil.h"

/* Tolerance in cells, so that positions written as i X use one point. */
static const double on_point = 1e-6;

/* A position and the voxels around it. */
struct site {
    const struct voxels *voxels;
    const struct grid *grid;
    bool fixed[FACES]; /* this wall is held at p = 0 */
    bool objects;      /* an object may reach into the stencil, or into its part that is folded back */
    double at[3];      /* position, cells */
    long home[3];      /* an air voxel that holds it */
};

static long count_along(const struct site *s, int axis)
{
    return (long)s->grid->voxels[axis];
}

/* Index of the point within the box of which point `index` is the mirror image, one wall after the other in a small
 * room; *sign changes at fixed walls. */
static long fold_point(const struct site *s, int axis, long index, double *sign)
{
    const long last = count_along(s, axis);
    while (index < 0 || index > last) {
        const int wall = 2 * axis + (index > last);
        *sign = s->fixed[wall] ? -*sign : *sign;
        index = index < 0 ? -index : 2 * last - index;
    }
    return index;
}

static long fold_voxel(const struct site *s, int axis, long index)
{
    const long count = count_along(s, axis);
    while (index < 0 || index >= count)
        index = index < 0 ? -1 - index : 2 * count - 1 - index;
    return index;
}

/* The cell of a voxel in the box or of its mirror image beyond. */
static uint8_t cell_at(const struct site *s, const long voxel[3])
{
    if (!s->objects)
        return CELL_AIR;
    size_t at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (size_t)fold_voxel(s, axis, voxel[axis]);
    return voxels_cell(s->voxels, at[0], at[1], at[2]);
}

/* Range of voxels that the widest stencil and its neighbours touch within the box, and one more that closing may have
 * added to an object: first and end. */
static void reach(const struct site *s, int axis, size_t range[2])
{
    const long count = count_along(s, axis), cells = (long)ceil(point_stencil_radii[0].cells) + 2;
    const long low = (long)floor(s->at[axis]) - cells, high = (long)floor(s->at[axis]) + cells;
    long first = low < 0 ? 0 : low, last = high >= count ? count - 1 : high;
    if (low < 0) /* folded back */
        last = last > -1 - low ? last : -1 - low;
    if (high >= count)
        first = first < 2 * count - 1 - high ? first : 2 * count - 1 - high;
    range[0] = (size_t)(first < 0 ? 0 : first);
    range[1] = (size_t)(last >= count ? count : last + 1);
}

static bool objects_near(const struct site *s)
{
    const struct room *room = s->voxels->room;
    size_t range[3][2], bounds[3][2];
    for (int axis = 0; axis < 3; axis++)
        reach(s, axis, range[axis]);
    for (size_t i = 0; i < room->object_count; i++) {
        bool meets = true;
        voxels_object_bounds(s->voxels, &room->objects[i], bounds);
        for (int axis = 0; axis < 3; axis++)
            meets = meets && bounds[axis][0] < range[axis][1] && bounds[axis][1] > range[axis][0];
        if (meets)
            return true;
    }
    return false;
}

/* Square of the distance from the position to a voxel, cells. */
static double distance_squared(const struct site *s, const long voxel[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)voxel[axis];
        const double apart = fmax(0.0, fmax(low - s->at[axis], s->at[axis] - low - 1.0));
        sum += apart * apart;
    }
    return sum;
}

/* Finds the nearest voxel of air around the position; of several that hold it, the first. False: there is none, or the
 * position is in or on fixed voxels, as *fixed says. */
static bool find_home(struct site *s, bool *fixed)
{
    double nearest = INFINITY;
    long voxel[3], low[3], high[3];
    *fixed = false;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (long)fmax(floor(s->at[axis]) - 1.0, 0.0);
        high[axis] = (long)fmin(floor(s->at[axis]) + 1.0, (double)(count_along(s, axis) - 1));
    }
    for (voxel[2] = low[2]; voxel[2] <= high[2]; voxel[2]++)
        for (voxel[1] = low[1]; voxel[1] <= high[1]; voxel[1]++)
            for (voxel[0] = low[0]; voxel[0] <= high[0]; voxel[0]++) {
                const double distance = distance_squared(s, voxel);
                const uint8_t cell = cell_at(s, voxel);
                *fixed = *fixed || (cell == CELL_FIXED && distance == 0.0);
                if (cell != CELL_AIR || !(distance < nearest))
                    continue;
                nearest = distance;
                memcpy(s->home, voxel, sizeof voxel);
            }
    return isfinite(nearest) && !*fixed;
}

/* Whether a ball around the position touches air alone, in the box and in its mirror images. */
static bool is_clear(const struct site *s, double radius)
{
    long voxel[3], low[3], high[3];
    if (!s->objects)
        return true;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (long)floor(s->at[axis] - radius);
        high[axis] = (long)floor(s->at[axis] + radius);
    }
    for (voxel[2] = low[2]; voxel[2] <= high[2]; voxel[2]++)
        for (voxel[1] = low[1]; voxel[1] <= high[1]; voxel[1]++)
            for (voxel[0] = low[0]; voxel[0] <= high[0]; voxel[0]++)
                if (distance_squared(s, voxel) < radius * radius - on_point && cell_at(s, voxel) != CELL_AIR)
                    return false;
    return true;
}

/* Whether voxels of air alone hold a place between the position and a point; a place on faces is in several voxels, of
 * which one is enough. */
static bool is_air(const struct site *s, const double place[3])
{
    for (int side = 0; side < 8; side++) {
        long voxel[3];
        bool holds = true;
        for (int axis = 0; axis < 3; axis++) {
            const bool lower = side >> axis & 1, face = fabs(place[axis] - round(place[axis])) < 1e-9;
            voxel[axis] = (long)(face ? round(place[axis]) : floor(place[axis])) - lower;
            holds = holds && (face || !lower);
        }
        if (holds && cell_at(s, voxel) == CELL_AIR)
            return true;
    }
    return false;
}

enum { CROSSINGS_MAX = 32 };

/* Where the straight way to a point crosses faces of voxels, as fractions of it in ascending order, with its ends.
 * Returns their number. */
static int find_crossings(double crossing[CROSSINGS_MAX], const struct site *s, const double point[3])
{
    int count = 2;
    crossing[0] = 0.0;
    crossing[1] = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double from = s->at[axis], way = point[axis] - from;
        for (double face = ceil(fmin(from, point[axis])); face <= fmax(from, point[axis]); face += 1.0)
            if (fabs(way) > 1e-9 && count < CROSSINGS_MAX)
                crossing[count++] = (face - from) / way;
    }
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && crossing[k] < crossing[k - 1]; k--) {
            const double swap = crossing[k];
            crossing[k] = crossing[k - 1];
            crossing[k - 1] = swap;
        }
    return count;
}

/* Whether the straight way from the position to a point leads through air. */
static bool is_seen(const struct site *s, const double point[3])
{
    double crossing[CROSSINGS_MAX];
    const int count = find_crossings(crossing, s, point);
    for (int i = 1; i < count; i++) {
        const double middle = 0.5 * (crossing[i - 1] + crossing[i]);
        double place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = s->at[axis] + middle * (point[axis] - s->at[axis]);
        if (crossing[i] - crossing[i - 1] > 1e-9 && !is_air(s, place))
            return false;
    }
    return true;
}

/* Leaves out the points, counted from `base`, that objects hide. */
static void leave_out_hidden(struct point_stencil *stencil, const struct site *s, const long base[3])
{
    size_t kept = 0;
    for (size_t q = 0; q < stencil->count; q++) {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (double)(base[axis] + stencil->point[q][axis]);
        if (is_seen(s, point))
            memmove(stencil->point[kept++], stencil->point[q], sizeof *stencil->point);
    }
    stencil->count = kept;
}

/* m: the share of air among the eight voxels at a point of the box; 0: held at p = 0. */
static double share_of_air(const struct site *s, const long point[3])
{
    double air = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        long voxel[3];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            voxel[axis] = point[axis] - 1 + (corner >> axis & 1);
            const bool beyond = voxel[axis] >= count_along(s, axis);
            if (voxel[axis] >= 0 && !beyond)
                continue;
            inside = false;
            if (s->fixed[2 * axis + beyond])
                return 0.0;
        }
        const uint8_t cell = inside ? cell_at(s, voxel) : CELL_SOLID;
        if (cell == CELL_FIXED)
            return 0.0;
        air += cell == CELL_AIR ? 0.125 : 0.0;
    }
    return air;
}

static int by_point(const void *a, const void *b)
{
    const uint64_t left = ((const struct channel_entry *)a)->point, right = ((const struct channel_entry *)b)->point;
    return left < right ? -1 : left > right;
}

/* Adds a weight to the entry of a point of the box, by its canonical index. */
static void add_entry(struct channel *c, uint64_t point, double weight)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entries[i].point == point) {
            c->entries[i].weight += weight;
            return;
        }
    c->entries[c->count++] = (struct channel_entry){.point = point, .weight = weight};
}

/* Folds a stencil, whose points count from `base`, into the box. */
static void add_entries(struct channel *c, const struct site *s, const struct point_stencil *stencil,
                        const long base[3], const struct placement *p)
{
    for (size_t q = 0; q < stencil->count; q++) {
        long point[3];
        uint64_t index = 0;
        double weight = p->scale * stencil->weight[q];
        for (int axis = 2; axis >= 0; axis--) {
            point[axis] = fold_point(s, axis, base[axis] + stencil->point[q][axis], &weight);
            index = index * (uint64_t)(count_along(s, axis) + 1) + (uint64_t)point[axis];
        }
        const double share = share_of_air(s, point);
        if (share > 0.0)
            add_entry(c, index, p->drives ? weight / share : weight);
    }
    qsort(c->entries, c->count, sizeof *c->entries, by_point);
}

/* Makes the widest stencil that the air around the position has room for. NULL: memory is out. */
static const struct point_stencil_radius *make_stencil(struct point_stencil *stencil, long base[3],
                                                       const struct site *s, struct error *e)
{
    const struct point_stencil_radius *radius = point_stencil_radii;
    double fraction[3];
    bool single = true;
    for (int axis = 0; axis < 3; axis++) {
        base[axis] = (long)floor(s->at[axis]);
        fraction[axis] = s->at[axis] - (double)base[axis];
        single = single && fraction[axis] == 0.0;
    }
    if (single) {
        *stencil = (struct point_stencil){.count = 1, .weight = {1.0}};
        return radius;
    }
    while (!radius->partial && !is_clear(s, radius->cells))
        radius++;
    point_stencil_points(stencil, fraction, radius->cells);
    if (radius->partial)
        leave_out_hidden(stencil, s, base);
    return point_stencil_fit(stencil, fraction, e) ? NULL : radius;
}

static int note_radius(struct model *m, const struct placement *p, const struct point_stencil_radius *used,
                       struct error *e)
{
    const struct point_stencil_radius *widest = point_stencil_radii;
    if (used == widest)
        return 0;
    return lines_add(
        &m->notes, &m->note_count, e,
        "%s %s is so near to an object that it is placed by points within %g cells (%.3g m)%s, not %g: its "
        "level is within %+.2f and %+.2f dB down to 4 points a wavelength, not %+.2f and %+.2f dB",
        p->what, p->name, used->cells, used->cells * m->grid.spacing,
        used->partial ? " but those that the object hides" : "", widest->cells, used->low, used->high, widest->low,
        widest->high);
}

static void find_site(struct site *s, const struct model *m, const double position[3])
{
    const struct room *room = m->voxels.room;
    s->voxels = &m->voxels;
    s->grid = &m->grid;
    for (int axis = 0; axis < 3; axis++) {
        const double at = position[axis] / m->grid.spacing;
        s->at[axis] = fabs(at - round(at)) < on_point ? round(at) : at;
        s->at[axis] = fmin(fmax(s->at[axis], 0.0), (double)count_along(s, axis));
    }
    for (int wall = 0; wall < FACES; wall++)
        s->fixed[wall] = boundary_kind_of(&room->materials[room->walls[wall]])->fixed;
    s->objects = objects_near(s);
}

static bool is_on_fixed_wall(const struct site *s)
{
    for (int wall = 0; wall < FACES; wall++)
        if (s->fixed[wall] && s->at[wall / 2] == (wall % 2 ? (double)count_along(s, wall / 2) : 0.0))
            return true;
    return false;
}

int stencil_place(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    static const char held[] = "lies in a layer held at p = 0, not in the air: move it";
    struct site s;
    bool fixed;
    long base[3];
    find_site(&s, m, p->position);
    if (is_on_fixed_wall(&s))
        return placement_refuse(p, e, held);
    if (!find_home(&s, &fixed))
        return placement_refuse(p, e,
                                fixed ? held : "has no air point of the grid around it: move it, or raise grid.rate");
    for (int axis = 0; axis < 3; axis++) { /* out of the voxels of an object */
        s.at[axis] = fmin(fmax(s.at[axis], (double)s.home[axis]), (double)s.home[axis] + 1.0);
        placed->position[axis] = s.at[axis] * m->grid.spacing;
    }
    struct point_stencil *stencil = malloc(sizeof *stencil);
    const struct point_stencil_radius *radius = NULL;
    int status = -1;
    placed->channel.entries = calloc(POINT_STENCIL_MAX, sizeof *placed->channel.entries);
    if (!stencil || !placed->channel.entries)
        fail(e, ERROR_MEMORY, "out of memory");
    else if ((radius = make_stencil(stencil, base, &s, e))) {
        add_entries(&placed->channel, &s, stencil, base, p);
        status = placed->channel.count ? note_radius(m, p, radius, e) : placement_refuse(p, e, held);
    }
    free(stencil);
    if (status) {
        free(placed->channel.entries);
        memset(placed, 0, sizeof *placed);
    }
    return status;
}
