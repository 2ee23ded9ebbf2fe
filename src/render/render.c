#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "io/audio_file.h"
#include "model/air.h"
#include "signal/resample.h"

struct response_settings render_response_settings(const struct model *m)
{
    double frames = ceil(m->room->duration * m->grid.rate - 1e-9);
    return (struct response_settings){.filter = m->room->output.filter,
                                      .valid_frequency = m->grid.valid_frequency,
                                      .high_pass = 0.0, /* simulate() puts it through the drive */
                                      .output_rate = m->room->output.rate,
                                      .frames = frames < 1.0 ? 1 : (size_t)frames};
}

/* The samples of a source's sound file at the grid rate. Messages begin with where the room file names it. */
static int read_recording(double **samples, size_t *frames, const struct source *source, double rate, struct error *e)
{
    struct audio audio;
    char where[512];
    struct error reason;
    origin_text(&source->origin, "", where, sizeof where);
    if (audio_read(&audio, source->file, &reason))
        return fail(e, reason.code, "%s%s%.900s", where, *where ? ": " : "", reason.message);
    int status = audio.channels == 1
                     ? resample(samples, frames, audio.samples, audio.frames, audio.rate, rate, e)
                     : fail(e, ERROR_INPUT, "%s%s%s: has %zu channels: a source plays one; make a mono file of it",
                            where, *where ? ": " : "", source->file, audio.channels);
    audio_free(&audio);
    return status;
}

/* A signal longer than the memory is refused before it is made. */
static int check_length(const struct source *s, double rate, struct error *e)
{
    const double seconds = s->signal == SIGNAL_SWEEP           ? s->length
                           : s->signal == SIGNAL_FILE          ? 0.0
                           : s->signal == SIGNAL_IMPULSE       ? 0.0
                           : s->signal == SIGNAL_RAISED_COSINE ? s->width
                                                               : 12.0 * s->width;
    const double bytes = 8.0 * seconds * rate * sizeof(double); /* with what deconvolution takes */
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
    /* beyond the band filter, so that this filter and not the end of the sweep makes the upper edge */
    const double sweep_end = fmin(1.25 * m->grid.valid_frequency, 0.45 * m->grid.rate);
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
                 "--together",
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

/* The one excitation that stands for all when the response is made: the common onset, and a filter only when each is.
 * Its samples stay with excitations[0]. */
static struct excitation combined(const struct excitation *excitations, size_t count, size_t onset)
{
    struct excitation whole = excitations[0];
    whole.onset = onset;
    for (size_t i = 1; i < count; i++)
        whole.is_response = whole.is_response && excitations[i].is_response;
    return whole;
}

/* What is settled before the first step. */
struct plan {
    struct excitation *excitations; /* [count] */
    size_t count, onset;
    struct excitation whole; /* see combined */
    struct response_settings settings;
    struct air_filter *air; /* NULL: the response is not filtered so */
    size_t steps;
};

static void plan_free(struct plan *p)
{
    render_excitations_free(p->excitations, p->count);
    air_filter_free(p->air);
    memset(p, 0, sizeof *p);
}

static double absorption(const void *conditions, double frequency)
{
    return air_absorption(frequency, conditions);
}

int render_is_possible(const struct room *room, struct error *e)
{
    if (room->source_count && room->receiver_count)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: has no %s, so there is no response to compute: give %s, or play its instruments with: aula synth %s",
        room->path, room->source_count ? "receivers" : "sources", room->source_count ? "a receiver" : "a source",
        room->path);
}

static int plan_make(struct plan *p, const struct model *m, size_t first, size_t count, struct error *e)
{
    memset(p, 0, sizeof *p);
    if (render_is_possible(m->room, e))
        return -1;
    p->count = count;
    if (render_excitations(&p->excitations, &p->onset, m, first, count, e))
        return -1;
    p->whole = combined(p->excitations, count, p->onset);
    p->settings = render_response_settings(m);
    if (air_method(m->room, first, count) == AIR_FILTER) {
        const struct air_conditions conditions = air_conditions(m->room);
        const struct air_medium medium = {absorption, &conditions, m->grid.sound_speed};
        const double duration = (double)response_steps(&p->whole, &p->settings, m->grid.rate) / m->grid.rate;
        if (air_filter_make(&p->air, &medium, m->grid.rate, duration, e)) {
            plan_free(p);
            return -1;
        }
        p->settings.air = p->air;
    }
    p->steps = response_steps(&p->whole, &p->settings, m->grid.rate);
    return 0;
}

int render_steps(size_t *steps, const struct model *m, size_t first, size_t count, struct error *e)
{
    struct plan p;
    if (plan_make(&p, m, first, count, e))
        return -1;
    *steps = p.steps;
    plan_free(&p);
    return 0;
}

int render_check(const struct model *m, size_t first, size_t count, const struct choice *choice, struct error *e)
{
    struct problem problem;
    struct requirement requirement;
    size_t steps;
    if (render_steps(&steps, m, first, count, e) || model_problem(&problem, m, first, count, e))
        return -1;
    int status = solver_require(&requirement, &problem, choice, e) || check_memory(m, &requirement, count, steps, e);
    model_problem_free(&problem);
    return status;
}

static int warn(struct rendering *r, struct error *e, const char *name)
{
    return lines_add(
        &r->warnings, &r->warning_count, e,
        "receiver %s hears nothing: it is closed off from the source, or time.duration ends before sound arrives",
        name);
}

static int look_for_silence(struct rendering *r, const struct model *m, struct error *e)
{
    const struct traces *t = &r->simulation.traces;
    for (size_t c = 0; c < t->channels; c++) {
        bool silent = true;
        for (size_t n = 0; n < t->frames && silent; n++)
            silent = t->samples[c * t->frames + n] == 0.0;
        if (silent && warn(r, e, m->room->receivers[c].name))
            return -1;
    }
    return 0;
}

int render_sources(struct rendering *r, const struct model *m, size_t first, size_t count, const struct choice *choice,
                   const struct watch *watch, struct error *e)
{
    struct plan p;
    memset(r, 0, sizeof *r);
    r->first = first;
    r->count = count;
    if (plan_make(&p, m, first, count, e))
        return -1;
    int status = simulate(&r->simulation, m, first, count, p.excitations, p.onset, p.steps, choice, watch, e);
    if (!status)
        status =
            look_for_silence(r, m, e) || response_make(&r->response, &r->simulation.traces, &p.whole, &p.settings, e);
    traces_free(&r->simulation.traces);
    r->excitation = p.whole; /* the first excitation's samples move here */
    p.excitations[0].samples = NULL;
    plan_free(&p);
    if (status)
        rendering_free(r);
    return status;
}

void rendering_free(struct rendering *r)
{
    lines_free(r->warnings, r->warning_count);
    response_free(&r->response);
    excitation_free(&r->excitation);
    traces_free(&r->simulation.traces);
    memset(r, 0, sizeof *r);
}
