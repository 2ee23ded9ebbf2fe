/* SPDX-License-Identifier: MIT */
#include "base/acoustics/faces.h"

const char *const face_names[FACES] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
