/* Every kernel against the point-by-point reference of the cpu engine, bit for bit. */
#include "schemes/leapfrog/checks/kernels.h"

#include "schemes/scheme19/checks/checks.h"

int check_scheme19_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_19_POINT, e);
}
