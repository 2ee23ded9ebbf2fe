/* SPDX-License-Identifier: MIT */
/* Finite elements for the modes of a stiff string or bar, independent of the code under test: cubic Hermite elements
 * with tension and consistent mass. Frequencies converge with the fourth power of the element. */
#ifndef AULA_TESTS_BEAM_ELEMENTS_H
#define AULA_TESTS_BEAM_ELEMENTS_H

#include "render/synth/line_modes.h"

/* Frequencies of the `count` lowest modes in Hz, extrapolated from `elements` and twice as many. */
void beam_frequencies(const struct line *line, size_t elements, size_t count, double *frequency);

/* The end at place 1 moved by 1, clamped or supported: displacements [elements + 1], and the force in N/m. */
double beam_end_moved(const struct line *line, size_t elements, double *displacement);

#endif
