/* The two filters of a response, and of live listening: offset removal and the limit to a band. Double precision
 * throughout. */
#ifndef AULA_SIGNAL_BAND_FILTER_H
#define AULA_SIGNAL_BAND_FILTER_H

#include <stddef.h>

#include "base/error.h"

/* In place: two one-pole DC blockers in series, y[n] = g (x[n] - x[n-1]) + r y[n-1], from rest. The bilinear transform
 * of s/(s + w) with its corner at `corner` Hz gives r = (1 - tan(pi corner/rate))/(1 + tan(pi corner/rate)), g = (1 +
 * r)/2. The double zero at 0 Hz takes out an offset and a ramp, which die away as exp(-2 pi corner t). corner 0:
 * unchanged. */
void high_pass(double *samples, size_t frames, double corner, double rate);

/* The same block by block, going on where the last one ended. Zeroed: at rest. */
struct high_pass_state {
    double in, middle, out; /* of the last sample */
};
void high_pass_run(struct high_pass_state *s, double *samples, size_t frames, double corner, double rate);

/* Half length of the low-pass for this pass band, in samples: 0 when none is needed. */
size_t low_pass_half_length(double pass_frequency, double rate);

struct low_pass {
    double *taps; /* [2 half + 1], symmetric, sum 1; NULL when no filter is needed */
    size_t half;
};

/* Kaiser-windowed sinc that passes up to pass_frequency and stops from 1.2 times that on, -6 dB half-way. */
int low_pass_design(struct low_pass *f, double pass_frequency, double rate, struct error *e);

/* The same for any band: passes up to `pass` and stops, 80 dB down, from `stop` on; both over the rate, 0 < pass < stop <
 * 0.5. */
int low_pass_between(struct low_pass *f, double pass, double stop, struct error *e);
void low_pass_free(struct low_pass *f);

/* out[n] = sum_k taps[half + k] in[first + n - k] for n < out_frames: linear phase with its delay taken out. Samples
 * outside in[0..frames) count as zero. `in` and `out` do not overlap. */
void low_pass_apply(const struct low_pass *f, const double *in, size_t frames, size_t first, double *out,
                    size_t out_frames);

#endif
