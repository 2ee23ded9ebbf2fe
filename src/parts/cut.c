/* SPDX-License-Identifier: MIT */
#include "parts/cut.h"

#include <stdlib.h>

#include "schemes/leapfrog/problem.h"

enum { HALO_MAX = 8 /* steps of a temporal block of the cpu engine */, HALOS_A_PART = 8 };

size_t cut_halo(size_t planes, size_t parts)
{
    const size_t halo = planes / parts / HALOS_A_PART;
    return halo < 1 ? 1 : halo > HALO_MAX ? HALO_MAX : halo;
}

/* Points of air of each plane, about: with the 19-point stencil half of the voxels on either side. One more: every plane
 * costs something. sums[z + 1]: of the planes up to z. */
static void sum_air(double *sums, const struct problem *p)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const bool corners = l->stencil == STENCIL_19_POINT;
    double below = 0.0;
    sums[0] = 0.0;
    for (size_t z = 0; z < p->points[2]; z++) {
        double air = 0.0;
        for (size_t y = 0; y < voxel_set_count(l->voxels, 1); y++) {
            const struct voxel_row row = voxel_set_row(l->voxels, y, z); /* beyond the set: no air */
            for (size_t i = 0; i < row.air_count; i++)
                air += (double)(row.air[i].end - row.air[i].start);
        }
        sums[z + 1] = sums[z] + 1.0 + (corners ? 0.5 * (below + air) : air);
        below = air;
    }
}

int cut_grid(struct slab *slabs, size_t parts, const struct problem *p, size_t halo, struct error *e)
{
    const size_t planes = p->points[2], most = planes / parts;
    if (most == 0)
        return fail(e, ERROR_USAGE, "%zu parts: the grid has %zu planes along z, which make as many parts at most",
                    parts, planes);
    halo = halo ? halo : cut_halo(planes, parts);
    halo = halo < most ? halo : most;
    double *sums = malloc((planes + 1) * sizeof *sums);
    if (!sums)
        return fail(e, ERROR_MEMORY, "out of memory for %zu parts", parts);
    sum_air(sums, p);
    for (size_t k = 0, z = 0; k < parts; k++) {
        const double wanted = sums[planes] * (double)(k + 1) / (double)parts;
        const size_t last = planes - (parts - k - 1) * halo; /* leaves a halo for each further part */
        slabs[k] = (struct slab){.first = z, .below = k ? halo : 0, .above = k + 1 < parts ? halo : 0};
        z += halo;
        while (z < last && (k + 1 == parts || 0.5 * (sums[z] + sums[z + 1]) < wanted))
            z++;
        slabs[k].end = z;
    }
    free(sums);
    return 0;
}
