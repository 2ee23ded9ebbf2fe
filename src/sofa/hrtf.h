/* SPDX-License-Identifier: MIT */
/* Head-related impulse responses from a SOFA file of the convention SimpleFreeFieldHRIR. */
#ifndef AULA_SOFA_HRTF_H
#define AULA_SOFA_HRTF_H

#include <stddef.h>

#include "base/error.h"
#include "sofa/document.h"

struct hrtf {
    size_t directions, taps;
    double rate;            /* Hz */
    double distance;        /* m: of the sources, the median */
    double (*direction)[3]; /* [directions]: unit vectors from the head, x front, y left, z up */
    double *responses;      /* [directions][left, right][taps] */
    double (*delay)[2];     /* [directions][left, right], samples before the first tap */
};

/* ERROR_INPUT names the file and what is wrong with it; ERROR_MEMORY; ERROR_STOPPED. On failure *h is empty. */
int hrtf_read(struct hrtf *h, const char *path, struct error *e);
int hrtf_of(struct hrtf *h, const struct sofa_document *d, const char *path, struct error *e);
void hrtf_free(struct hrtf *h);

#endif
