/* SPDX-License-Identifier: MIT */
#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/phases.h"
#include "base/stop.h"
#include "base/threads.h"
#include "model/air.h"
#include "render/directions.h"
#include "render/drives.h"
#include "render/mapping.h"
#include "signal/decay_level.h"
#include "signal/steep_filter.h"

struct response_settings render_response_settings(const struct model *m, double seconds)
{
    double frames = ceil(seconds * m->grid.rate - 1e-9);
    return (struct response_settings){.filter = m->room->output.filter,
                                      .valid_frequency = m->grid.valid_frequency,
                                      .high_pass = 0.0, /* simulate() applies it to the drive */
                                      .output_rate = m->room->output.rate,
                                      .frames = frames < 1.0 ? 1 : (size_t)frames};
}

/* One excitation for all: the common onset; a filter only if each is. Its samples stay with excitations[0]. */
static struct excitation combined(const struct excitation *excitations, size_t count, size_t onset)
{
    struct excitation whole = excitations[0];
    whole.onset = onset;
    for (size_t i = 1; i < count; i++)
        whole.is_response = whole.is_response && excitations[i].is_response;
    return whole;
}

/* All that is known before the first step. */
struct plan {
    const struct model *model;
    struct excitation *excitations; /* [count] */
    size_t first, count, onset;
    size_t lead;               /* of the drives: in the onset, unless mapped */
    struct excitation whole;   /* see combined; what the response has in it */
    struct excitation impulse; /* played instead where responses are mapped */
    double impulse_sample[1];
    size_t frames; /* at the grid rate that the response is made from: length.steps, unless mapped */
    struct response_settings settings;
    struct air_filter *air; /* NULL: no air filter */
    struct length length;
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

/* Fills in what depends on the length. */
static int plan_for_length(struct plan *p, struct error *e)
{
    const struct model *m = p->model;
    air_filter_free(p->air);
    p->air = NULL;
    p->settings = render_response_settings(m, p->length.seconds);
    if (air_method(m->room, p->first, p->count) == AIR_FILTER) {
        const struct air_conditions conditions = air_conditions(m->room);
        const struct air_medium medium = {absorption, &conditions, m->grid.sound_speed};
        const double duration = (double)response_steps(&p->whole, &p->settings, m->grid.rate) / m->grid.rate;
        if (air_filter_make(&p->air, &medium, m->grid.rate, duration, e))
            return -1;
        p->settings.air = p->air;
    }
    p->frames = response_steps(&p->whole, &p->settings, m->grid.rate) +
                (size_t)ceil(directions_reach(m->room, m->grid.sound_speed) * m->grid.rate);
    p->length.steps = m->grid.mapped ? mapping_steps(&m->grid, p->frames) + p->lead : p->frames;
    return 0;
}

/* One source, which plays an impulse: a sweep need not be played to be taken out. */
static int plan_mapped(struct plan *p, struct error *e)
{
    if (p->count > 1)
        return fail(e, ERROR_INPUT,
                    "%s: sources that sound at once cannot be mapped in frequency: grid.scheme = \"7-point\", or "
                    "drop --together",
                    p->model->room->path);
    p->impulse = mapping_impulse(p->impulse_sample);
    p->whole.deconvolve = false;
    return 0;
}

static int plan_make(struct plan *p, const struct model *m, size_t first, size_t count, struct error *e)
{
    memset(p, 0, sizeof *p);
    if (render_is_possible(m->room, e))
        return -1;
    p->model = m;
    p->first = first;
    p->count = count;
    if (render_excitations(&p->excitations, &p->onset, m, first, count, e))
        return -1;
    p->lead = drives_lead(m, first, count);
    p->onset += m->grid.mapped ? 0 : p->lead;
    p->whole = combined(p->excitations, count, p->onset);
    if (m->grid.mapped && plan_mapped(p, e))
        goto fail;
    p->length = length_of(m, first, count, p->excitations);
    if (!plan_for_length(p, e))
        return 0;
fail:
    plan_free(p);
    return -1;
}

int render_length(struct length *length, const struct model *m, size_t first, size_t count, struct error *e)
{
    struct plan p;
    if (plan_make(&p, m, first, count, e))
        return -1;
    *length = p.length;
    plan_free(&p);
    return 0;
}

int render_check(const struct model *m, size_t first, size_t count, const struct choice *choice, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct requirement requirement;
    struct length length;
    if (render_length(&length, m, first, count, e) || model_problem(&problem, &leapfrog, m, first, count, e))
        return -1;
    int status = solver_require(&requirement, &problem, choice, e) || check_memory(m, &requirement, count, &length, e);
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

static int warn_of_silence(struct rendering *r, const struct model *m, struct error *e)
{
    const struct traces *t = &r->simulation.traces;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const double *samples = t->samples + room_first_tap(m->room, i) * t->frames; /* of the pressure */
        bool silent = true;
        for (size_t n = 0; n < t->frames && silent; n++)
            silent = samples[n] == 0.0;
        if (silent && warn(r, e, m->room->receivers[i].name))
            return -1;
    }
    return 0;
}

/* Linear phase rings before each arrival; ringing of the direct sound before t = 0 is lost. */
static int warn_of_cut_ringing(struct rendering *r, const struct model *m, const struct response_settings *s,
                               struct error *e)
{
    const double ringing = (double)response_ringing(s, m->grid.rate) / m->grid.rate * m->grid.sound_speed;
    for (size_t i = r->first; i < r->first + r->count; i++)
        for (size_t c = 0; c < room_tap_count(m->room); c++) {
            const double *a = m->sources[room_first_drive(m->room, i)].position, *b = m->receivers[c].position;
            const double distance = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            if (distance < ringing)
                return lines_add(
                    &r->warnings, &r->warning_count, e,
                    "the linear-phase filter rings for %.3g m of way before each sound, and receiver %s is "
                    "%.3g m from source %s: what lies before t = 0 is cut off; output.filter = "
                    "\"minimum-phase\" loses nothing",
                    ringing, room_receiver_of_tap(m->room, c)->name, distance, m->room->sources[i].name);
        }
    return 0;
}

/* A file of few samples a second carries less than the valid band. */
static int warn_of_narrow_file(struct rendering *r, const struct model *m, struct error *e)
{
    const double carried = r->response.band.pass, valid = m->grid.valid_frequency;
    if (r->halves.full || !(carried > 0.0 && carried < valid * (1.0 - 1e-9)))
        return 0;
    return lines_add(&r->warnings, &r->warning_count, e,
                     "a file at %.6g Hz carries up to %.0f Hz, and the response ends there, not at %.0f Hz: give "
                     "output.rate = %.0f",
                     r->response.rate, carried, valid, ceil(r->response.rate * valid / carried));
}

/* The largest decay_level of a receiver, after the end of the signals and the arrival of the direct sound. */
static double slowest_decay(const struct response *response, const struct plan *p)
{
    const struct room *room = p->model->room;
    double slowest = NAN;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const size_t c = room_first_channel(room, i);
        double way = 0.0;
        for (size_t s = p->first; s < p->first + p->count; s++)
            way = fmax(way, travel_time(p->model, s, i));
        const double start = ceil((p->length.signal + way) * response->rate);
        slowest = fmax(slowest, decay_level(response->samples + c * response->frames, response->frames, (size_t)start));
    }
    return slowest;
}

