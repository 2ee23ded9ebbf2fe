/* SPDX-License-Identifier: MIT */
/* Walls as rays see them: what part of the energy a wall reflects by angle and band, and what part of that it
 * scatters. */
#ifndef AULA_RENDER_HYBRID_LATE_WALLS_H
#define AULA_RENDER_HYBRID_LATE_WALLS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

enum { LATE_BANDS_MAX = 48, LATE_ANGLES = 128 };

/* Bands of energies, from low to high; each begins where the one before ends. */
struct late_bands {
    size_t count;
    double centre[LATE_BANDS_MAX], lower[LATE_BANDS_MAX], upper[LATE_BANDS_MAX]; /* Hz */
};

/* Octaves (1) or third octaves (3), 1000 Hz 2^(i/n), that hold lowest to highest, Hz; the last one ends at highest. */
struct late_bands late_bands_make(int per_octave, double lowest, double highest);

/* Each of the bands in so many parts of the same ratio; bands->count times parts is LATE_BANDS_MAX at most. */
struct late_bands late_bands_split(const struct late_bands *bands, size_t parts);

/* A wall of a room; materials are numbered as the faces of a ray_scene number them. */
struct late_wall {
    bool fixed;                                       /* p = 0: |R| is 1 */
    float reflected[LATE_ANGLES + 1][LATE_BANDS_MAX]; /* |R|² at cos θ = (i/LATE_ANGLES)², mean over the band */
    float scattered[LATE_BANDS_MAX]; /* s: the part of the reflected energy that leaves by Lambert's law */
};

/* What walls are made from. */
struct late_material {
    bool fixed;
    double complex (*admittance)(const void *context, double frequency); /* specific, at Hz, e^{jωt}, Re Y >= 0 */
    const void *context;
    const double *scattering; /* [OCTAVE_BANDS], 0 to 1, between whose centres it is interpolated over log frequency */
};

/* Scattering at a frequency, Hz, from that by octave. */
double late_scattering_at(const double by_octave[OCTAVE_BANDS], double frequency);

/* |R|², R = (cos θ - Y)/(cos θ + Y), theory (26) and (85): the plane-wave reflection of a locally reacting wall of the
 * admittance that waves meet. Mean over frequency, as energies of a band are. */
void late_wall_make(struct late_wall *wall, const struct late_material *material, const struct late_bands *bands);

/* |R|² in each band at an angle: energy[i] *= it for `count` bands from `first`. */
void late_wall_reflect(float *energy, const struct late_wall *wall, size_t first, size_t count, double cosine);

#endif
