/* SPDX-License-Identifier: MIT */
/* The planes of a part of a grid that are its own. Those before and after them, its halos, are taken from its
 * neighbours (docs/scale.md); a whole grid has none. */
#ifndef AULA_CUDA_OWN_PLANES_CUH
#define AULA_CUDA_OWN_PLANES_CUH

extern "C" {
#include "solver/scheme.h"
}

struct own_planes {
    int first, end, count; /* count: of the part, halos included */

    explicit own_planes(const struct problem *p)
        : first((int)p->counted[0]), end((int)(p->counted[1] ? p->counted[1] : p->points[2])), count((int)p->points[2])
    {
    }

    bool has_halos() const
    {
        return first > 0 || end < count;
    }

    /* Of planes z0 .. z1 - 1: whether those at most `reach` before, or after, are in a halo. */
    bool reads_lower_halo(int z0, int reach) const
    {
        return first > 0 && z0 - reach < first;
    }

    bool reads_upper_halo(int z1, int reach) const
    {
        return end < count && z1 + reach > end;
    }
};

#endif
