/* SPDX-License-Identifier: MIT */
/* Alternates between sounds of the same music without a gap or a click: time goes on, and only the sound changes. */
#ifndef AULA_DSP_ALTERNATE_H
#define AULA_DSP_ALTERNATE_H

#include <stddef.h>

#define ALTERNATE_FADE 0.02 /* s: length of a cross-fade */

/* out[n] = (1 - w) a[n] + w b[n], [frames]: segment k of `every` s at `rate` Hz plays sounds[k mod count], and in the
 * ALTERNATE_FADE s around the end of a segment, from a to the next b, w = sin²(pi/2 x) rises with x from 0 to 1. The
 * weights sum to 1, so that what both sounds share keeps its level. sounds: [count][frames]. every > ALTERNATE_FADE.
 * Ends early once a stop is requested; check for it afterwards. */
void alternate(double *out, const double *const *sounds, size_t count, size_t frames, double rate, double every);

#endif
