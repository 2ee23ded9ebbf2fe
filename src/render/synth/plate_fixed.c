/* SPDX-License-Identifier: MIT */
/* Supported and clamped edges. Nodes at rest and nodes outside the edge take the displacement that
 * continues the plate: odd about a supported straight edge, even about a clamped one. At a clamped
 * rim w is proportional to the square of the distance φ, and w/φ² is interpolated further inside.
 * There are no rigid-body modes, and the second term of the energy integrates to zero. */
#include <math.h>

#include "render/synth/plate_energy.h"

/* A node's displacement as a sum over moving nodes. */
struct image {
    size_t count, at[4];
    double weight[4];
};

/* φ = (R² - r²)/2R in spacings. */
static double depth(const struct plate_nodes *p, double ix, double iy)
{
    const double radius = (double)p->grid->cells;
    return (radius * radius - ix * ix - iy * iy) / (2.0 * radius);
}

/* Bilinear weights of the four nodes around x, y >= 0, in spacings from the centre. False when one is at rest. */
static bool interpolate(struct image *image, const struct plate_nodes *p, double x, double y)
{
    const double low[2] = {floor(x), floor(y)}, part[2] = {x - low[0], y - low[1]};
    image->count = 0;
    for (int i = 0; i < 4; i++) {
        const double ix = low[0] + (i & 1), iy = low[1] + (i >> 1);
        const double weight = (i & 1 ? part[0] : 1.0 - part[0]) * (i >> 1 ? part[1] : 1.0 - part[1]);
        if (!(weight > 1e-9))
            continue;
        if (!plate_moves(p->plan, p->grid, ix, iy))
            return false;
        const double depth_there = depth(p, ix, iy);
        image->at[image->count] = (size_t)iy * p->matrix->nx + (size_t)ix;
        image->weight[image->count++] = weight / (depth_there * depth_there);
    }
    return true;
}

/* Moves radially inwards from the node until all four surrounding nodes move. Computed in one quadrant, so that the
 * plate has the symmetry of its grid. */
static struct image rim_image(const struct plate_nodes *p, size_t at)
{
    const size_t nx = p->matrix->nx, middle = (nx - 1) / 2;
    const double ix = (double)(at % nx) - (double)middle, iy = (double)(at / nx) - (double)middle, r = hypot(ix, iy);
    struct image image = {0};
    double inwards = fmin(r, (double)p->grid->cells);
    while (inwards > 0.0 && !interpolate(&image, p, inwards * fabs(ix) / r, inwards * fabs(iy) / r))
        inwards -= 0.02;
    for (size_t i = 0; i < image.count; i++) {
        const size_t x = image.at[i] % nx, y = image.at[i] / nx;
        image.at[i] = (iy < 0.0 ? middle - y : middle + y) * nx + (ix < 0.0 ? middle - x : middle + x);
        image.weight[i] *= depth(p, ix, iy) * depth(p, ix, iy);
    }
    return image;
}

/* Nodes outside the edge, which lies on nodes RIM - 1 and n - RIM. */
static struct image straight_image(const struct plate_nodes *p, size_t at)
{
    const size_t n[2] = {p->matrix->nx, p->matrix->ny};
    size_t place[2] = {at % n[0], at / n[0]};
    double weight = 1.0;
    for (int axis = 0; axis < 2; axis++) {
        const size_t low = RIM - 1, high = n[axis] - RIM;
        if (place[axis] >= low && place[axis] <= high)
            continue;
        place[axis] = 2 * (place[axis] < low ? low : high) - place[axis];
        weight = p->plan->edge == SURFACE_CLAMPED ? weight : -weight;
    }
    return (struct image){1, {place[1] * n[0] + place[0]}, {weight}};
}

static struct difference over_moving_nodes(const struct plate_nodes *p, const struct difference *d)
{
    struct difference moved = {0};
    for (size_t i = 0; i < d->count; i++) {
        const struct image image = p->matrix->active[d->at[i]]          ? (struct image){1, {d->at[i]}, {1.0}}
                                   : p->plan->outline == SURFACE_CIRCLE ? rim_image(p, d->at[i])
                                                                        : straight_image(p, d->at[i]);
        for (size_t k = 0; k < image.count; k++) {
            size_t same = 0;
            while (same < moved.count && moved.at[same] != image.at[k])
                same++;
            moved.at[same] = image.at[k];
            moved.term[same] += d->term[i] * image.weight[k];
            moved.count += same == moved.count;
        }
    }
    return moved;
}

static double share_of(const struct plate_nodes *p, size_t at)
{
    return plate_share(p->plan, p->grid, p->grid->first[0] + (double)(at % p->matrix->nx) * p->grid->spacing[0],
                       p->grid->first[1] + (double)(at / p->matrix->nx) * p->grid->spacing[1]);
}

/* Slopes of both curvatures along a link. */
static void add_dispersion(struct plate_nodes *p, size_t at, size_t to, double link)
{
    const double kappa_squared = p->plan->bending / p->plan->density;
    for (int axis = 0; axis < 2; axis++) {
        const struct difference here = plate_curvature(p, at, axis), there = plate_curvature(p, to, axis);
        const struct difference slope = difference_sum(&there, &here, -1.0), moved = over_moving_nodes(p, &slope);
        const double h = p->grid->spacing[axis];
        stiffness_add(p->part[PART_DISPERSION], p->matrix, &moved, kappa_squared * h * h / (6.0 * link * link));
    }
}

void plate_assemble_fixed(struct plate_nodes *p)
{
    static const double share_min = 0.2; /* smallest product of the areas at both ends of a link */
    const struct stiffness *s = p->matrix;
    const double kappa_squared = p->plan->bending / p->plan->density;
    for (size_t y = 1; y + 1 < s->ny; y++)
        for (size_t x = 1; x + 1 < s->nx; x++) {
            const size_t at = y * s->nx + x;
            const double share = share_of(p, at);
            if (!(share > 1e-9))
                continue;
            const struct difference along = plate_curvature(p, at, 0), across = plate_curvature(p, at, 1);
            const struct difference laplacian = difference_sum(&along, &across, 1.0),
                                    moved = over_moving_nodes(p, &laplacian);
            stiffness_add(p->part[PART_BENDING], s, &moved, kappa_squared * share);
            if (x + 2 < s->nx && share * share_of(p, at + 1) > share_min)
                add_dispersion(p, at, at + 1, p->grid->spacing[0]);
            if (y + 2 < s->ny && share * share_of(p, at + s->nx) > share_min)
                add_dispersion(p, at, at + s->nx, p->grid->spacing[1]);
        }
}
