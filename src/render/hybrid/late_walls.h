/* SPDX-License-Identifier: MIT */
/* Walls for rays: fraction of energy reflected by angle and band, and fraction of that scattered. */
#ifndef AULA_RENDER_HYBRID_LATE_WALLS_H
#define AULA_RENDER_HYBRID_LATE_WALLS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "geometry/rays/edges.h"

enum { LATE_BANDS_MAX = 48, LATE_ANGLES = 128 };

/* Bands of energies in ascending order; each begins where the previous one ends. */
struct late_bands {
    size_t count;
    double centre[LATE_BANDS_MAX], lower[LATE_BANDS_MAX], upper[LATE_BANDS_MAX]; /* Hz */
};

/* Octaves (1) or third octaves (3), 1000 Hz 2^(i/n), that cover lowest to highest, Hz; the last one
 * ends at highest. */
struct late_bands late_bands_make(int per_octave, double lowest, double highest);

/* Splits each band into `parts` parts of equal ratio; bands->count times parts is at most
 * LATE_BANDS_MAX. */
struct late_bands late_bands_split(const struct late_bands *bands, size_t parts);

/* A wall of a room, by the material numbers of a ray_scene. */
struct late_wall {
    bool fixed;                                       /* p = 0: |R| is 1 */
    float reflected[LATE_ANGLES + 1][LATE_BANDS_MAX]; /* |R|² at cos θ = (i/LATE_ANGLES)², mean over the band */
    float scattered[LATE_BANDS_MAX]; /* s: fraction of the reflected energy that leaves by Lambert's law */
};

/* Input of a wall. */
struct late_material {
    bool fixed;
    double complex (*admittance)(const void *context,
                                 double frequency); /* specific, at a frequency in Hz, e^{jωt}, Re Y >= 0 */
    const void *context;
    const double *scattering; /* [OCTAVE_BANDS], 0 to 1, interpolated over log frequency */
};

/* Scattering at a frequency, Hz, interpolated from octaves. */
double late_scattering_at(const double by_octave[OCTAVE_BANDS], double frequency);

/* |R|², R = (cos θ - Y)/(cos θ + Y), theory (26) and (85): plane-wave reflection by a locally
 * reacting wall of the wave solver's admittance, averaged over frequency like the energies of a
 * band. */
void late_wall_make(struct late_wall *wall, const struct late_material *material, const struct late_bands *bands);

/* Multiplies energy[i] of `count` bands from `first` by |R|² at an angle. */
void late_wall_reflect(float *energy, const struct late_wall *wall, size_t first, size_t count, double cosine);

/* Deflection of rays by edges: an edge deflects rays that pass it, more strongly the fewer
 * wavelengths away (U. M. Stephenson's energetic diffraction, from the uncertainty relation). At
 * the distance a, with b = a/λ, the deflection angle ε has, by theory (81) and (82), the density
 *
 *     p(ε) ∝ 1/(1 + 2 v²),  v = 2 · 6 b ε,  |ε| < π/2
 *
 * Its integral is an arctangent, and ε follows from a uniform random number. */

#define LATE_EDGE_REACH 3.0         /* wavelengths: farther edges deflect no ray */
#define LATE_EDGE_KEPT 0.1745329252 /* radians, 10 degrees: smaller deflections are left to image sources */
#define LATE_EDGE_HIGHEST 8000      /* Hz: highest centre of a band with deflection */
#define LATE_EDGE_TURNS 8           /* maximum number of edges that deflect a ray between two faces */

/* ε, radians, at a distance in wavelengths; uniform: -1 .. 1. */
double late_edge_angle(double wavelengths, double uniform);

/* Chance that |ε| is at most `angle`, radians, 0 .. π/2. */
double late_edge_chance(double wavelengths, double angle);

/* Rotates a unit vector about another one by an angle, radians. */
void late_edge_turn(double direction[3], const double axis[3], double angle);

#endif
