/* One mode of a vibrating body as an oscillator, and how fast it decays: the same for lines, membranes and plates. */
#ifndef AULA_SYNTH_MODE_H
#define AULA_SYNTH_MODE_H

#include "base/error.h"

/* The amplitude of a mode of frequency ω falls as exp(-σ t), σ = σ0 + σ1 ξ(ω): what -2ρA σ0 u_t + 2ρA σ1 u_txx do to a
 * supported line (PHYSICS section 3). ξ, the squared wavenumber of the part of the shape that oscillates, comes from
 * the dispersion ω² = ξ (c² + κ² ξ). T60 = 3 ln 10/σ. */
struct line_decay {
    double sigma0; /* 1/s */
    double sigma1; /* m²/s */
};

/* ξ(ω) in 1/m² at `frequency` in Hz. c² in m²/s² and κ² in m⁴/s² are not both 0. */
double dispersion_wavenumber_squared(double tension_over_density /* c² */, double bending_over_density /* κ² */,
                                     double frequency);

/* The decay that has t60[i] s at frequency[i] Hz, in either order; a T60 may be INFINITY if both are. Refuses, and says
 * what would do, T60s that grow with frequency (σ1 < 0: above some frequency modes would grow) and those that fall
 * faster than the square of the wavenumber rises (σ0 < 0: below some frequency modes would grow). */
int decay_from_times(struct line_decay *d, double tension_over_density /* c² */, double bending_over_density /* κ² */,
                     const double frequency[2], const double t60[2], struct error *e);

/* q⁺ = now q - before q⁻ + gain f, with f the force on the mode in N: Σ φ(x_i) F_i. */
struct mode_step {
    double now, before;
    double gain; /* m/N */
};

/* The step of k seconds of a mode that swings at `frequency` Hz and falls as exp(-sigma t), both exactly:
 *     (1 + σ̃k) q⁺ = (2 - ω̃²k²) q - (1 - σ̃k) q⁻ + k² f/m,  σ̃ = tanh(σk)/k,  2 - ω̃²k² = 2 cos(ωk)/cosh(σk).
 * Frequency 0 is a mode that nothing holds, (1 + σ̃k) q⁺ = 2q - (1 - σ̃k) q⁻ + k² f/m: its velocity falls as exp(-2σt), as
 * that of any mode would if its spring were taken away, and its displacement stays where it comes to rest.
 * What a short push leaves swings with ωk/sin(ωk) times its true amplitude: 1.01 at a twelfth of the rate.
 * NaNs unless 0 <= ω k < π, sigma >= 0 and mass > 0. */
struct mode_step mode_step(double frequency /* Hz */, double sigma /* 1/s */, double mass /* kg */, double k /* s */);

#endif
