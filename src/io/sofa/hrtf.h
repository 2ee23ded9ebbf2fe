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
    char **notes;           /* choices made, one line each, beginning with the file name */
    size_t note_count;
    char **warnings; /* contradictions in the file, likewise */
    size_t warning_count;
};

/* Uses the set of measurements closest to `distance`, m. The left ear is the one that sources on the left reach earlier
 * and louder, regardless of ReceiverPosition. ERROR_INPUT with the file and the fault; ERROR_MEMORY; ERROR_STOPPED. On
 * failure *h is empty. */
int hrtf_read(struct hrtf *h, const char *path, double distance, struct error *e);
int hrtf_of(struct hrtf *h, const struct sofa_document *d, const char *path, double distance, struct error *e);
void hrtf_free(struct hrtf *h);

#endif
