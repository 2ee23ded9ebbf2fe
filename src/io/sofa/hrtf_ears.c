/* SPDX-License-Identifier: MIT */
#include "io/sofa/hrtf_ears.h"

#include <math.h>

static const double ASIDE = 0.3;               /* of the direction along y: less is neither left nor right */
static const double ONSET = 0.2;               /* of the peak: arrival */
static const double LEVEL = 1.0, TIME = 50e-6; /* dB, s: less does not tell */

struct ear {
    double energy, arrival; /* arrival in samples */
};

static struct ear ear_of(const struct hrtf *h, size_t direction, size_t ear)
{
    const double *response = h->responses + (2 * direction + ear) * h->taps;
    struct ear of = {0.0, 0.0};
    double peak = 0.0;
    size_t first = 0;
    for (size_t n = 0; n < h->taps; n++) {
        of.energy += response[n] * response[n];
        peak = fmax(peak, fabs(response[n]));
    }
    while (first < h->taps && fabs(response[first]) < ONSET * peak)
        first++;
    of.arrival = (double)first + h->delay[direction][ear];
    return of;
}

struct hrtf_sides hrtf_compare_sides(const struct hrtf *h)
{
    double level[2] = {0.0, 0.0}, time[2] = {0.0, 0.0}; /* sums over directions on the left and on the right */
    size_t count[2] = {0, 0};
    for (size_t m = 0; m < h->directions; m++) {
        const struct ear left = ear_of(h, m, 0), right = ear_of(h, m, 1);
        const size_t side = h->direction[m][1] < 0.0;
        if (!(fabs(h->direction[m][1]) > ASIDE && left.energy > 0.0 && right.energy > 0.0))
            continue;
        level[side] += 10.0 * log10(left.energy / right.energy);
        time[side] += (right.arrival - left.arrival) / h->rate;
        count[side]++;
    }
    struct hrtf_sides sides = {0.0, 0.0};
    for (int side = 0; side < 2; side++)
        if (count[side]) {
            sides.level += (side ? -0.5 : 0.5) * level[side] / (double)count[side];
            sides.time += (side ? -0.5 : 0.5) * time[side] / (double)count[side];
        }
    return sides;
}

bool hrtf_sides_are_exchanged(const struct hrtf_sides *sides)
{
    const bool against = sides->level < -LEVEL || sides->time<-TIME, with = sides->level> LEVEL || sides->time > TIME;
    return against && !with;
}

void hrtf_exchange_ears(struct hrtf *h)
{
    for (size_t m = 0; m < h->directions; m++) {
        double *left = h->responses + 2 * m * h->taps, *right = left + h->taps;
        const double delay = h->delay[m][0];
        h->delay[m][0] = h->delay[m][1];
        h->delay[m][1] = delay;
        for (size_t n = 0; n < h->taps; n++) {
            const double sample = left[n];
            left[n] = right[n];
            right[n] = sample;
        }
    }
}
