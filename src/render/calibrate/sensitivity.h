/* SPDX-License-Identifier: MIT */
/* How parameters follow from absorption, by the share of the decaying energy that each material takes. Pure. */
#ifndef AULA_RENDER_CALIBRATE_SENSITIVITY_H
#define AULA_RENDER_CALIBRATE_SENSITIVITY_H

#include <stddef.h>

/* ∂ ln T/∂ ln a of rays, a = -ln(1 - α) of the material: it takes the share `share` of the energy that leaves the field
 * (the air takes a share as well), and `mean` is the fraction of the energy that all walls take at a reflection. In a
 * diffuse field the rate of decay is (c/l) (-ln(1 - ᾱ)), ᾱ = Σ S α/S, so that
 *     ∂ ln T/∂ ln a = -w (1 - α) a/α · ᾱ/((1 - ᾱ)(-ln(1 - ᾱ))). */
double calibrate_slope(double share, double absorption, double mean);

/* The same after a material's a has changed by the factors [count], where only shares at the old values are known: each
 * share grows with its factor, and all of them with the rest are 1 again. */
void calibrate_scale_shares(double *shares, const double *factors, size_t count);

/* dC80/d ln T, dB, of an exponential decay of T seconds: C80 = 10 lg(e^q - 1), q = 6 ln 10 · 0.08 s/T. */
double calibrate_clarity_slope(double time);

/* Standard deviation of ln T20 or ln T30 from one impulse response in an octave of `centre` Hz by the statistics of a
 * diffuse field: 0.88 sqrt((1 + 1.9/n)/(B T)), and 0.55 with 1.52 for T30, B = 0.71 centre, n = 10 (ISO 3382-2:2008, 7.1;
 * the ITA-Toolbox quotes factors and bandwidth, and decays of noise confirm them within 10 %: docs/results/decisions.md).
 * EDT, which the standard leaves out, counts as twice T20. range: 10, 20, 30 dB. */
double calibrate_time_deviation(double time, double centre, double range);

#endif
