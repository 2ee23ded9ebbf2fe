/* SPDX-License-Identifier: MIT */
#include "base/acoustics/branch_admittance.h"

static double complex of_three(const struct branch *b, double complex s)
{
    return s * b->inertance + b->resistance + b->stiffness / s;
}

double complex branch_admittance(const struct branch *branches, size_t count, double complex s)
{
    double complex sum = 0.0;
    for (size_t m = 0; m < count; m += 1 + branches[m].tanks) {
        double complex z = of_three(&branches[m], s);
        for (size_t t = m + 1; t <= m + branches[m].tanks && t < count; t++)
            z += 1.0 / of_three(&branches[t], s);
        sum += 1.0 / z;
    }
    return sum;
}
