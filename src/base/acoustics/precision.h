/* SPDX-License-Identifier: MIT */
/* In how many bits a field is stepped. */
#ifndef AULA_BASE_ACOUSTICS_PRECISION_H
#define AULA_BASE_ACOUSTICS_PRECISION_H

#include <stddef.h>

enum precision { PRECISION_SINGLE, PRECISION_DOUBLE };
extern const char *const precision_names[PRECISION_DOUBLE + 1];

/* Bytes of a value of the field. */
static inline size_t precision_bytes(enum precision precision)
{
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

#endif
