/* SPDX-License-Identifier: MIT */
/* From the recording of one or several equal sweeps to impulse responses, with the instant t = 0, the distortion and the
 * agreement of the repeats. */
#ifndef AULA_DSP_SWEEP_RESPONSE_H
#define AULA_DSP_SWEEP_RESPONSE_H

#include <stdbool.h>

#include "dsp/sweep.h"

#define SWEEP_BEFORE                                                                                                   \
    0.05 /* s kept before t = 0: pre-ringing of the band limits, which a cut at t = 0 would cost 20 dB */

/* Repeats may differ by this much, dB: beyond the first they are warned of, beyond the second refused. */
#define SWEEP_DIFFERENCE_WARNED -25.0
#define SWEEP_DIFFERENCE_REFUSED -10.0

enum sweep_zero { SWEEP_ZERO_DIRECT, SWEEP_ZERO_DELAY, SWEEP_ZERO_LOOPBACK };

struct sweep_recording {
    const double *samples; /* [channels][frames] */
    size_t channels, frames;
    const double *sweep; /* [length] */
    size_t length;
    struct sweep made;
    size_t repeats;  /* 1 or more */
    size_t period;   /* frames from one sweep to the next; not used for one */
    size_t loopback; /* channel, from 1, that recorded the sweep by a cable; 0: none */
    double delay;    /* s from the first sample of the recording to that of the emitted sweep; NaN: unknown */
};

struct sweep_response {
    double *samples; /* [channels][frames], without the loopback channel; recording over sweep */
    size_t channels, frames;
    enum sweep_zero zero;
    double start;      /* s: time of sample 0, -SWEEP_BEFORE; t = 0 is the emission, or the strongest sound of the first
                          channel where neither loopback nor delay is known */
    double found;      /* s: t = 0 in the recording */
    double difference; /* dB: energy by which the repeats differ from their mean, over that of the mean, within the
                          whole response; NaN: a single sweep */
    double drift; /* of the clocks of player and recorder, from the distances of the repeats: 1e-6 is 1 ppm; 0: less
                          than a sample */
    struct sweep_distortion *distortion; /* [channels] */
};

/* ERROR_INPUT, with `name`, if the recording does not contain the sweep or ends before it, or if the repeats differ by
 * more than SWEEP_DIFFERENCE_REFUSED; ERROR_USAGE for a loopback channel or a delay that the recording does not have.
 * On failure *r is zero. */
int sweep_response_make(struct sweep_response *r, const struct sweep_recording *recording, const char *name,
                        struct error *e);
void sweep_response_free(struct sweep_response *r); /* NULL-safe */

#endif
