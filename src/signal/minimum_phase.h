/* Phase from magnitude: of all filters with the same magnitude, the causal one whose energy comes earliest. */
#ifndef AULA_SIGNAL_MINIMUM_PHASE_H
#define AULA_SIGNAL_MINIMUM_PHASE_H

#include <stddef.h>

#include "base/error.h"
#include "signal/fourier.h"

/* re [length]: ln|H| of a real filter at the bins of `f`, in the transform's order; im [length] is overwritten with the
 * minimum phase, in radians, in that order; re is left as it was to rounding. The phase is the Hilbert transform of
 * ln|H|, here by folding the cepstrum onto times after 0 (A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal
 * Processing", 1989, section 12.8). The cepstrum wraps around: the length has to be many times the filter's. */
void minimum_phase(const struct fourier *f, double *re, double *im);

/* taps [2 half + 1], symmetric with the middle at `half`, of amplitude A(ω): become the causal filter of minimum phase
 * and as many taps whose magnitude is √(A² + floor²). The floor lifts the zeros of A off the unit circle, where the
 * phase would jump; it has to be of the order of the ripple in the stop band. */
int minimum_phase_taps(double *taps, size_t half, double floor, struct error *e);

#endif
