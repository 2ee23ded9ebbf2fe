/* SPDX-License-Identifier: MIT */
/* Units of variables in SOFA documents. */
#ifndef AULA_IO_SOFA_UNITS_H
#define AULA_IO_SOFA_UNITS_H

#include "io/sofa/document.h"

enum sofa_quantity { SOFA_LENGTH, SOFA_ANGLE, SOFA_FREQUENCY, SOFA_DELAY };

/* factor [count]: by which the numbers of a variable become metres, degrees, hertz and samples, by its attribute Units,
 * a name for each number or one for all; 1 without it. A delay in seconds has the factor `rate`, Hz. ERROR_INPUT names
 * the variable and a unit that is not known, or of another quantity. */
int sofa_units(double *factor, const enum sofa_quantity *quantity, size_t count, const struct sofa_variable *v,
               double rate, const char *path, struct error *e);

#endif
