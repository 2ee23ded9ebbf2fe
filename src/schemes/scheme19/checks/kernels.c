/* SPDX-License-Identifier: MIT */
/* Every kernel against the point-by-point reference of the cpu engine, bit for bit. */
#include "schemes/leapfrog/checks/kernels.h"

#include "schemes/leapfrog/checks/solid.h"
#include "schemes/scheme19/checks/checks.h"

int check_scheme19_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_19_POINT, e);
}

int check_scheme19_solid(struct validation *v, struct report *r, struct error *e)
{
    return solid_check(v, r, STENCIL_19_POINT, e);
}
