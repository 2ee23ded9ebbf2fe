/* SPDX-License-Identifier: MIT */
/* Every kernel against the point-by-point reference of the cpu engine, bit for bit. */
#include "validate/leapfrog/kernels.h"

#include "validate/leapfrog/solid.h"
#include "validate/scheme19/checks.h"

int check_scheme19_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_19_POINT, e);
}

int check_scheme19_solid(struct validation *v, struct report *r, struct error *e)
{
    return solid_check(v, r, STENCIL_19_POINT, e);
}
