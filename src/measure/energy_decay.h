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

/* Straight line by least squares through the decay curve between the levels from and to (dB, negative). ISO 3382-1 wants
 * the noise 10 dB below `to`: where the range is less the time is NaN with its reason. */
struct metrics_decay energy_decay_time(const struct energy_decay *d, double from, double to);

#endif
