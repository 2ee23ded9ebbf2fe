/* SPDX-License-Identifier: MIT */
/* Rigid boxes against the sum of their modes on the grid: Π cos(π m_i x_i/N_i), m_i = 0..N_i. */
#include "validate/cartesian7/modes.h"

#include "validate/isotropic19/checks.h"

enum { BOXES = 5 };

int check_isotropic19_modes(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < BOXES; i++)
        if (modes_check_box(v, r, "modes", STENCIL_19_POINT, 0.0, e))
            return -1;
    return 0;
}
