/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/hall_modes.h"

#include <math.h>
#include <stdlib.h>

static const double weight_min = 1e-7; /* weight of a mode: no effect at -35 dB */

/* energy[n] += weight exp(-loss n) */
static void add_mode(double *energy, size_t steps, double weight, double loss)
{
    const double factor = exp(-loss);
    for (size_t n = 0; n < steps; n++) {
        energy[n] += weight;
        weight *= factor;
    }
}

/* Product of a channel with the mode's shape, without the square of the shape's norm. */
static double shape_at(const struct hall *h, const size_t m[3], const struct channel *c)
{
    const size_t *n = h->scene.problem.points;
    double sum = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t point = c->entries[i].point, at[3] = {point % n[0], point / n[0] % n[1], point / n[0] / n[1]};
        double value = c->entries[i].weight;
        for (int axis = 0; axis < 3; axis++)
            value *= cos(M_PI * (double)m[axis] * ((double)at[axis] + 0.5) / (double)n[axis]);
        sum += value;
    }
    return sum;
}

/* Energy of the mode over all receivers. */
static double received_energy(const struct hall *h, const size_t m[3])
{
    const struct problem *p = &h->scene.problem;
    double squares = 0.0, norm = 1.0;
    for (int axis = 0; axis < 3; axis++)
        norm *= m[axis] ? 2.0 : 1.0;
    for (size_t i = 0; i < p->tap_count; i++)
        squares += pow(shape_at(h, m, &p->taps[i]), 2.0);
    return pow(norm * shape_at(h, m, &p->drives[0]), 2.0) * squares;
}

/* Frequency (Hz) of a mode, and its loss of energy per step. */
static double mode(const struct hall *h, const size_t m[3], double admittance, double *loss)
{
    const double courant_squared = h->scene.leapfrog.courant_squared;
    double sum = 0.0;
    *loss = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double points = (double)h->scene.problem.points[axis], angle = M_PI_2 * (double)m[axis] / points;
        sum += pow(sin(angle), 2.0);
        *loss += 2.0 * sqrt(courant_squared) * admittance * (m[axis] ? 2.0 : 1.0) / points * pow(cos(angle), 2.0);
    }
    return asin(sqrt(courant_squared * sum)) / M_PI * h->rate;
}

int hall_modal_decay(struct decay *d, const struct hall *h, double admittance, double centre, size_t steps,
                     struct error *e)
{
    const size_t *n = h->scene.problem.points;
    double *energy = calloc(steps, sizeof *energy);
    if (!energy)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t m[3];
    for (m[2] = 0; m[2] < n[2]; m[2]++)
        for (m[1] = 0; m[1] < n[1]; m[1]++)
            for (m[0] = m[1] + m[2] ? 0 : 1; m[0] < n[0]; m[0]++) {
                double loss;
                const double frequency = mode(h, m, admittance, &loss);
                const double pulse = exp(-pow(2.0 * M_PI * frequency / h->rate * HALL_PULSE, 2.0));
                const double weight = pulse * pow(decay_octave_gain(frequency, centre), 2.0);
                if (weight > weight_min)
                    add_mode(energy, steps, weight * received_energy(h, m), loss);
                else if (frequency > centre)
                    break; /* higher modes have even less weight */
            }
    decay_fit(d, energy, steps, h->rate);
    free(energy);
    return 0;
}
