/* SPDX-License-Identifier: MIT */
/* From energies to signals, theory (88).
 *
 * For each band white Gaussian noise gets the energy of the histogram bin by bin, each bin by its own sum of squares,
 * and then passes the band's filter; filters of all bands add up to 1, and share the noise, so that equal energies in
 * all bands give back the noise itself, exactly of the bin's energy. What a filter lets through of a bin is a matter of
 * chance: a gain, smooth over windows of 8 periods of the band's width, 2 ms at least, makes the energy of each window
 * right. */
#ifndef AULA_RENDER_HYBRID_LATE_SOUND_H
#define AULA_RENDER_HYBRID_LATE_SOUND_H

#include <stdint.h>

#include "render/hybrid/late_tally.h"
#include "render/hybrid/near_walls.h"

/* Gains [channels] of what arrives from a direction (unit vector, towards it). */
typedef void late_gains(const void *context, double *gains, const double direction[3]);

/* Where late sound is heard, in the order of the histogram's receivers. */
struct late_output {
    double position[3]; /* m */
    size_t channels;
    late_gains *gains; /* NULL: one channel, the pressure; else with a histogram that has directions */
    const void *context;
    const struct near_rise *rise; /* over the energies of the histogram; NULL: none */
};

struct late_sound {
    double rate, sound_speed; /* Hz, m/s */
    double top[2];            /* Hz: flat up to the first, cos² down to nothing at the second */
    uint64_t seed;
};

/* out [channels of each outlet in turn][frames]: responses to 1 Pa m that leaves the source at frame 0. Pressures of
 * several outlets are as coherent as a diffuse field is (late_noise.h). The same bits for any number of threads.
 * ERROR_MEMORY, ERROR_STOPPED. */
int late_sound_make(double *out, size_t frames, const struct late_sound *sound, const struct late_histogram *h,
                    const struct late_output *outlets, struct error *e);

#endif
