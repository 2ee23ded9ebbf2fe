/* SPDX-License-Identifier: MIT */
/* Drive signals of a source on the grid: its signal, filtered for each order or harmonic of its
 * pattern,
 *
 *     x_nm = R^n/θ_n(sR/c) · D_nm(ω) x
 *
 * with the coefficients D_nm at the distance R. For named patterns D_nm = 1, and the weights of the
 * drives carry the pattern. For a pattern from a file D_nm becomes a finite filter, tapered above
 * the valid band and at both ends. It begins before the emission, since a pattern may contain sound
 * ahead of the main front. */
#ifndef AULA_RENDER_DRIVES_H
#define AULA_RENDER_DRIVES_H

#include "render/excitation.h"
#include "room/grid/model.h"

/* Steps from the start of the drive signals to the emission, beyond the onset of the excitations; 0
 * without patterns from files. */
size_t drives_lead(const struct model *m, size_t first, size_t count);

/* Fills signals[source_drives][steps], zero on entry, with x delayed such that its onset falls on
 * step `onset`, which includes the lead and is at least x->onset + drives_lead. high_passed:
 * applies the high-pass of the response. ERROR_INPUT for an earlier onset; ERROR_MEMORY,
 * ERROR_STOPPED. */
int drives_make(double *signals, const struct model *m, size_t source, const struct excitation *x, size_t onset,
                size_t steps, bool high_passed, struct error *e);

/* Response of a drive's finite filter at a frequency of the grid, Hz, without the integrator; for
 * checks. ERROR_MEMORY. */
int drives_response(double value[2], const struct model *m, size_t source, size_t drive, double frequency,
                    struct error *e);

#endif
