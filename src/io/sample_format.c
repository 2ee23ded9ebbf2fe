/* SPDX-License-Identifier: MIT */
#include "io/sample_format.h"

const char *const format_names[FORMAT_PCM16 + 1] = {"float", "double", "pcm24", "pcm16"};
