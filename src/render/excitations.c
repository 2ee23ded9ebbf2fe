/* SPDX-License-Identifier: MIT */
/* The excitations of render.h. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/resample.h"
#include "io/audio_file.h"
#include "render/render.h"

/* The samples of a source's sound file at the grid rate. Messages begin with its place in the room file. */
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
                     : fail(e, ERROR_INPUT, "%s%s%s: has %zu channels: a source plays one; make a mono file of it",
                            where, *where ? ": " : "", source->file, audio.channels);
    audio_free(&audio);
    return status;
}

/* s: what is computed of it, before it is known how much memory that takes. */
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
    case SIGNAL_FILE: /* read, not made */
    case SIGNALS:
        break;
    }
    return 0.0;
}

/* Refuses a signal longer than the memory before it is made. */
static int check_length(const struct source *s, double rate, struct error *e)
{
    const double seconds = seconds_of(s);
    const double bytes = 8.0 * seconds * rate * sizeof(double); /* including deconvolution */
    if (bytes <= (double)memory_available())
        return 0;
    return fail(e, ERROR_MEMORY,
                "source %s: a signal of %g s at %g Hz needs %s of memory and %s is available: shorten it", s->name,
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
    /* above the band filter's edge, so that the filter and not the end of the sweep limits the band */
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
                 "source %s: a sweep cannot be taken out of sources that sound together: use another signal, or drop "
                 "--all-sources",
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
