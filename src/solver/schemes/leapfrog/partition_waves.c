/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/partition_waves.h"

#include <math.h>

/* With A₁₉ sin ωk = λ [1 - (2/3)(s₂ + s₃)] sin κ_x, theory (37). */
double complex partition_passed(enum air_stencil stencil, double courant_squared, const struct transmission *sheet,
                                double frequency, const double kappa[3])
{
    const double courant = sqrt(courant_squared);
    const double complex z = sheet->inertance + sheet->resistance / (2.0 * I * tan(M_PI * frequency));
    if (stencil == STENCIL_7_POINT)
        return 1.0 / (1.0 + I * courant * tan(0.5 * kappa[0]) * z);
    const double y = cos(0.5 * kappa[1]), across = cos(0.5 * kappa[2]);
    const double s = 2.0 - y * y - across * across; /* s₂ + s₃ */
    const double wave = courant * (1.0 - 2.0 / 3.0 * s) * sin(kappa[0]);
    return 1.0 / (1.0 + 0.5 * I * wave * z / (y * y * across * across));
}
