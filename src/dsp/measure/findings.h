/* SPDX-License-Identifier: MIT */
/* Notes and warnings about the samples of a measured file: ignored silence, clipping, a recorded sweep. */
#ifndef AULA_DSP_MEASURE_FINDINGS_H
#define AULA_DSP_MEASURE_FINDINGS_H

#include "dsp/measure/metrics.h"

struct measured_findings {
    char **notes, **warnings; /* one line each, without the name of a file */
    size_t note_count, warning_count;
};

/* For channels[count] of one file of `length` s. ERROR_MEMORY. Free with measured_findings_free, also on failure. */
int measured_findings_make(struct measured_findings *f, const struct metrics *channels, size_t count, double length,
                           struct error *e);
void measured_findings_free(struct measured_findings *f); /* safe on a zeroed struct */

#endif
