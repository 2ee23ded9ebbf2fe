/* SPDX-License-Identifier: MIT */
/* Notes and warnings about a response that was measured with a sweep: clipping, repeats that differ, distortion, noise, a
 * sweep too short for the room. */
#ifndef AULA_DSP_MEASURE_SWEEP_FINDINGS_H
#define AULA_DSP_MEASURE_SWEEP_FINDINGS_H

#include "dsp/measure/metrics.h"
#include "dsp/sweep_response.h"

struct sweep_findings {
    struct metrics *metrics;  /* [response.channels], valid within the sweep; arrivals count from t = 0 */
    char **notes, **warnings; /* one line each, without the name of the recording; channels count from 1 */
    size_t note_count, warning_count;
};

/* About the response r of the recording `in`. `spread`: dB by which sweeps that were averaged before differ from their
 * mean; NaN: not known. ERROR_INPUT, with `name`, if the recording holds another sweep or nothing but noise;
 * ERROR_MEMORY, ERROR_STOPPED. Free with sweep_findings_free, also on failure. */
int sweep_findings_make(struct sweep_findings *f, const struct sweep_recording *in, const struct sweep_response *r,
                        double spread, const char *name, struct error *e);
void sweep_findings_free(struct sweep_findings *f); /* safe on a zeroed struct */

#endif
