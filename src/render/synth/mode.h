/* SPDX-License-Identifier: MIT */
/* One mode of a vibrating body as an oscillator, and its decay; shared by lines, membranes and plates. */
#ifndef AULA_RENDER_SYNTH_MODE_H
#define AULA_RENDER_SYNTH_MODE_H

#include "base/error.h"

/* The amplitude of a mode of angular frequency ω decays as exp(-σ t), σ = σ0 + σ1 ξ(ω), as -2ρA σ0 u_t + 2ρA σ1 u_txx
 * gives for a supported line (theory (59) to (62)). ξ, the squared wavenumber of the oscillating part of the shape,
 * follows from the dispersion relation ω² = ξ (c² + κ² ξ). T60 = 3 ln 10/σ. */
struct line_decay {
    double sigma0; /* 1/s */
    double sigma1; /* m²/s */
};

/* ξ(ω), 1/m², at `frequency`, Hz. c², m²/s², and κ², m⁴/s², are not both 0. */
double dispersion_wavenumber_squared(double tension_over_density /* c² */, double bending_over_density /* κ² */,
                                     double frequency);

/* The decay with T60 t60[i], s, at frequency[i], Hz, in either order; INFINITY if both are. Refuses, with a remedy,
 * T60s that grow with frequency (σ1 < 0: modes would grow above some frequency) and T60s that decrease faster than the
 * squared wavenumber increases (σ0 < 0: modes would grow below some frequency). */
int decay_from_times(struct line_decay *d, double tension_over_density /* c² */, double bending_over_density /* κ² */,
                     const double frequency[2], const double t60[2], struct error *e);

/* q⁺ = now q - before q⁻ + gain f, with f the force on the mode in N: Σ φ(x_i) F_i. */
struct mode_step {
    double now, before;
    double gain; /* m/N */
};

/* Exact step of k seconds of a mode of `frequency` Hz that decays as exp(-sigma t), theory (63):
 *     (1 + σ̃k) q⁺ = (2 - ω̃²k²) q - (1 - σ̃k) q⁻ + (sin ωk/ωk) k² f/m,
 *     σ̃ = tanh(σk)/k,  2 - ω̃²k² = 2 cos(ωk)/cosh(σk)
 * with the exact response to a force of one step, up to cosh σk. Its energies are those of the mass
 * m ωk/sin ωk. Frequency 0 is a rigid-body mode, (1 + σ̃k) q⁺ = 2q - (1 - σ̃k) q⁻ + k² f/m: its velocity
 * decays as exp(-2σt) and its displacement keeps the value it reaches. NaNs unless 0 <= ω k < π, sigma >=
 * 0 and mass > 0. */
struct mode_step mode_step(double frequency /* Hz */, double sigma /* 1/s */, double mass /* kg */, double k /* s */);

#endif
