/* SPDX-License-Identifier: MIT */
#include "render/excitation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/resample.h"
#include "io/audio_file.h"
#include "render/render.h"

static const double PI = 3.14159265358979323846;

/* Limit that catches typing errors: about six hours at 44.1 kHz. */
static const double SAMPLES_MAX = 1e9;

/* Length of the sweep's fades in octaves. The spectral window of the deconvolution rises over 1/6 octave at either
 * edge, so the fades lie where it is small or zero. */
static const double FADE_OCTAVES = 1.0 / 12.0;

static int refuse(struct error *e, enum error_code code, const struct source *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static int refuse(struct error *e, enum error_code code, const struct source *source, const char *format, ...)
{
    char what[512], line[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *file = source->origin.file;
    if (file && source->origin.line)
        snprintf(line, sizeof line, ":%d", source->origin.line);
    return fail(e, code, "%s%s%ssource \"%s\": %s", file ? file : "", line, file ? ": " : "",
                source->name ? source->name : "", what);
}

static int allocate(struct excitation *x, size_t length, const struct source *source, struct error *e)
{
    x->samples = calloc(length, sizeof *x->samples);
    if (!x->samples)
        return refuse(e, ERROR_MEMORY, source, "out of memory");
    x->length = length;
    return 0;
}

static int make_impulse(struct excitation *x, const struct source *source, struct error *e)
{
    if (allocate(x, 1, source, e))
        return -1;
    x->samples[0] = source->gain;
    return 0;
}

static double raised_cosine(double t, double width)
{
    return fabs(t) < 0.5 * width ? 0.5 * (1.0 + cos(2.0 * PI * t / width)) : 0.0;
}

static double gaussian(double t, double deviation)
{
    return exp(-0.5 * (t / deviation) * (t / deviation));
}

/* A pulse symmetric about sample `onset`, `half` seconds to either side. */
static int make_pulse(struct excitation *x, const struct source *source, double half, double (*shape)(double, double),
                      double rate, struct error *e)
{
    if (!(source->width > 0.0) || !(half * rate < 0.5 * SAMPLES_MAX))
        return refuse(e, ERROR_INPUT, source, "width = %g s: must be positive and no longer than a recording",
                      source->width);
    x->onset = (size_t)ceil(half * rate);
    if (allocate(x, 2 * x->onset + 1, source, e))
        return -1;
    for (size_t n = 0; n < x->length; n++)
        x->samples[n] = source->gain * shape(((double)n - (double)x->onset) / rate, source->width);
    return 0;
}

/* Exponential sine sweep: A. Farina, "Simultaneous measurement of impulse response and distortion
 * with a swept-sine technique", 108th AES Convention, 2000:
 *
 *     sin(2 pi low L/w (exp(t w/L) - 1)),   w = ln(high/low) */
static int make_sweep(struct excitation *x, const struct source *source, double rate, double sweep_end, struct error *e)
{
    double low = source->low;
    double high = source->high > 0.0 ? source->high : sweep_end;
    const char *which = source->high > 0.0 ? "" : " (the upper edge of the valid band)";
    if (!(low > 0.0) || !(low < high))
        return refuse(e, ERROR_INPUT, source,
                      "a sweep from low = %g Hz to high = %g Hz%s: low must be positive and below high", low, high,
                      which);
    if (!(high <= 0.5 * rate))
        return refuse(e, ERROR_INPUT, source,
                      "a sweep up to high = %g Hz%s exceeds half the grid rate, %g Hz; lower high or raise grid.rate",
                      high, which, 0.5 * rate);
    double count = round(source->length * rate);
    if (!(count >= 2.0 && count <= SAMPLES_MAX))
        return refuse(e, ERROR_INPUT, source, "a sweep of length = %g s: must last between two samples and six hours",
                      source->length);
    if (allocate(x, (size_t)count, source, e))
        return -1;
    double duration = count / rate;
    double growth = log(high / low);
    double fade = duration * fmin(0.5, FADE_OCTAVES * log(2.0) / growth);
    for (size_t n = 0; n < x->length; n++) {
        double t = (double)n / rate;
        double to_edge = fmin(t, duration - t);
        double envelope = to_edge < fade ? 0.5 * (1.0 - cos(PI * to_edge / fade)) : 1.0;
        double phase = 2.0 * PI * low * duration / growth * expm1(t * growth / duration);
        x->samples[n] = source->gain * envelope * sin(phase);
    }
    x->low = low;
    x->high = high;
    return 0;
}

static int make_recording(struct excitation *x, const struct source *source, const double *recording, size_t length,
                          struct error *e)
{
    if (!recording || !length)
        return refuse(e, ERROR_INPUT, source, "%s: contains no samples", source->file ? source->file : "its recording");
    if (allocate(x, length, source, e))
        return -1;
    for (size_t n = 0; n < length; n++)
        x->samples[n] = source->gain * recording[n];
    return 0;
}

int excitation_make(struct excitation *x, const struct source *source, double rate, double sweep_end,
                    const double *recording, size_t recording_length, struct error *e)
{
    memset(x, 0, sizeof *x);
    x->gain = source->gain;
    x->is_response = signal_gives_response(source->signal);
    x->deconvolve = signal_is_deconvolved(source->signal);
    if (!(rate > 0.0) || !isfinite(rate))
        return refuse(e, ERROR_INPUT, source, "a grid rate of %g Hz is invalid", rate);
    if (!isfinite(source->gain))
        return refuse(e, ERROR_INPUT, source, "gain = %g: must be a finite number", source->gain);
    switch (source->signal) {
    case SIGNAL_IMPULSE:
        return make_impulse(x, source, e);
    case SIGNAL_RAISED_COSINE:
        return make_pulse(x, source, 0.5 * source->width, raised_cosine, rate, e);
    case SIGNAL_GAUSSIAN:
        return make_pulse(x, source, 6.0 * source->width, gaussian, rate, e);
    case SIGNAL_SWEEP:
        return make_sweep(x, source, rate, sweep_end, e);
    case SIGNAL_FILE:
        return make_recording(x, source, recording, recording_length, e);
    case SIGNALS:
        break;
    }
    return refuse(e, ERROR_INPUT, source, "unknown kind of signal %d", (int)source->signal);
}

void excitation_free(struct excitation *x)
{
    if (!x)
        return;
    free(x->samples);
    memset(x, 0, sizeof *x);
}

/* Excitations of sources in render.h. */

/* The samples of a source's sound file at the grid rate. Messages begin with the source's position
 * in the room file. */
static int read_recording(double **samples, size_t *frames, const struct source *source, double rate, struct error *e)
{
    struct audio audio;
    char where[512];
    struct error reason;
    origin_text(&source->origin, "", where, sizeof where);
    if (audio_read(&audio, source->file, &reason))
        return reason.code == ERROR_STOPPED
                   ? stop_check(e)
                   : fail(e, reason.code, "%s%s%.900s", where, *where ? ": " : "", reason.message);
    int status = audio.channels == 1
                     ? resample(samples, frames, audio.samples, audio.frames, audio.rate, rate, e)
                     : fail(e, ERROR_INPUT, "%s%s%s: has %zu channels, but a source plays one; use a mono file", where,
                            *where ? ": " : "", source->file, audio.channels);
    audio_free(&audio);
    return status;
}

/* s: length of the signal, known before it takes memory. */
static double seconds_of(const struct source *s)
{
    switch (s->signal) {
    case SIGNAL_RAISED_COSINE:
        return s->width;
    case SIGNAL_GAUSSIAN:
        return 12.0 * s->width;
    case SIGNAL_SWEEP:
        return s->length;
    case SIGNAL_IMPULSE:
    case SIGNAL_FILE: /* read from the file */
    case SIGNALS:
        break;
    }
    return 0.0;
}

/* Refuses a signal that exceeds the memory before making it. */
static int check_length(const struct source *s, double rate, struct error *e)
{
    const double seconds = seconds_of(s);
    const double bytes = 8.0 * seconds * rate * sizeof(double); /* including deconvolution */
    if (bytes <= (double)memory_available())
        return 0;
    return fail(e, ERROR_MEMORY,
                "source %s: a signal of %g s at %g Hz needs %s of memory, but %s is available; shorten it", s->name,
                seconds, rate, memory_text((uint64_t)bytes), memory_text(memory_available()));
}

static int make_excitation(struct excitation *x, const struct model *m, size_t source, struct error *e)
{
    const struct source *s = &m->room->sources[source];
    double *recording = NULL;
    size_t frames = 0;
    if (check_length(s, m->grid.rate, e) ||
        (s->signal == SIGNAL_FILE && read_recording(&recording, &frames, s, m->grid.rate, e)))
        return -1;
    /* above the edge of the band filter, which therefore limits the band instead of the end of the
     * sweep */
    const double sweep_end = fmin(4.0 / 3.0 * m->grid.valid_frequency, 0.45 * m->grid.rate);
    int status = excitation_make(x, s, m->grid.rate, sweep_end, recording, frames, e);
    free(recording);
    return status;
}

void render_excitations_free(struct excitation *excitations, size_t count)
{
    for (size_t i = 0; excitations && i < count; i++)
        excitation_free(&excitations[i]);
    free(excitations);
}

int render_excitations(struct excitation **out, size_t *onset, const struct model *m, size_t first, size_t count,
                       struct error *e)
{
    struct excitation *all = calloc(count + 1, sizeof *all);
    *onset = 0;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (make_excitation(&all[i], m, first + i, e))
            goto fail;
        if (count > 1 && all[i].deconvolve) {
            fail(e, ERROR_INPUT,
                 "source %s: a sweep cannot be removed from a response to several sources; use another signal, or "
                 "leave out --all-sources",
                 m->room->sources[first + i].name);
            goto fail;
        }
        *onset = all[i].onset > *onset ? all[i].onset : *onset;
    }
    *out = all;
    return 0;
fail:
    render_excitations_free(all, count);
    return -1;
}
