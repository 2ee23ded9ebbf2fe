/* SPDX-License-Identifier: MIT */
/* From energies to signals, theory (88).
 *
 * For each band, white Gaussian noise is scaled bin by bin to the energy of the histogram, relative
 * to its own sum of squares in the bin, and filtered. The filters of all bands add up to 1 and
 * share the noise: equal energies in all bands reproduce the noise itself with exactly the bin's
 * energy. The energy of a bin that passes a filter fluctuates. A smooth gain over windows of 8
 * periods of the bandwidth, at least 2 ms, corrects the energy of each window. */
#ifndef AULA_RENDER_HYBRID_LATE_SOUND_H
#define AULA_RENDER_HYBRID_LATE_SOUND_H

#include <stdint.h>

#include "render/hybrid/late_tally.h"
#include "render/hybrid/near_walls.h"

/* Gains [channels] for sound from a direction (unit vector, towards the sound). */
typedef void late_gains(const void *context, double *gains, const double direction[3]);

/* An output of late sound, in the order of the histogram's receivers. */
struct late_output {
    double position[3]; /* m */
    double earliest;    /* s: arrival of direct sound, which late sound does not precede; see late_hold_back */
    size_t channels;
    late_gains *gains; /* NULL: one channel, the pressure; else the histogram needs directions */
    const void *context;
    const struct near_rise *rise; /* relative to the energies of the histogram; NULL: none */
};

struct late_sound {
    double rate, sound_speed; /* Hz, m/s */
    double top[2];            /* Hz: flat up to the first, cos² down to zero at the second */
    uint64_t seed;
};

/* out [channels of each outlet in turn][frames]: responses to 1 Pa m that leaves the source at
 * frame 0. The pressures of several outlets are as coherent as in a diffuse field (late_noise.h).
 * Same bits for any number of threads. ERROR_MEMORY, ERROR_STOPPED. */
int late_sound_make(double *out, size_t frames, const struct late_sound *sound, const struct late_histogram *h,
                    const struct late_output *outlets, struct error *e);

#endif
