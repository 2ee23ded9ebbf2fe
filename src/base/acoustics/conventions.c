/* SPDX-License-Identifier: MIT */
#include "base/acoustics/conventions.h"

const double octave_band_centre[OCTAVE_BANDS] = {63, 125, 250, 500, 1000, 2000, 4000, 8000};

const char *const face_names[FACES] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

const char *const precision_names[PRECISION_DOUBLE + 1] = {"single", "double"};
