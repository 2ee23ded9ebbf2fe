/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/wind_impedance.h"

#include <math.h>
#include <stdlib.h>

#include "base/complex_numbers.h"

/* A wave e^{jωt} in the difference equations: (U⁺ - U)/k becomes (2j/k) sin(ωk/2), a mean of two steps cos(ωk/2), and
 * their ratio jΩ. */
double complex bore_admittance(const struct bore *b, double omega, const double complex *shunt,
                               const double complex *cross)
{
    const double k = b->grid.time_step, half = 0.5 * omega * k;
    const double complex slope = complex_of(0.0, 2.0 / k * sin(half)), warped = complex_of(0.0, 2.0 / k * tan(half));
    double complex drag = b->loss.resistance;
    for (size_t i = 0; i < WALL_BRANCHES; i++)
        if (b->loss.branch[i] > 0.0)
            drag += b->loss.branch[i] * complex_product(warped, complex_reciprocal(b->loss.rate[i] + warped));
    const double modulus = b->grid.density * b->grid.sound_speed * b->grid.sound_speed;
    double complex y = 0.0, face = 0.0; /* of the cells eliminated so far, of the last face between them */
    for (size_t i = b->cells; i-- > 0;) {
        const double complex link = i + 1 < b->cells ? cos(half) * cross[i] - face : 0.0;
        double complex own = slope * (b->volume[i] / modulus) + cos(half) * shunt[i] + face;
        if (i + 1 < b->cells)
            own -= complex_product(complex_product(link, link), complex_reciprocal(y));
        face = i ? complex_reciprocal(slope * (k * bore_inertance(b, i)) + cos(half) * b->wall[i] * drag) : 0.0;
        y = own + face;
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
    double complex *shunt = calloc(2 * w->bore.cells, sizeof *shunt), *cross = shunt + w->bore.cells;
    if (!shunt)
        return -1;
    for (size_t i = 0; i < w->opening_count; i++) {
        const struct opening *o = &w->openings[i];
        const double g = i + 1 == w->opening_count ? (double)INFINITY : conductance ? conductance[i] : 0.0;
        const double complex y = opening_admittance(o, &w->bore.grid, g, 2.0 / k * tan(0.5 * omega * k));
        shunt[o->cell] += y * ((1.0 - o->share) * (1.0 - o->share));
        cross[o->cell] += y * ((1.0 - o->share) * o->share);
        if (o->share > 0.0)
            shunt[o->cell + 1] += y * (o->share * o->share);
    }
    *impedance = complex_reciprocal(bore_admittance(&w->bore, omega, shunt, cross));
    free(shunt);
    return 0;
}