static int step(struct rendering *r, const struct plan *p, const struct watch *watch, struct error *e)
{
    return p->model->grid.mapped ? simulation_step(&r->simulation, &p->impulse, p->lead, p->length.steps, watch, e)
                                 : simulation_step(&r->simulation, p->excitations, p->onset, p->length.steps, watch, e);
}

/* From taps at their true frequencies to a response. */
static int respond_to(struct response *response, const struct traces *taps, const struct plan *p,
                      const struct response_settings *settings, struct error *e)
{
    struct traces channels;
    if (directions_are_none(p->model->room))
        return response_make(response, taps, &p->whole, settings, e);
    if (directions_make(&channels, taps, p->model, e))
        return -1;
    const int status = response_make(response, &channels, &p->whole, settings, e);
    traces_free(&channels);
    return status;
}

/* The record mapped in frequency: once for each length of it. */
static int map_record(struct rendering *r, const struct plan *p, struct error *e)
{
    const struct traces *record = &r->simulation.traces;
    if (r->mapped.samples && r->mapped_steps == record->frames && r->mapped.frames == p->frames)
        return 0;
    traces_free(&r->mapped);
    phase_begin("mapping the frequencies");
    const int status = mapping_apply(&r->mapped, record, p->lead, p->frames, &p->model->grid, &p->whole, e);
    phase_end();
    r->mapped_steps = record->frames;
    return status;
}

