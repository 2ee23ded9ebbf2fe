/* SPDX-License-Identifier: MIT */
/* One term of a wall's specific admittance Y(ω) = Σ 1/(jω inertance + resistance + stiffness/(jω)): a series RLC
 * branch, passive when none of the three is negative and not all are 0. */
#ifndef AULA_BASE_ACOUSTICS_BRANCH_H
#define AULA_BASE_ACOUSTICS_BRANCH_H

struct branch {
    double inertance;  /* D, s */
    double resistance; /* E */
    double stiffness;  /* F, 1/s */
};
enum { BRANCHES_MAX = 16 }; /* of a wall */

#endif
