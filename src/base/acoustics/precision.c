/* SPDX-License-Identifier: MIT */
#include "base/acoustics/precision.h"

const char *const precision_names[PRECISION_DOUBLE + 1] = {"single", "double"};
