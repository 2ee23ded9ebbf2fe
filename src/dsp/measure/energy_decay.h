/* SPDX-License-Identifier: MIT */
/* The decay of one band's energy: noise floor, truncation, backward integral, reverberation times. */
#ifndef AULA_DSP_MEASURE_ENERGY_DECAY_H
#define AULA_DSP_MEASURE_ENERGY_DECAY_H

#include <stdbool.h>
#include <stddef.h>

#include "dsp/measure/metrics.h"

/* energy[frames]: squares of one band at `rate` Hz; `start`: where its energy begins (some ringing before the arrival);
 * arrival >= start. All of it in samples. */
struct energy_decay {
    const double *energy;
    size_t start, arrival, frames;
    double rate;
    double bandwidth; /* Hz */
    bool noiseless;   /* the record has no noise: skip the search for a floor */
    size_t quiet;     /* the floor is searched after this sample; 0 at first */
    /* results of energy_decay_fit */
    bool fitted;
    bool noisy;        /* a noise floor was found; else the record ends in the decay */
    double noise;      /* mean square of the noise floor; 0 when none */
    size_t floor;      /* it is the mean from this sample on */
    double per_sample; /* the late decay goes as exp(-per_sample n) */
    size_t cut;        /* samples from here on are replaced by that exponential */
    double tail;       /* its energy from the cut on */
    double *integral;  /* [frames + 1]: energy from each sample on, without noise, with the tail; owned */
    double total;      /* integral[start] */
};

/* After Lundeby, Vigran, Bietz, Vorlaender, Acustica 81 (1995) 344-355, theory (94): noise floor and crossing point by
 * iteration, the rest extrapolated at the late decay's slope; the noise floor is subtracted before integration (Chu,
 * JASA 63 (1978) 1444; method E of Guski and Vorlaender, Acta Acustica 100 (2014) 320-327). A record that ends within
 * its decay is cut at its end. Without a decay (d->fitted false) the whole record less the mean of its last tenth is
 * integrated. Free with energy_decay_free. */
int energy_decay_fit(struct energy_decay *d, struct error *e);
void energy_decay_free(struct energy_decay *d); /* NULL-safe */

/* Energy later than `time` s after the arrival, extrapolated beyond the cut. */
double energy_decay_after(const struct energy_decay *d, double time);

/* dB between the start of the decay and the cut. */
double energy_decay_range(const struct energy_decay *d);

/* Usable samples of a band: `frames`, or `guard` fewer if the band filter rings at the end of the record because a sound
 * below the band is truncated there. The ringing raises the energy tenfold within `guard` samples, unlike decay and
 * noise. */
size_t energy_decay_end(const double *energy, size_t frames, size_t guard);

/* The reason why the decay does not span `range` dB between its start and the cut. METRICS_NONE: it does.
 * METRICS_SHORT: the record ends too early (noiseless, or before the decay reaches steady noise); *length is the required
 * duration after the arrival in s, else NaN. METRICS_NOISE otherwise. */
enum metrics_reason energy_decay_lacks(const struct energy_decay *d, double range, double *length);

/* s: shortest T20 and T30 (late) and EDT (early) that a band of `bandwidth` Hz resolves; a shorter decay is the response
 * of the filter. */
double energy_decay_shortest_late(double bandwidth);
double energy_decay_shortest_early(double bandwidth);

/* Straight line by least squares through the decay curve between the levels from and to (dB, negative), theory (95).
 * ISO 3382-1 requires the noise 10 dB below `to`: with less range the time is NaN, with reason and length of
 * energy_decay_lacks. */
struct metrics_decay energy_decay_time(const struct energy_decay *d, double from, double to);

#endif
