/* SPDX-License-Identifier: MIT */
#include "room/grid/field_waves.h"

#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

static const double LOWEST = 0.002;

static double wavenumber_7(double frequency, const double direction[3], double courant_squared)
{
    return cartesian7_wavenumber_along(courant_squared, frequency, direction);
}

static double wavenumber_19(double frequency, const double direction[3], double courant_squared)
{
    (void)courant_squared;
    return isotropic19_wavenumber_along(frequency, direction);
}

static double wavenumber_mapped(double frequency, const double direction[3], double courant_squared)
{
    (void)courant_squared;
    return isotropic19_wavenumber_along(isotropic19_grid_frequency(frequency), direction);
}

struct grid_waves field_waves_of(enum air_stencil stencil, double courant_squared, bool mapped, bool drives)
{
    struct grid_waves waves = {.courant_squared = courant_squared,
                               .lowest = LOWEST,
                               .trapezoid = true,
                               .penalty = {1e-4, 1e-6, 1e-6, 1e-6, 1e-6}};
    if (stencil == STENCIL_7_POINT) {
        waves.wavenumber = wavenumber_7;
        waves.highest = 0.08;
        return waves;
    }
    waves.penalty[3] = 3e-7; /* less: plane waves come out better, but a source 16 cells away worse than -20 dB */
    waves.penalty[4] = 1e-7;
    waves.highest = mapped ? 0.217 : 0.178;
    waves.wavenumber = wavenumber_19;
    if (mapped && !drives) {
        waves.wavenumber = wavenumber_mapped;
        waves.trapezoid = false;
    }
    return waves;
}

double field_radius(enum air_stencil stencil, int order)
{
    /* 4.35: with 4.0, a position between points lacks those 4 cells away along an axis, and nulls of order 1 on the
     * mapped grid rise from -62 to -50 dB */
    if (order == 0)
        return 2.0; /* pressure alone: -54 dB, level within 0.02 dB */
    return stencil == STENCIL_19_POINT || order > 3 ? 4.35 : 3.2;
}
