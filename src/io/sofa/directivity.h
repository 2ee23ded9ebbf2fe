/* SPDX-License-Identifier: MIT */
/* Reads the directivity of a source from a SOFA file of the convention FreeFieldDirectivityTF, sampled in directions or
 * as spherical harmonics (ReceiverPosition:Type "spherical harmonics"). */
#ifndef AULA_IO_SOFA_DIRECTIVITY_H
#define AULA_IO_SOFA_DIRECTIVITY_H

#include <stddef.h>

#include "base/error.h"
#include "io/sofa/document.h"

struct directivity_data {
    size_t frequencies;
    double *frequency; /* [frequencies]: Hz, ascending, above 0 */
    double distance;   /* m: of the receivers from the source, the median */
    size_t receivers;
    double (*direction)[3]; /* [receivers]: unit vectors from the source, x front, y left, z up; NULL: harmonics */
    int order;              /* of harmonics, ACN and SN3D, in the axes of the source: receivers = (order + 1)² */
    double (*value)[2];     /* [frequencies][receivers]: real and imaginary part */
};

/* ERROR_INPUT with the file and the fault; ERROR_MEMORY; ERROR_STOPPED. On failure *d is empty. */
int directivity_read(struct directivity_data *d, const char *path, struct error *e);
int directivity_of(struct directivity_data *d, const struct sofa_document *document, const char *path, struct error *e);
void directivity_free(struct directivity_data *d);

#endif
