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
#include "geometry/rays/edges.h"

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

/* Diffraction of rays: an edge turns rays that pass it, the more so the closer they pass in wavelengths (U. M.
 * Stephenson's energetic diffraction, from the uncertainty relation). With the distance a, b = a/λ, the density of the
 * angle ε is, by theory (81) and (82),
 *
 *     p(ε) ∝ 1/(1 + 2 v²),  v = 2 · 6 b ε,  |ε| < π/2
 *
 * Its integral is an arctangent, so that ε follows from a number that is uniform. */

#define LATE_EDGE_REACH 3.0         /* wavelengths: edges further away turn no ray */
#define LATE_EDGE_KEPT 0.1745329252 /* radians, 10 degrees: rays that are turned by less are left to image sources */
#define LATE_EDGE_HIGHEST 8000      /* Hz: of the centre of a band in which they do */
#define LATE_EDGE_TURNS 8           /* edges that turn a ray between two faces, at most */

/* ε, radians, at a distance of so many wavelengths; uniform: -1 .. 1. */
double late_edge_angle(double wavelengths, double uniform);

/* The chance that |ε| is at most `angle`, radians, 0 .. π/2. */
double late_edge_chance(double wavelengths, double angle);

/* Turns a unit vector about another by an angle, radians. */
void late_edge_turn(double direction[3], const double axis[3], double angle);

#endif