/* From the record to a response. */
static int respond(struct response *response, struct rendering *r, const struct plan *p,
                   const struct response_settings *settings, struct error *e)
{
    const bool mapped = p->model->grid.mapped;
    if (mapped && map_record(r, p, e))
        return -1;
    phase_begin("making the response");
    const int status = respond_to(response, mapped ? &r->mapped : &r->simulation.traces, p, settings, e);
    phase_end();
    return status;
}

/* Decay recorded so far, from 63 Hz to the end of the valid band, at the grid rate, and that of rays above; not available for
 * the raw field, which keeps its offset and ramp. */
static int measure_decay(struct rendering *r, const struct plan *p, struct error *e)
{
    struct response_settings settings = p->settings;
    struct response response;
    r->decay = NAN;
    if (settings.filter == FILTER_NONE)
        return 0;
    settings.output_rate = 0.0;
    if (respond(&response, r, p, &settings, e))
        return -1;
    /* below the octaves walls are not fitted, modes may ring very long, and a sweep leaves residues */
    const double lowest = fmin(octave_band_centre[0], 0.5 * settings.valid_frequency);
    for (size_t c = 0; c < response.channels; c++)
        steep_high_pass(response.samples + c * response.frames, response.frames, lowest, response.rate);
    r->decay = slowest_decay(&response, p);
    response_free(&response);
    if (!p->length.chosen || !(r->decay <= DECAY_WANTED))
        return 0;
    double rays; /* only where waves have decayed already */
    if (full_band_decay(&rays, p->length.seconds, p->model, p->first, p->count, e))
        return -1;
    r->decay = fmax(r->decay, rays);
    return 0;
}

/* "auto": extends the run until it has decayed, or the limit or the memory ends it. */
static int follow_decay(struct rendering *r, struct plan *p, const struct watch *watch, struct error *e)
{
    const struct model *m = p->model;
    struct error too_large;
    while (!(r->decay <= DECAY_WANTED)) {
        struct length longer = p->length;
        if (isnan(r->decay) || !length_extend(&longer))
            break;
        const struct length before = p->length;
        p->length = longer;
        if (plan_for_length(p, e))
            return -1;
        if (check_memory(m, &r->simulation.requirement, p->count, &p->length, &too_large)) {
            p->length = before;
            return plan_for_length(p, e) ||
                   lines_add(
                       &r->warnings, &r->warning_count, e,
                       "the decay was followed for %g s only, to %.0f dB: memory for a longer response is missing",
                       before.seconds, r->decay);
        }
        if (step(r, p, watch, e) || measure_decay(r, p, e))
            return -1;
    }
    return 0;
}

/* Warns when the response is too short for reverberation metrics. */
static int warn_of_short_decay(struct rendering *r, const struct plan *p, struct error *e)
{
    if (p->length.chosen && r->decay > DECAY_WANTED && !(p->length.seconds < p->length.max))
        return lines_add(&r->warnings, &r->warning_count, e,
                         "after %g s, where time.max_duration ends it, the decay is %.0f dB down only, not %.0f dB",
                         p->length.seconds, fabs(r->decay), -DECAY_WANTED);
    if (p->length.chosen && isnan(r->decay) && p->settings.filter != FILTER_NONE)
        return lines_add(
            &r->warnings, &r->warning_count, e,
            "%g s, where time.max_duration ends it, are over before all signals have ended and their sound "
            "has arrived everywhere",
            p->length.seconds);
    if (!p->length.chosen && r->decay > DECAY_MEASURABLE)
        return lines_add(
            &r->warnings, &r->warning_count, e,
            "time.duration, %g s, ends while the decay is %.0f dB down only; a reverberation time needs %.0f dB: "
            "\"auto\" takes as long as the decay does",
            p->length.seconds, fabs(r->decay), -DECAY_MEASURABLE);
    return 0;
}

