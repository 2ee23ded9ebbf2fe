/* SPDX-License-Identifier: MIT */
#include "dsp/steep_filter.h"

#include <math.h>

enum { ORDER = 8 };

/* One pole pair, direct form II transposed. */
struct section {
    double norm, a1, a2;
    double s1, s2;
};

static struct section section_of(double k, double damping)
{
    const double norm = 1.0 / (1.0 + damping * k + k * k);
    return (struct section){.norm = norm, .a1 = 2.0 * (k * k - 1.0) * norm, .a2 = (1.0 - damping * k + k * k) * norm};
}

static inline double section_step(struct section *s, double in)
{
    const double out = s->norm * in + s->s1;
    s->s1 = -2.0 * s->norm * in - s->a1 * out + s->s2;
    s->s2 = s->norm * in - s->a2 * out;
    return out;
}

void drift_high_pass(double *samples, size_t frames, const size_t fade[2], double corner, double rate)
{
    struct section s = section_of(tan(M_PI * corner / rate), M_SQRT2);
    for (size_t n = fade[0]; n < frames; n++) {
        const double place = (double)(n - fade[0]) / (double)(fade[1] - fade[0]);
        const double faded = samples[n] * (n < fade[1] ? 0.5 - 0.5 * cos(M_PI * place) : 1.0);
        samples[n] = (samples[n] - faded) + section_step(&s, faded);
    }
}

void steep_high_pass(double *samples, size_t frames, double corner, double rate)
{
    const double k = tan(M_PI * corner / rate);
    for (int pair = 0; pair < ORDER / 2; pair++) {
        struct section s = section_of(k, 2.0 * sin(M_PI * (2 * pair + 1) / (2.0 * ORDER)));
        for (size_t n = 0; n < frames; n++)
            samples[n] = section_step(&s, samples[n]);
    }
}
