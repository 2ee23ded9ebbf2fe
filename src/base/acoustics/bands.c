/* SPDX-License-Identifier: MIT */
#include "base/acoustics/bands.h"

const double octave_band_centre[OCTAVE_BANDS] = {63, 125, 250, 500, 1000, 2000, 4000, 8000};
