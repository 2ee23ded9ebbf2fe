/* SPDX-License-Identifier: MIT */
#include "base/acoustics/conventions.h"

const double octave_band_centre[OCTAVE_BANDS] = {63, 125, 250, 500, 1000, 2000, 4000, 8000};

const char *const face_names[FACES] = {[FACE_X_MIN] = "x_min", [FACE_X_MAX] = "x_max", [FACE_Y_MIN] = "y_min",
                                       [FACE_Y_MAX] = "y_max", [FACE_Z_MIN] = "z_min", [FACE_Z_MAX] = "z_max"};

const char *const precision_names[PRECISION_DOUBLE + 1] = {
    [PRECISION_SINGLE] = "single", [PRECISION_DOUBLE] = "double"};
