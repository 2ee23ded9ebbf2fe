/* SPDX-License-Identifier: MIT */
/* Minimum phase from a magnitude. Of all causal filters with this magnitude, the minimum-phase filter delays the energy
 * least. */
#ifndef AULA_DSP_MINIMUM_PHASE_H
#define AULA_DSP_MINIMUM_PHASE_H

#include <stddef.h>

#include "base/error.h"
#include "dsp/fourier.h"

/* re [length]: ln|H| of a real filter at the bins of `f`, in the transform's order, unchanged except for rounding; im
 * [length] gets the minimum phase, in radians, in that order: the Hilbert transform of ln|H|, by folding the cepstrum
 * onto positive times (A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal Processing", 1989, section 12.8). The
 * cepstrum is aliased: the length has to be many times the filter's. */
void minimum_phase(const struct fourier *f, double *re, double *im);

/* taps [2 half + 1], symmetric about `half`, of amplitude A(ω), become the causal minimum-phase filter of as many taps
 * with magnitude √(A² + floor²). The floor moves the zeros of A off the unit circle, where the phase jumps; it has to
 * be of the order of the stop band's ripple. */
int minimum_phase_taps(double *taps, size_t half, double floor, struct error *e);

#endif
