/* SPDX-License-Identifier: MIT */
#include "solver/schemes/isotropic19/scheme.h"

#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

static const char *const arrays[] = {"p", "p_previous", NULL};

static int check(const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    if (l->stencil != STENCIL_19_POINT || !(l->courant_squared == ISOTROPIC19_COURANT_SQUARED))
        return fail(e, ERROR_ENGINE,
                    "the 19-point scheme is stepped with a squared Courant number of 765/1024, not %.9g",
                    l->courant_squared);
    if (!(l->viscosity == 0.0) || l->bodies)
        return fail(e, ERROR_ENGINE,
                    "the 19-point scheme has neither lossy air nor instruments yet: step the 7-point scheme");
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] < 2)
            return fail(e, ERROR_ENGINE, "a grid of %zu x %zu x %zu points has no voxel between them", p->points[0],
                        p->points[1], p->points[2]);
    return leapfrog_check(p, e);
}

const struct scheme isotropic19_scheme = {
    .name = "isotropic19",
    .arrays = arrays,
    .array_count = 2,
    .stepped = 2,
    .radius = 1,
    .flops_per_point = 14.0, /* with sums shared between neighbours in a plane and between planes */
    .values_per_point = 3,
    .check = check,
};
