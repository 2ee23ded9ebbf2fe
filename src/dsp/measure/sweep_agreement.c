/* SPDX-License-Identifier: MIT */
/* Finds the repeats of a sweep that agree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/measure/sweep_session.h"

static const double SIGNAL_SHARE = 0.1; /* of the energy of a block, by which two records may differ */
static const double NOISE_TIMES = 16.0; /* the energy of noise in a block, which is not steady */
static const double TINY = 1e-12;       /* mean square below the last bit of any converter */

struct records {
    const float *const *windows;
    size_t count, channels, frames, block;
    const double *noise;
};

/* Whether two records differ in no block by more than noise and a share of the signal. */
static bool agree(const struct records *r, size_t a, size_t b)
{
    const float *x = r->windows[a], *y = r->windows[b];
    for (size_t c = 0; c < r->channels; c++)
        for (size_t from = 0; from < r->frames && !stop_requested(); from += r->block) {
            const size_t to = from + r->block < r->frames ? from + r->block : r->frames;
            double off = 0.0, signal = 0.0;
            for (size_t n = from; n < to; n++) {
                const double u = (double)x[n * r->channels + c], v = (double)y[n * r->channels + c];
                off += (u - v) * (u - v);
                signal += 0.5 * (u * u + v * v);
            }
            const double noise = 2.0 * (r->noise[c] + TINY) * (double)(to - from);
            if (!(off <= NOISE_TIMES * noise + SIGNAL_SHARE * signal))
                return false;
        }
    return true;
}

/* dB: see struct sweep_take. */
static double spread_of(const struct records *r, const bool *used, double count)
{
    double off = 0.0, signal = 0.0, noise = 0.0;
    for (size_t c = 0; c < r->channels; c++)
        for (size_t n = 0; n < r->frames && !stop_requested_at(n); n++) {
            double sum = 0.0, squares = 0.0;
            for (size_t k = 0; k < r->count; k++) {
                const double one = used[k] ? (double)r->windows[k][n * r->channels + c] : 0.0;
                sum += one;
                squares += one * one;
            }
            const double mean = sum / count;
            signal += mean * mean;
            off += fmax(squares / count - mean * mean, 0.0);
            noise += r->noise[c] * (count - 1.0) / count;
        }
    return 10.0 * log10(fmax(off - noise, 1e-10 * signal) / signal);
}

int sweep_agreement_find(double *spread, const float *const *windows, bool *used, size_t count, size_t wanted,
                         size_t channels, size_t frames, size_t block, const double *noise, struct error *e)
{
    const struct records r = {windows, count, channels, frames, block, noise};
    bool *usable = malloc(count * sizeof *usable), *like = calloc(count, sizeof *like);
    size_t most = 0;
    *spread = NAN;
    if (usable && like) {
        memcpy(usable, used, count * sizeof *usable);
        memset(used, 0, count * sizeof *used);
    }
    for (size_t centre = 0; usable && like && centre < count && most < wanted; centre++) {
        size_t alike = 0;
        for (size_t k = 0; k < count; k++) {
            like[k] = usable[centre] && usable[k] && (k == centre || agree(&r, centre, k));
            alike += like[k];
        }
        if (alike > most) {
            most = alike;
            memcpy(used, like, count * sizeof *used);
        }
    }
    if (usable && like && most > 1)
        *spread = spread_of(&r, used, (double)most);
    const int status = usable && like ? stop_check(e) : fail(e, ERROR_MEMORY, "out of memory");
    free(usable);
    free(like);
    return status;
}
