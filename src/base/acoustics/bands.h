/* SPDX-License-Identifier: MIT */
/* The octave bands in which materials are described and rooms are measured. */
#ifndef AULA_BASE_ACOUSTICS_BANDS_H
#define AULA_BASE_ACOUSTICS_BANDS_H

enum { OCTAVE_BANDS = 8 };                            /* 63 Hz to 8 kHz */
extern const double octave_band_centre[OCTAVE_BANDS]; /* Hz */

#endif
