/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/wind_impedance.h"

#include <math.h>
#include <stdlib.h>

#include "base/complex_numbers.h"

/* A wave e^{jωt} in the difference equations: (U⁺ - U)/k becomes (2j/k) sin(ωk/2), a mean of two steps cos(ωk/2), and
 * their ratio jΩ. */
double complex bore_admittance(const struct bore *b, double omega, const double complex *shunt)
{
    const double k = b->grid.time_step, half = 0.5 * omega * k;
    const double complex slope = complex_of(0.0, 2.0 / k * sin(half)), warped = complex_of(0.0, 2.0 / k * tan(half));
    double complex drag = b->loss.resistance;
    for (size_t i = 0; i < WALL_BRANCHES; i++)
        if (b->loss.branch[i] > 0.0)
            drag += b->loss.branch[i] * complex_product(warped, complex_reciprocal(b->loss.rate[i] + warped));
    double complex y = 0.0;
    for (size_t i = b->cells; i-- > 0;) {
        const double modulus = b->grid.density * b->grid.sound_speed * b->grid.sound_speed;
        y += slope * (b->volume[i] / modulus);
        if (shunt)
            y += cos(half) * shunt[i];
        if (i == 0)
            break;
        const double complex z = slope * (k * bore_inertance(b, i)) + cos(half) * b->wall[i] * drag;
        y = complex_reciprocal(complex_reciprocal(y) + z);
    }
    return y;
}

double complex opening_admittance(const struct opening *o, const struct bore_grid *grid, double conductance,
                                  double warped)
{
    if (!(conductance > 0.0))
        return 0.0;
    double complex z = complex_of(1.0 / conductance, warped * o->inertance);
    const double turn = 1.0 / o->load_share - 1.0; /* R k/2L of the load */
    if (turn > 0.0)
        z += o->load_resistance * complex_reciprocal(complex_of(1.0, -2.0 * turn / (grid->time_step * warped)));
    return complex_reciprocal(z);
}

int wind_impedance(const struct wind *w, double frequency, const double *conductance, double complex *impedance)
{
    const double omega = 2.0 * M_PI * frequency, k = w->bore.grid.time_step;
    double complex *shunt = calloc(w->bore.cells, sizeof *shunt);
    if (!shunt)
        return -1;
    for (size_t i = 0; i < w->opening_count; i++)
        shunt[w->openings[i].cell] = opening_admittance(&w->openings[i], &w->bore.grid,
                                                        i == 0        ? (double)INFINITY
                                                        : conductance ? conductance[i]
                                                                      : 0.0,
                                                        2.0 / k * tan(0.5 * omega * k));
    *impedance = complex_reciprocal(bore_admittance(&w->bore, omega, shunt));
    free(shunt);
    return 0;
}
