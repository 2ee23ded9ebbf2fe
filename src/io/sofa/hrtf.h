/* SPDX-License-Identifier: MIT */
/* Head-related impulse responses from a SOFA file of the convention SimpleFreeFieldHRIR. */
#ifndef AULA_IO_SOFA_HRTF_H
#define AULA_IO_SOFA_HRTF_H

#include <stddef.h>

#include "base/error.h"
#include "io/sofa/document.h"

#define HRTF_DISTANCE 1.5 /* m */

struct hrtf {
    size_t directions, taps;
    double rate;            /* Hz */
    double distance;        /* m: of the sources, the median */
    double (*direction)[3]; /* [directions]: unit vectors from the head, x front, y left, z up */
    double *responses;      /* [directions][left, right][taps] */
    double (*delay)[2];     /* [directions][left, right], samples before the first tap */
    char **notes;           /* what was chosen in the file, one line each, which begins with its name */
    size_t note_count;
    char **warnings; /* and what contradicts itself there */
    size_t warning_count;
};

/* Of a file with sources at several distances, those nearest to `distance`, m. The left ear is the one that sources on
 * the left reach earlier and louder, whatever the file says of the places of both. ERROR_INPUT names the file and what
 * is wrong with it; ERROR_MEMORY; ERROR_STOPPED. On failure *h is empty. */
int hrtf_read(struct hrtf *h, const char *path, double distance, struct error *e);
int hrtf_of(struct hrtf *h, const struct sofa_document *d, const char *path, double distance, struct error *e);
void hrtf_free(struct hrtf *h);

#endif
