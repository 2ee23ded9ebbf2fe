/* SPDX-License-Identifier: MIT */
/* From where the sound of an ambisonic field comes, by its active intensity. */
#ifndef AULA_DSP_EARS_FIELD_DIRECTIONS_H
#define AULA_DSP_EARS_FIELD_DIRECTIONS_H

#include <stddef.h>

#include "dsp/space/coverage.h"

struct field_outside {
    double share; /* of the sound: that from outside of what is covered */
    double at[2]; /* azimuth, -180 to 180, and elevation from where most of that comes, degrees */
};

/* field [at least 4][frames], ACN and SN3D: each frame counts with its |W (X, Y, Z)| at the direction of that. */
struct field_outside field_outside_of(const double *field, size_t frames, const struct coverage *c);

#endif
