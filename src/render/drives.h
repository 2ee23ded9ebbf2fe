/* SPDX-License-Identifier: MIT */
/* The signals that drive the grid for a source: its own signal, filtered for each order or harmonic of its pattern,
 *
 *     x_nm = R^n/θ_n(sR/c) · D_nm(ω) x
 *
 * with the coefficients D_nm at the distance R, which are 1, 1 .. for patterns with a name, as the weights of their
 * drives hold the rest. Those of a file become a filter of finite length: tapered to nothing above the valid band, and
 * at both ends. It begins before the instant of emission, because what is heard besides may be earlier than the
 * front. */
#ifndef AULA_RENDER_DRIVES_H
#define AULA_RENDER_DRIVES_H

#include "render/excitation.h"
#include "room/grid/model.h"

/* Steps from the begin of the signals of some sources to their instant of emission, beyond the onset of excitations: 0
 * without patterns from files. */
size_t drives_lead(const struct model *m, size_t first, size_t count);

/* Fills signals[source_drives][steps], zero before: x delayed so that its onset falls on step `onset`, lead included,
 * which is drives_lead after x->onset or later. high_passed: that of the response is applied to them. ERROR_INPUT for
 * an earlier onset; ERROR_MEMORY, ERROR_STOPPED. */
int drives_make(double *signals, const struct model *m, size_t source, const struct excitation *x, size_t onset,
                size_t steps, bool high_passed, struct error *e);

/* Response of a drive's filter of finite length at a frequency of the grid, Hz: what drives_make multiplies with,
 * without the integrator. For checks. ERROR_MEMORY. */
int drives_response(double value[2], const struct model *m, size_t source, size_t drive, double frequency,
                    struct error *e);

#endif
