/* The decay of one band's energy: noise floor, truncation, backward integral, reverberation times. */
#ifndef AULA_MEASURE_ENERGY_DECAY_H
#define AULA_MEASURE_ENERGY_DECAY_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/metrics.h"

/* energy[frames]: squares of one band at `rate` Hz; `start`: where its energy begins (some ringing before the arrival);
 * arrival >= start. All of it in samples. */
struct energy_decay {
    const double *energy;
    size_t start, arrival, frames;
    double rate;
    double bandwidth; /* Hz */
    bool noiseless;   /* the record is known to hold no noise */
    /* what energy_decay_fit finds */
    bool fitted;
    bool noisy;        /* a noise floor was found; else the record ends in the decay */
    double noise;      /* mean square of the noise floor; 0 when none */
    double per_sample; /* the late decay goes as exp(-per_sample n) */
    size_t cut;        /* samples from here on are replaced by that exponential */
    double tail;       /* its energy from the cut on */
    double *integral;  /* [frames + 1]: energy from each sample on, noise taken off, the tail in; owned */
    double total;      /* integral[start] */
};

/* After Lundeby, Vigran, Bietz, Vorlaender, Acustica 81 (1995) 344-355: noise floor and crossing point by turns, the
 * rest extrapolated at the late decay's slope; the noise floor is taken off before integrating as well (Chu, JASA 63
 * (1978) 1444; method E of Guski and Vorlaender, Acta Acustica 100 (2014) 320-327). A record that ends within its decay
 * is cut at its end. Where no decay is found (d->fitted false) the whole record less its last tenth's mean is
 * integrated. Free with energy_decay_free. */
int energy_decay_fit(struct energy_decay *d, struct error *e);
void energy_decay_free(struct energy_decay *d); /* NULL-safe */

/* Energy that arrives later than `time` s after the arrival, extrapolated beyond the cut. */
double energy_decay_after(const struct energy_decay *d, double time);

/* dB between the start of the decay and the cut. */
double energy_decay_range(const struct energy_decay *d);

/* Where what a band holds ends: `frames`, or `guard` samples before, where the band rings at the record's end. A sound
 * below the band that has not died away has a kink there; then the energy rises tenfold within `guard` samples, which
 * neither a decay does nor noise. */
size_t energy_decay_end(const double *energy, size_t frames, size_t guard);

/* What stands in the way of `range` dB between the start of the decay and the cut: METRICS_NONE when there are as many;
 * METRICS_SHORT when the record ends too soon for them, or in a decay that has not yet become steady noise, or is noiseless, with *length
 * the s after the arrival that it would have to hold; else METRICS_NOISE. *length is NaN but for METRICS_SHORT. */
enum metrics_reason energy_decay_lacks(const struct energy_decay *d, double range, double *length);

/* Shortest T20 and T30, and EDT, that a band of `bandwidth` Hz resolves, s: what is shorter is the filter's own decay. */
double energy_decay_shortest_late(double bandwidth);
double energy_decay_shortest_early(double bandwidth);

/* Straight line by least squares through the decay curve between the levels from and to (dB, negative). ISO 3382-1 wants
 * the noise 10 dB below `to`: where the range is less the time is NaN with its reason, and `length` as energy_decay_lacks gives it. */
struct metrics_decay energy_decay_time(const struct energy_decay *d, double from, double to);

#endif
