/* SPDX-License-Identifier: MIT */
/* Walls for rays: fraction of energy reflected by angle and band, and fraction of that scattered. */
#ifndef AULA_RENDER_HYBRID_LATE_WALLS_H
#define AULA_RENDER_HYBRID_LATE_WALLS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "render/hybrid/late_reflection.h"

/* Octaves (1) or third octaves (3), 1000 Hz 2^(i/n), that cover lowest to highest, Hz; the last one
 * ends at highest. */
struct late_bands late_bands_make(int per_octave, double lowest, double highest);

/* Splits each band into `parts` parts of equal ratio; bands->count times parts is at most
 * LATE_BANDS_MAX. */
struct late_bands late_bands_split(const struct late_bands *bands, size_t parts);

/* Input of a wall. */
struct late_material {
    bool fixed;
    double complex (*admittance)(const void *context,
                                 double frequency); /* specific, at a frequency in Hz, e^{jωt}, Re Y >= 0 */
    const void *context;
    const double *scattering; /* [OCTAVE_BANDS], 0 to 1, interpolated over log frequency */
    double mass;       /* m/(ρc), s, of a sheet that lets sound through to the same admittance behind it; 0: none */
    double resistance; /* r/(ρc) of that sheet */
};

/* Of a plane wave that meets a sheet of ζ = resistance + jω mass, whose sides have the admittances Y₁ and Y₂, theory
 * (85a): with a = cos θ + Y₁ and b = cos θ + Y₂, the pressure that goes on, T = 2 cos θ/(a + b + ζ a b), and that
 * reflected, R = T (1 + ζ b) - 1. |R|² + |T|² is at most 1, and with Y = 0 |T|⁻² = |1 + ζ cos θ/2|². */
struct late_sheet {
    double complex passed, reflected;
};
struct late_sheet late_sheet_at(double complex sheet, double complex front, double complex behind, double cosine);

/* Scattering at a frequency, Hz, interpolated from octaves. */
double late_scattering_at(const double by_octave[OCTAVE_BANDS], double frequency);

/* |R|², R = (cos θ - Y)/(cos θ + Y), theory (26) and (85): plane-wave reflection by a locally
 * reacting wall of the wave solver's admittance, averaged over frequency like the energies of a
 * band. */
void late_wall_make(struct late_wall *wall, const struct late_material *material, const struct late_bands *bands);

/* The wall of two materials that let sound through, for rays that meet the first: its sheet has both masses and
 * resistances, and the second admittance behind it. */
void late_wall_make_pair(struct late_wall *wall, const struct late_material *front, const struct late_material *behind,
                         const struct late_bands *bands);

/* Chance that |ε| of an edge's deflection is at most `angle`, radians, 0 .. π/2. */
double late_edge_chance(double wavelengths, double angle);

#endif
