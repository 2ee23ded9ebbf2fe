/* SPDX-License-Identifier: MIT */
#include "geometry/model_size.h"

#include <math.h>

#include "base/transport/gather.h"

/* Parts of a voxel as whole numbers, which slabs and threads may add in any order. */
static const double UNITS = 0x1p30;

/* What a voxel has beyond the half of its link at a side. */
struct end {
    double beyond;
    const double *normal; /* of the triangle there; NULL: none, or a solid */
};

static struct end end_of(const struct room_cuts *r, const size_t voxel[3], int side)
{
    const bool from_upper = side % 2 == 0;
    struct end end = {0.0, NULL};
    size_t count;
    const crossing *c = cuts_on_link(&count, r, voxel, side);
    for (size_t i = 0; i < count && !end.normal; i++) { /* the voxel's nearest first */
        const crossing at = c[from_upper ? count - 1 - i : i];
        if (crossing_is_seal(at))
            continue;
        if (crossing_element(at) >= r->snapped.count)
            return end;
        end.normal = r->snapped.triangles[crossing_element(at)].normal;
        const double place = crossing_place(at) / 65536.0, square = end.normal[side / 2] * end.normal[side / 2];
        end.beyond = ((from_upper ? 1.0 - place : place) - 0.5) * square;
    }
    return end;
}

/* Pairs are counted with the lower of their axes. */
static double part_beyond(const struct room_cuts *r, const size_t voxel[3], int side)
{
    const struct end end = end_of(r, voxel, side);
    double part = end.beyond;
    for (int other = 2 * (side / 2 + 1); other < FACES && end.normal; other++) {
        const struct end with = end_of(r, voxel, other);
        double cosine = 0.0;
        for (int k = 0; k < 3 && with.normal; k++)
            cosine += end.normal[k] * with.normal[k];
        part += end.beyond * with.beyond * (1.0 - cosine * cosine);
    }
    return part;
}

void model_size_add(struct areas *a, const struct room_cuts *r, const struct cut_link *link)
{
    size_t upper[3] = {link->lower[0], link->lower[1], link->lower[2]};
    upper[link->axis]++;
    int64_t more = link->air[0] ? llround(UNITS * part_beyond(r, link->lower, 2 * link->axis + 1)) : 0;
    more += link->air[1] ? llround(UNITS * part_beyond(r, upper, 2 * link->axis)) : 0;
#pragma omp atomic
    a->beyond += more;
}

static void extend(struct voxel_report *report, const struct room_cuts *r, const struct snapped_triangle *t)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const double voxels = (double)t->corner[i][k] / SNAP_UNITS - (double)r->shift;
            const double place = r->lattice->origin[k] + voxels * r->lattice->spacing;
            report->model_low[k] = fmin(report->model_low[k], place);
            report->model_high[k] = fmax(report->model_high[k], place);
        }
}

int model_size_find(struct voxel_report *report, struct areas *a, const struct room_cuts *r, struct error *e)
{
    uint64_t sums[2] = {a->voxels, (uint64_t)a->beyond}; /* what is negative wraps */
    if (gather_sums(r->transport, sums, 2, e))
        return -1;
    const double voxel = pow(r->lattice->spacing, 3.0);
    report->model_volume = voxel * ((double)sums[0] + (double)(int64_t)sums[1] / UNITS);
    for (int k = 0; k < 3; k++) {
        report->model_low[k] = INFINITY;
        report->model_high[k] = -INFINITY;
    }
    for (size_t i = 0; i < r->snapped.count; i++) {
        const uint32_t *sides = a->triangles[i].sides;
        if (sides[0] || sides[1] || sides[2])
            extend(report, r, &r->snapped.triangles[i]);
    }
    return 0;
}
