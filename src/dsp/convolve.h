/* SPDX-License-Identifier: MIT */
/* Fast convolution by KissFFT: uniformly partitioned overlap-save with a frequency-domain delay line (Wefers,
 * "Partitioned convolution algorithms for real-time auralization", RWTH Aachen 2015, chapter 5). One transform per
 * block of an input and one inverse per block of an output, for any number of filters. Single precision; errors are
 * below 1e-6 of the peak.
 *
 * Typical block: 64 to 1024 live (a sound card's), 8192 for files. */
#ifndef AULA_DSP_CONVOLVE_H
#define AULA_DSP_CONVOLVE_H

#include <stddef.h>

#include "base/error.h"

struct convolver;

/* taps: [count]; count 0 (taps may be NULL): no path from this input to this output. Lengths may differ. */
struct convolver_filter {
    const double *taps;
    size_t count;
};

/* filters: [inputs][outputs]; copied. block: frames per call of convolver_run, 1 to 2^20. ERROR_FAILED for taps that
 * are not finite. On failure *c is NULL. */
int convolver_make(struct convolver **c, size_t inputs, size_t outputs, const struct convolver_filter *filters,
                   size_t block, struct error *e);
void convolver_free(struct convolver *c); /* NULL-safe */

/* One block: out[o][n] = sum over inputs i and taps k of taps[k] in[i][n - k], where earlier blocks are in[i]'s past.
 * in: [inputs] pointers to [block] samples, out: [outputs] likewise; out may alias in. No latency. Does not allocate,
 * lock or wait and takes the same time for each block: fit for an audio callback. Samples beyond +-1e20 or not numbers
 * count as 0, so that they leave no trace; so do those within 1e-20 of 0, which would be slow. */
void convolver_run(struct convolver *c, const float *const *in, float *const *out);

/* Clears all input. Real-time safe. */
void convolver_reset(struct convolver *c);

/* Copies the input history of `from`, so that `to` can replace it while sound goes on (run both and cross-fade). Same
 * inputs and block, else -1 and no effect. When the filters of `to` are d blocks longer than those of `from`, their end
 * is missing from the first d - 1 blocks. Real-time safe; call it while neither runs. */
int convolver_take_history(struct convolver *to, const struct convolver *from);

size_t convolver_block(const struct convolver *c);
size_t convolver_inputs(const struct convolver *c);
size_t convolver_outputs(const struct convolver *c);

/* Convolves whole signals. in: [inputs][frames]; *out: fresh [outputs][*out_frames], *out_frames = frames + largest
 * number of taps - 1, or 0 without frames or taps. Input of any level is scaled to the range of single precision and
 * back. ERROR_FAILED for samples that are not finite; ERROR_STOPPED. On failure *out is NULL. */
int convolve(double **out, size_t *out_frames, const double *in, size_t inputs, size_t frames,
             const struct convolver_filter *filters, size_t outputs, struct error *e);

#endif
