/* SPDX-License-Identifier: MIT */
/* Finds the repeat of a sweep that was disturbed. */
#include <math.h>
#include <stdlib.h>

#include "base/stop.h"
#include "dsp/measure/sweep_session.h"

enum { BLOCK = 2048 };
static const double SIGNAL_SHARE = 0.01; /* of its energy, by which repeats may differ */
static const double NOISE_TIMES = 16.0;  /* the energy of noise in a block, which is not steady */
static const double STANDS_OUT = 3.0;    /* times the median of the others */
static const double TINY = 1e-12;        /* mean square below any converter's last bit */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Energies in a block: of the mean, and of each used record beyond the mean of the others, in off[]. */
static double block_energies(double *off, const float *const *windows, const bool *used, size_t count, size_t alike,
                             size_t channels, size_t channel, size_t from, size_t to)
{
    const double others = (double)alike / ((double)alike - 1.0);
    double signal = 0.0;
    for (size_t k = 0; k < count; k++)
        off[k] = 0.0;
    for (size_t n = from; n < to; n++) {
        double mean = 0.0;
        for (size_t k = 0; k < count; k++)
            mean += used[k] ? (double)windows[k][n * channels + channel] / (double)alike : 0.0;
        signal += mean * mean;
        for (size_t k = 0; k < count; k++) {
            const double one = used[k] ? others * ((double)windows[k][n * channels + channel] - mean) : 0.0;
            off[k] += one * one;
        }
    }
    return signal;
}

struct search {
    const float *const *windows;
    bool *used;
    size_t count, channels, frames, alike;
    const double *noise;
    double *off, *sorted; /* [count] */
};

struct search_result {
    double worst;  /* largest excess of a record that stands out; 0: none */
    size_t which;  /* it */
    bool doubtful; /* some exceed the limit */
    double off, signal, noise;
};

static double median_of_others(const struct search *s, size_t except)
{
    size_t count = 0;
    for (size_t k = 0; k < s->count; k++)
        if (s->used[k] && k != except)
            s->sorted[count++] = s->off[k];
    qsort(s->sorted, count, sizeof *s->sorted, ascending);
    return s->sorted[count / 2];
}

static void look_at_block(struct search_result *r, const struct search *s, size_t channel, size_t from, size_t to)
{
    const double signal =
        block_energies(s->off, s->windows, s->used, s->count, s->alike, s->channels, channel, from, to);
    const double alike = (double)s->alike, noise = (s->noise[channel] + TINY) * (double)(to - from);
    const double limit = NOISE_TIMES * noise * alike / (alike - 1.0) + SIGNAL_SHARE * signal;
    r->signal += signal;
    r->noise += noise * (alike - 1.0) / alike;
    for (size_t k = 0; k < s->count; k++) {
        if (!s->used[k])
            continue;
        r->off += s->off[k] * pow((alike - 1.0) / alike, 2.0) / alike;
        if (!(s->off[k] > limit))
            continue;
        r->doubtful = true;
        if (s->alike > 2 && s->off[k] > STANDS_OUT * median_of_others(s, k) && s->off[k] / limit > r->worst) {
            r->worst = s->off[k] / limit;
            r->which = k;
        }
    }
}

static int look(struct search_result *r, const struct search *s, struct error *e)
{
    *r = (struct search_result){.worst = 0.0};
    for (size_t c = 0; c < s->channels; c++)
        for (size_t from = 0; from < s->frames; from += BLOCK) {
            if (stop_check(e))
                return -1;
            look_at_block(r, s, c, from, from + BLOCK < s->frames ? from + BLOCK : s->frames);
        }
    return 0;
}

int sweep_agreement_find(struct sweep_agreement *a, const float *const *windows, bool *used, size_t count,
                         size_t channels, size_t frames, const double *noise, struct error *e)
{
    struct search s = {.windows = windows, .used = used, .count = count, .channels = channels, .frames = frames};
    struct search_result r = {.worst = 0.0};
    s.noise = noise;
    s.off = calloc(count, sizeof *s.off);
    s.sorted = calloc(count, sizeof *s.sorted);
    *a = (struct sweep_agreement){.spread = NAN};
    int status = s.off && s.sorted ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    while (!status) {
        s.alike = 0;
        for (size_t k = 0; k < count; k++)
            s.alike += used[k];
        if (s.alike < 2)
            break;
        status = look(&r, &s, e);
        if (!status && r.worst > 0.0) {
            used[r.which] = false;
            continue;
        }
        a->doubtful = r.doubtful;
        a->spread = 10.0 * log10(fmax(r.off - r.noise, 1e-10 * r.signal) / r.signal);
        break;
    }
    free(s.off);
    free(s.sorted);
    return status;
}
