/* SPDX-License-Identifier: MIT */
#include "acoustics/precision.h"

const char *const precision_names[PRECISION_DOUBLE + 1] = {"single", "double"};
