/* SPDX-License-Identifier: MIT */
/* Parameters of the 7-point leapfrog scheme for the 3D wave equation, independent of any grid.
 *
 * λ = c k / X; frequencies are normalized, f/fs, unless a function states Hz. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_LEAPFROG_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_LEAPFROG_H

#include "base/error.h"
#include "solver/scheme.h"
#include "solver/schemes/leapfrog/problem.h"

extern const struct scheme cartesian7_scheme;

/* Checks that hold for any stencil: refuses empty grids, walls that are not passive, and
 * channels without a point. */
int leapfrog_check(const struct problem *p, struct error *e);

/* λ² for a Courant number λ (0: the largest below the limit 1/sqrt(3), theory (8)), truncated to
 * a multiple of 2^-21 so that K λ² and 2 - λ² K are exact in single precision for K = 0..6 and
 * any λ (20 bits remain at the limit). Otherwise rounding would make the seven coefficients miss
 * their exact sum and drive the constant mode. Both precisions use the same λ², and solve the
 * same equation. Fails above the limit, where the scheme is unstable. */
int cartesian7_courant_squared(double courant, double *courant_squared, struct error *e);

/* Phase velocity over c of a plane wave along an axis (the worst direction), theory (9): sin²(π f) = λ² sin²(κ/2). NaN
 * above the cut-off frequency. */
double cartesian7_axial_velocity(double courant_squared, double frequency);

/* Highest normalized frequency whose phase-velocity error stays within `dispersion` (0.02: 2 %)
 * in every direction. */
double cartesian7_valid_frequency(double courant_squared, double dispersion);

/* λ² and the viscosity λ² τ/k of lossy air: p_tt = c²∇²p + c²τ ∇²p_t, theory (21) to (23), t =
 * τ/k. Stable for λ² (1 + 2 t) <= 1/3; λ is lowered if necessary. The viscosity is a multiple of
 * 2^-23, so that the coefficients of theory (22) are exact as above; for t > 0 it is not 0.
 * Fails in the same cases as cartesian7_courant_squared. */
int cartesian7_viscosity(double courant, double t, double *courant_squared, double *viscosity, struct error *e);

/* Wavenumber times X along the normal, at normal incidence: sin(π f) = λ sin(κ/2). */
double cartesian7_wavenumber(double courant_squared, double frequency);

/* κ of a plane wave in a direction (unit vector), by Newton's method, in the valid band, theory (9): Σ sin²(κ d_i/2) =
 * sin²(π frequency)/λ². */
double cartesian7_wavenumber_along(double courant_squared, double frequency, const double direction[3]);

/* Specific admittance Ŷ = (re, im) of a wall in the time scheme, theory (31): branches in units of the time step under
 * the bilinear map jω -> 2j tan(π f). A real admittance is unchanged. */
void cartesian7_admittance(const struct branch *branches, size_t count, double real, double frequency,
                           double admittance[2]);

/* Reflection factor (re, im) on the grid of a plane wave with the normal wavenumber kappa/X at a wall of specific
 * admittance Ŷ, theory (36): R = (A - e^{iκ/2})/(A + e^{-iκ/2}), A = 2 λ sin(κ/2) / (Ŷ sin ωk). Ŷ = 0 gives 1. */
void cartesian7_reflection(double courant_squared, const double admittance[2], double frequency, double kappa,
                           double reflection[2]);

/* Names of C. J. Webb's (2013) kernels for the leapfrog scheme on a GPU. Their variants are
 * kernels that are not listed. */

/* Bits of a variant: p through the read-only cache; a large first-level cache and little shared
 * memory. */
enum { WEBB_READ_ONLY = 1, WEBB_PREFER_L1 = 2, WEBB_VARIANTS = 4 };

/* Appended to the kernel's name. */
#define WEBB_READ_ONLY_SUFFIX "-read-only"
#define WEBB_PREFER_L1_SUFFIX "-prefer-l1"

enum { WEBB_KERNELS = 6 };

/* The name of a variant of one of the six kernels; any other name, or NULL, is returned
 * unchanged. */
const char *webb_kernel(const char *name, unsigned variant);

#endif