/* Rays follow a scattering that waves do not know. */
static int warn_of_decays(struct rendering *r, struct error *e)
{
    const double *decay = r->halves.decay, ratio = decay[1] / decay[0];
    if (!(fabs(ratio - 1.0) > BAND_DECAYS_APART))
        return 0;
    return lines_add(
        &r->warnings, &r->warning_count, e,
        "in the octave of %.0f Hz, below the crossover, waves decay by 60 dB in %.2f s and rays in %.2f s, "
        "%+.0f %%: materials.NAME.scattering sets how rays decay; nothing was adjusted",
        r->halves.octave, decay[0], decay[1], 100.0 * (ratio - 1.0));
}

/* Rays that met no face left through a gap. */
static int warn_of_lost_rays(struct rendering *r, struct error *e)
{
    if (!(r->halves.lost > r->halves.rays / 1000))
        return 0;
    return lines_add(
        &r->warnings, &r->warning_count, e,
        "%zu of %zu rays left the room through gaps between its faces: the late sound above %.0f Hz is too "
        "weak",
        r->halves.lost, r->halves.rays, r->halves.edge);
}

/* The response, over the whole band where it is wanted. */
static int respond_fully(struct rendering *r, const struct plan *p, struct error *e)
{
    struct response_settings settings = p->settings;
    double *gains = calloc(p->count + 1, sizeof *gains);
    char why[160];
    if (!gains)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < p->count; i++)
        gains[i] = p->excitations[i].gain;
    r->halves = band_halves_of(p->model, p->first, p->count, why);
    if (r->halves.full)
        settings.filter = FILTER_NONE; /* the crossover is the low-pass */
    int status = respond(&r->response, r, p, &settings, e);
    if (!status && r->halves.full)
        status = full_band_join(&r->response, &r->halves, p->model, p->first, p->count, gains, e) ||
                         warn_of_decays(r, e) || warn_of_lost_rays(r, e)
                     ? -1
                     : 0;
    if (!status && *why && p->model->room->band.given)
        status = lines_add(&r->warnings, &r->warning_count, e, "band.full adds nothing: %s", why);
    free(gains);
    return status;
}

static int render_planned(struct rendering *r, struct plan *p, const struct choice *choice, const struct watch *watch,
                          struct error *e)
{
    struct simulation *s = &r->simulation;
    if (simulation_begin(s, p->model, p->first, p->count, &p->length, choice, e) || step(r, p, watch, e))
        return -1;
    if (measure_decay(r, p, e) || (p->length.chosen && follow_decay(r, p, watch, e))) {
        if (e->code == ERROR_STOPPED && stop_terminated())
            simulation_keep(s, false);
        return -1;
    }
    simulation_keep(s, true);
    simulation_end(s); /* frees memory for the next stage */
    return warn_of_silence(r, p->model, e) ||
                   (!band_halves_of(p->model, p->first, p->count, NULL).full &&
                    warn_of_cut_ringing(r, p->model, &p->settings, e)) ||
                   warn_of_short_decay(r, p, e) || respond_fully(r, p, e) || warn_of_narrow_file(r, p->model, e)
               ? -1
               : 0;
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
    const int threads = threads_limit(choice->threads);
    const int status = render_planned(r, &p, choice, watch, e);
    threads_limit(threads);
    simulation_end(&r->simulation);
    traces_free(&r->simulation.traces);
    traces_free(&r->mapped);
    r->length = p.length;
    r->excitation = p.whole; /* takes over the samples of the first excitation */
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
    simulation_end(&r->simulation);
    traces_free(&r->simulation.traces);
    traces_free(&r->mapped);
    memset(r, 0, sizeof *r);
}
