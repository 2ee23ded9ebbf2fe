/* SPDX-License-Identifier: MIT */
/* Every kernel against the point-by-point reference of the cpu engine, bit for bit. */
#include "validate/cartesian7/kernels.h"

#include "validate/cartesian7/solid.h"
#include "validate/isotropic19/checks.h"

int check_isotropic19_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_19_POINT, e);
}

int check_isotropic19_solid(struct validation *v, struct report *r, struct error *e)
{
    return solid_check(v, r, STENCIL_19_POINT, e);
}
