/* SPDX-License-Identifier: MIT */
/* Linear stability of a reed or lips on a bore. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/complex_numbers.h"
#include "solver/schemes/bodies/wind_impedance.h"

static const double FREQUENCY_STEP = 6e-4; /* relative: 1 cent, between which frequencies are interpolated */

/* What the reed sees, at `count` frequencies. */
struct seen {
    size_t count;
    double *omega;
    double complex *impedance;
};

/* U/p of the linear reed at ω for the mean pressure p_m across it: jet and swept flow. */
static double complex reed_admittance(const struct reed *r, double lips, double density, double omega, double pressure)
{
    const double stiffness = reed_stiffness(r, lips), ratio = lips > 0.0 ? lips / r->frequency : 1.0;
    const double opening = r->opening - r->sign * r->area * pressure / stiffness, root = sqrt(pressure);
    const double complex move =
        r->sign * r->area *
        complex_reciprocal(complex_of(stiffness - r->mass * omega * omega, r->mass * omega * r->damping * ratio));
    const double complex jet = r->width * sqrt(2.0 / density) * (root * move - fmax(opening, 0.0) / (2.0 * root));
    return jet - r->sign * r->area * complex_product(complex_of(0.0, omega), move);
}

/* Whether a frequency has a loop gain Z U/p that is real and at least 1; *frequency: the first of these. */
static bool is_unstable(const struct wind *w, double lips, const struct seen *seen, double pressure, double *frequency)
{
    const double *omega = seen->omega;
    double complex before = 0.0;
    for (size_t i = 0; i < seen->count; i++) {
        const double complex loop = complex_product(
            seen->impedance[i], reed_admittance(&w->reed, lips, w->bore.grid.density, omega[i], pressure));
        if (i && cimag(before) * cimag(loop) < 0.0 && creal(before) >= 1.0) {
            const double share = cimag(before) / (cimag(before) - cimag(loop));
            *frequency = (omega[i - 1] + share * (omega[i] - omega[i - 1])) / (2.0 * M_PI);
            return true;
        }
        before = loop;
    }
    return false;
}

double wind_threshold(const struct wind *w, double lips, const double *conductance, double low, double high,
                      double *frequency)
{
    struct seen seen = {.count = 2 + (size_t)(log(high / low) / FREQUENCY_STEP)};
    double found = NAN;
    seen.omega = calloc(seen.count, sizeof *seen.omega);
    seen.impedance = calloc(seen.count, sizeof *seen.impedance);
    if (!seen.omega || !seen.impedance)
        goto done;
    for (size_t i = 0; i < seen.count; i++) {
        const double f = low * pow(high / low, (double)i / (double)(seen.count - 1));
        seen.omega[i] = 2.0 * M_PI * f;
        if (wind_impedance(w, f, conductance, &seen.impedance[i]))
            goto done;
    }
    for (double pressure = 50.0; pressure < 30000.0 && !(found > 0.0); pressure *= 1.005)
        found = is_unstable(w, lips, &seen, pressure, frequency) ? pressure : NAN;
done:
    free(seen.omega);
    free(seen.impedance);
    return found;
}
