/* Fast convolution by KissFFT: uniformly partitioned overlap-save with a delay line of spectra (Wefers, "Partitioned
 * convolution algorithms for real-time auralization", RWTH Aachen 2015, chapter 5). One transform for each block of an
 * input, one inverse for each block of an output, whatever the number of filters. Single precision; results are within
 * 1e-6 of the peak of the exact convolution.
 *
 * Typical: block 64 to 1024 live (a sound card's), 8192 for whole files. */
#ifndef AULA_SIGNAL_CONVOLVE_H
#define AULA_SIGNAL_CONVOLVE_H

#include <stddef.h>

#include "base/error.h"

struct convolver;

/* taps: [count]; count 0 (taps may be NULL then): nothing goes from this input to this output. Lengths may differ. */
struct convolver_filter {
    const double *taps;
    size_t count;
};

/* filters: [inputs][outputs]; copied, not kept. block: frames of each call of convolver_run, any number from 1 to 2^20.
 * Taps that are not finite are ERROR_FAILED. On failure *c is NULL. */
int convolver_make(struct convolver **c, size_t inputs, size_t outputs, const struct convolver_filter *filters,
                   size_t block, struct error *e);
void convolver_free(struct convolver *c); /* NULL-safe */

/* One block: out[o][n] = sum over inputs i and taps k of taps[k] in[i][n - k], where earlier blocks count as in[i]'s
 * past. in: [inputs] pointers to [block] samples, out: [outputs] likewise; out may be the memory of in. Nothing is
 * delayed: what the first taps make of a block comes out of the same call. Neither allocates nor locks nor waits, and
 * takes the same time for every block: fit for an audio callback. Samples beyond +-1e20 or not numbers count as 0, so
 * that a broken input is forgotten after the length of the filters; so do those within 1e-20 of 0, which would be slow. */
void convolver_run(struct convolver *c, const float *const *in, float *const *out);

/* Forgets all input. Real-time safe. */
void convolver_reset(struct convolver *c);

/* Makes `to` continue as if it had heard what `from` heard: a response can take another's place while sound goes on (run
 * both and fade over). Same inputs and block, else -1 and nothing happens. When `to` has d blocks more of response than
 * `from` remembers, its far end is missing from the first d - 1 blocks. Real-time safe; call it where neither runs. */
int convolver_take_history(struct convolver *to, const struct convolver *from);

size_t convolver_block(const struct convolver *c);
size_t convolver_inputs(const struct convolver *c);
size_t convolver_outputs(const struct convolver *c);

/* All at once. in: [inputs][frames]; *out: fresh [outputs][*out_frames] with *out_frames = frames + the most taps - 1, or
 * 0 when there are no frames or no taps. Any level: what does not fit single precision is scaled on the way. Samples
 * that are not finite are ERROR_FAILED; ERROR_STOPPED when a stop is requested. On failure *out is NULL. */
int convolve(double **out, size_t *out_frames, const double *in, size_t inputs, size_t frames,
             const struct convolver_filter *filters, size_t outputs, struct error *e);

#endif
