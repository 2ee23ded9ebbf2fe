/* SPDX-License-Identifier: MIT */
/* Products of vectors. */
#ifndef AULA_BASE_VECTOR3_H
#define AULA_BASE_VECTOR3_H

#include "base/device.h"

ON_DEVICE double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ON_DEVICE double triple3(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

#endif
