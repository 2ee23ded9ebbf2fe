/* SPDX-License-Identifier: MIT */
#include "dsp/resample.h"

#include <limits.h>
#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

/* libsamplerate's best sinc has 143 zero crossings on either side; rounded up. */
static const double SINC_REACH = 160.0;
static const double RATIO_MAX = 256.0; /* libsamplerate's SRC_MAX_RATIO */
enum { STOP_INTERVAL = 8192 };         /* output samples between two checks for a stop */

size_t resample_frames(size_t frames, double rate_in, double rate_out)
{
    if (rate_in == rate_out || !frames)
        return frames;
    return (size_t)fmax(1.0, round((double)frames * rate_out / rate_in));
}

size_t resample_reach(double rate_in, double rate_out)
{
    if (rate_in == rate_out)
        return 0;
    return (size_t)ceil(SINC_REACH * fmax(1.0, rate_in / rate_out));
}

/* Largest magnitude; NaN if a sample is not finite or a stop is requested. */
static double finite_peak(const double *samples, size_t frames)
{
    double peak = 0.0;
    for (size_t n = 0; n < frames; n++) {
        if (!isfinite(samples[n]) || stop_requested_at(n))
            return NAN;
        peak = fmax(peak, fabs(samples[n]));
    }
    return peak;
}

/* Both buffers are float, frames of `channels` samples; `in` is padded with zeros so that the converter can produce all
 * output. */
static int convert(float *out, size_t out_frames, const float *in, size_t in_frames, size_t channels, double ratio,
                   struct error *e)
{
    int code = 0;
    SRC_STATE *state = src_new(SRC_SINC_BEST_QUALITY, (int)channels, &code);
    if (!state)
        return fail(e, ERROR_MEMORY, "libsamplerate: %s", src_strerror(code));
    /* Otherwise the converter would interpolate from its initial ratio on the first call. */
    src_set_ratio(state, ratio);
    size_t used = 0, made = 0;
    while (made < out_frames && !stop_requested()) {
        const size_t wanted = out_frames - made < STOP_INTERVAL ? out_frames - made : STOP_INTERVAL;
        SRC_DATA data = {.data_in = in + used * channels,
                         .input_frames = (long)(in_frames - used),
                         .data_out = out + made * channels,
                         .output_frames = (long)wanted,
                         .src_ratio = ratio,
                         .end_of_input = 1};
        code = src_process(state, &data);
        if (code || (!data.input_frames_used && !data.output_frames_gen))
            break;
        used += (size_t)data.input_frames_used;
        made += (size_t)data.output_frames_gen;
    }
    src_delete(state);
    if (stop_check(e))
        return -1;
    if (code)
        return fail(e, ERROR_FAILED, "libsamplerate: %s", src_strerror(code));
    if (made < out_frames)
        return fail(e, ERROR_FAILED, "libsamplerate: %zu of %zu samples produced", made, out_frames);
    return 0;
}

static int check(size_t frames, double rate_in, double rate_out, struct error *e)
{
    const double ratio = rate_out / rate_in;
    if (!(rate_in > 0.0) || !(rate_out > 0.0) || !isfinite(rate_in) || !isfinite(rate_out))
        return fail(e, ERROR_INPUT, "sample rates of %g and %g Hz: both must be positive", rate_in, rate_out);
    if (!(ratio <= RATIO_MAX && ratio >= 1.0 / RATIO_MAX))
        return fail(e, ERROR_INPUT,
                    "cannot convert from %g Hz to %g Hz: the ratio is beyond 1/256..256; choose an output rate closer "
                    "to the grid rate, or \"grid\"",
                    rate_in, rate_out);
    const double padding = (double)resample_reach(rate_in, rate_out);
    if ((double)frames * fmax(1.0, ratio) > (double)INT_MAX / 2 - 2.0 * padding * fmax(1.0, ratio))
        return fail(e, ERROR_INPUT, "too many samples (%zu) to convert from %g Hz to %g Hz; use a shorter duration",
                    frames, rate_in, rate_out);
    return 0;
}

/* Scaled to near 1 by a power of two: faint or loud signals stay in the range of float. */
static int put_scaled(float *frame, size_t channels, int *exponent, const double *in, size_t frames, struct error *e)
{
    const double peak = finite_peak(in, frames);
    *exponent = 0;
    if (stop_check(e))
        return -1;
    if (!(peak >= 0.0))
        return fail(e, ERROR_FAILED, "cannot convert the sample rate: a sample is not a finite number");
    if (peak > 0.0)
        frexp(peak, exponent);
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++)
        frame[n * channels] = (float)ldexp(in[n], -*exponent);
    return 0;
}

/* Rates that differ. */
static int convert_all(double *const *out, size_t out_frames, const double *const *in, size_t channels, size_t frames,
                       double rate_in, double rate_out, struct error *e)
{
    const double ratio = rate_out / rate_in;
    const size_t padded = frames + resample_reach(rate_in, rate_out) + (size_t)ceil(1.0 / ratio) + 1;
    const size_t lanes = channels == 3 ? 4 : channels; /* libsamplerate has loops for 1, 2 and 4 */
    int exponent[RESAMPLE_TOGETHER], status = 0;
    if (memory_demand((double)lanes * (double)(padded + out_frames) * sizeof(float), e,
                      "%zu samples from %g Hz to %g Hz", frames, rate_in, rate_out))
        return -1;
    float *before = calloc(padded * lanes, sizeof *before);
    float *after = malloc((out_frames * lanes + 1) * sizeof *after);
    if (!before || !after)
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < channels && !status; c++)
        status = put_scaled(before + c, lanes, &exponent[c], in[c], frames, e);
    if (!status)
        status = convert(after, out_frames, before, padded, lanes, ratio, e);
    for (size_t c = 0; c < channels && !status; c++)
        for (size_t n = 0; n < out_frames && !stop_requested_at(n); n++)
            out[c][n] = ldexp((double)after[n * lanes + c], exponent[c]);
    free(before);
    free(after);
    return status || stop_check(e) ? -1 : 0;
}

int resample_together(double *const *out, const double *const *in, size_t channels, size_t frames, double rate_in,
                      double rate_out, struct error *e)
{
    if (check(frames, rate_in, rate_out, e))
        return -1;
    if (rate_in != rate_out)
        return convert_all(out, resample_frames(frames, rate_in, rate_out), in, channels, frames, rate_in, rate_out, e);
    for (size_t c = 0; c < channels && frames; c++)
        memcpy(out[c], in[c], frames * sizeof *out[c]);
    return 0;
}

int resample(double **out, size_t *out_frames, const double *in, size_t frames, double rate_in, double rate_out,
             struct error *e)
{
    *out = NULL;
    *out_frames = 0;
    if (check(frames, rate_in, rate_out, e))
        return -1;
    const size_t made = resample_frames(frames, rate_in, rate_out);
    if (memory_demand((double)made * sizeof(double), e, "%zu samples from %g Hz to %g Hz", frames, rate_in, rate_out))
        return -1;
    double *result = malloc((made + 1) * sizeof *result);
    if (!result)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (resample_together(&result, &in, 1, frames, rate_in, rate_out, e)) {
        free(result);
        return -1;
    }
    *out = result;
    *out_frames = made;
    return 0;
}
