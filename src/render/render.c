/* SPDX-License-Identifier: MIT */
#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase_timer.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "dsp/band_filter.h"
#include "dsp/decay_level.h"
#include "dsp/resample.h"
#include "render/directions.h"
#include "render/drives.h"
#include "render/geometric.h"
#include "render/mapping.h"
#include "render/near_sound.h"
#include "render/warnings.h"
#include "room/grid/air.h"

struct response_settings render_response_settings(const struct model *m, double seconds)
{
    double frames = ceil(seconds * m->grid.rate - 1e-9);
    return (struct response_settings){.filter = m->room->output.filter,
                                      .valid_frequency = m->grid.valid_frequency,
                                      .high_pass = 0.0, /* simulate() applies it to the drive */
                                      .output_rate = m->room->output.rate,
                                      .frames = frames < 1.0 ? 1 : (size_t)frames,
                                      .drifts = m->room->output.filter != FILTER_NONE};
}

/* One excitation for all sources: the common onset; a filter only if each of them is.
 * excitations[0] keeps its samples. */
static struct excitation combined(const struct excitation *excitations, size_t count, size_t onset)
{
    struct excitation whole = excitations[0];
    whole.onset = onset;
    for (size_t i = 1; i < count; i++)
        whole.is_response = whole.is_response && excitations[i].is_response;
    return whole;
}

/* Frames ahead of the emission: they hold the step with which ringing begins, and let it die away
 * when filtered. */
enum { DIRECTIONS_LEAD = 128 };

/* All that is known before the first step. */
struct plan {
    const struct model *model;
    struct excitation *excitations; /* [count] */
    size_t first, count, onset;
    size_t ahead;              /* of mapped taps: frames of ringing before t = 0, included in the onset */
    size_t lead;               /* of the drives: included in the onset unless mapped */
    struct excitation whole;   /* see combined; the excitation that the response contains */
    struct excitation impulse; /* replaces the signals if responses are mapped */
    double impulse_sample[1];
    size_t frames; /* at the grid rate, input of the response: length.steps unless mapped */
    struct response_settings settings;
    struct air_filter *air; /* NULL: no air filter */
    struct near_sound near;
    struct length length;
    int device;                         /* index of the GPU, if one steps */
    const struct response_taker *taker; /* of the responses; NULL: they are kept */
};

static void plan_free(struct plan *p)
{
    render_excitations_free(p->excitations, p->count);
    air_filter_free(p->air);
    near_sound_free(&p->near);
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
    return fail(e, ERROR_INPUT, "%s: has no %s; add %s, or play the instruments with aula synth %s", room->path,
                room->source_count ? "receivers" : "sources", room->source_count ? "a receiver" : "a source",
                room->path);
}

/* Fills in the members that depend on the length. */
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
    p->length.steps = m->grid.mapped ? mapping_steps(&m->grid, p->frames - p->ahead) + p->lead : p->frames;
    return 0;
}

/* A single source, which plays an impulse instead of its sweep. */
static int plan_mapped(struct plan *p, struct error *e)
{
    if (p->count > 1)
        return fail(e, ERROR_INPUT,
                    "%s: responses to several sources at a time cannot be mapped in frequency; set grid.scheme = "
                    "\"7-point\", or leave out --all-sources",
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
    p->ahead = m->grid.mapped ? mapping_ringing(&m->grid) : 0; /* filtered before the cut at t = 0 */
    p->onset += m->grid.mapped ? p->ahead : p->lead;
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

int render_check(const struct model *m, size_t first, size_t count, const struct solver_options *choice,
                 struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver_plan plan;
    struct length length;
    if (render_length(&length, m, first, count, e) || model_problem(&problem, &leapfrog, m, first, count, e))
        return -1;
    int status = solver_make_plan(&plan, &problem, choice, e) || check_memory(m, &plan, count, &length, e);
    model_problem_free(&problem);
    return status;
}

/* The excitation as stepped, mapped or not. */
static const struct excitation *played(const struct plan *p)
{
    return p->model->grid.mapped ? &p->impulse : p->excitations;
}

static int step(struct rendering *r, const struct plan *p, const struct watch *watch, struct error *e)
{
    const size_t onset = p->model->grid.mapped ? p->lead : p->onset;
    return simulation_step(&r->simulation, played(p), onset, p->length.steps, watch, e);
}

/* From taps at their true frequencies to channels: the taps themselves or, with directional
 * receivers, *formed. *x: the excitation that they respond to. NULL after an error. */
static const struct traces *form_channels(struct traces *formed, struct excitation *x, const struct traces *taps,
                                          const struct plan *p, struct error *e)
{
    const struct room *room = p->model->room;
    *x = p->whole;
    if (directions_are_none(room))
        return taps;
    const size_t lead = directions_ring_ahead(room) ? DIRECTIONS_LEAD : 0;
    x->onset += lead;
    return directions_make(formed, taps, lead, p->model, e) ? NULL : formed;
}

/* Corrects the direct sound of nearby sources in the channels of ambisonic receivers. */
static int part_direct(struct traces *formed, const struct rendering *r, const struct plan *p, struct error *e)
{
    const struct model *m = p->model;
    const size_t lead = directions_ring_ahead(m->room) ? DIRECTIONS_LEAD : 0;
    struct near_direct direct;
    struct traces mapped = {.samples = NULL};
    int status = near_direct_make(&direct, &p->near, &r->simulation.traces, m, p->first, played(p),
                                  m->grid.mapped ? p->lead : p->onset, e);
    if (!status && direct.count && m->grid.mapped)
        status = mapping_apply(&mapped, &direct.traces, p->lead, p->ahead, p->frames, p->settings.drifts, &m->grid,
                               &p->whole, e);
    const struct traces *alone = m->grid.mapped ? &mapped : &direct.traces;
    for (size_t i = 0; i < direct.count && !status; i++)
        status = directions_part(formed, direct.tap[i], alone->samples + i * alone->frames, alone->frames, lead, m, e);
    traces_free(&mapped);
    near_direct_free(&direct);
    return status;
}

/* The record with the direct sound of nearby sources corrected; *fresh holds it if there is any. */
static const struct traces *correct(struct traces *fresh, const struct rendering *r, const struct plan *p,
                                    struct error *e)
{
    const struct traces *record = &r->simulation.traces;
    if (!p->near.count)
        return record;
    return near_sound_add(fresh, record, &p->near, p->model, p->first, played(p),
                          p->model->grid.mapped ? p->lead : p->onset, e)
               ? NULL
               : fresh;
}

/* Maps the record in frequency, once per length. */
static int map_record(struct rendering *r, const struct plan *p, const struct traces *record, struct error *e)
{
    if (r->mapped.samples && r->mapped_steps == record->frames && r->mapped.frames == p->frames)
        return 0;
    traces_free(&r->mapped);
    phase_begin("mapping the frequencies");
    const int status = mapping_apply(&r->mapped, record, p->lead, p->ahead, p->frames, p->settings.drifts,
                                     &p->model->grid, &p->whole, e);
    phase_end();
    r->mapped_steps = record->frames;
    return status;
}

/* From the record to a response or, if response is NULL, to parts of a few channels for the taker. */
static int respond(struct response *response, struct rendering *r, const struct plan *p,
                   struct response_settings settings, const struct response_taker *taker, struct error *e)
{
    const bool mapped = p->model->grid.mapped;
    struct traces fresh = {.samples = NULL}, formed = {.samples = NULL};
    struct excitation x;
    const struct traces *record = correct(&fresh, r, p, e), *channels = NULL;
    int status = record ? 0 : -1;
    if (mapped && !status)
        status = map_record(r, p, record, e);
    settings.drifts = settings.drifts && !mapped; /* removed before the map */
    phase_begin("making the response");
    if (!status)
        channels = form_channels(&formed, &x, mapped ? &r->mapped : record, p, e);
    if (channels == &formed && p->near.count && part_direct(&formed, r, p, e))
        channels = NULL;
    if (!channels)
        status = -1;
    else
        status = response
                     ? response_make(response, channels, &x, &settings, e)
                     : response_parts(channels, &x, &settings, taker == p->taker ? p->length.seconds : 0.0, taker, e);
    phase_end();
    traces_free(&formed);
    traces_free(&fresh);
    return status;
}

/* The slowest decay_level of all receivers, updated response by response. */
struct slowest {
    double *start; /* [channels] s: end of the signals and arrival of the direct sound; NaN: skipped */
    double lowest; /* Hz */
    double decay;  /* dB; NaN: none yet */
};

/* Follows the first channel of each receiver, or each position of an array. */
static int find_starts(struct slowest *found, const struct plan *p, struct error *e)
{
    const struct room *room = p->model->room;
    const size_t channels = room_channel_count(room);
    found->start = malloc((channels + 1) * sizeof *found->start);
    if (!found->start)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < channels; c++)
        found->start[c] = NAN;
    for (size_t i = 0, c = 0; i < room->receiver_count; c += receiver_channels(&room->receivers[i++]))
        for (size_t place = 0; place < receiver_place_count(&room->receivers[i]); place++) {
            double way = 0.0;
            for (size_t s = p->first; s < p->first + p->count; s++)
                way = fmax(way, travel_time(p->model, s, i, place));
            found->start[c + place] = p->length.signal + way;
        }
    return 0;
}

static int take_decay(void *context, size_t first, struct response *part, struct error *e)
{
    struct slowest *found = context;
    double decay = NAN;
    for (size_t c = 0; c < part->channels; c++) {
        double *samples = part->samples + c * part->frames;
        if (isnan(found->start[first + c]))
            continue;
        steep_high_pass(samples, part->frames, found->lowest, part->rate);
        const double start = ceil(found->start[first + c] * part->rate);
        decay = fmax(decay, decay_level(samples, part->frames, (size_t)start));
    }
#pragma omp critical(slowest_decay)
    found->decay = fmax(found->decay, decay);
    return stop_check(e);
}

/* Decay recorded up to now: of the wave solver from 63 Hz to the end of the valid band, at the grid
 * rate, and of the rays above. Not available for the raw field, which keeps its offset and ramp. */
static int measure_decay(struct rendering *r, const struct plan *p, struct error *e)
{
    struct response_settings settings = p->settings;
    r->decay = NAN;
    if (settings.filter == FILTER_NONE)
        return 0;
    settings.output_rate = 0.0;
    /* below the octaves walls are not fitted, modes may ring very long, and a sweep leaves residues */
    struct slowest found = {.lowest = fmin(octave_band_centre[0], 0.5 * settings.valid_frequency), .decay = NAN};
    const struct response_taker taker = {take_decay, &found};
    const int status = find_starts(&found, p, e) || respond(NULL, r, p, settings, &taker, e) ? -1 : 0;
    free(found.start);
    if (status)
        return -1;
    r->decay = found.decay;
    if (!p->length.chosen || !(r->decay <= DECAY_WANTED))
        return 0;
    double rays; /* needed only if the wave solver's part has decayed */
    if (hybrid_decay(&rays, p->length.seconds, p->model, p->first, p->count, e))
        return -1;
    r->decay = fmax(r->decay, rays);
    return 0;
}

/* "auto": extends the run until it has decayed or reaches the limit or the end of memory. */
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
        if (check_memory(m, &r->simulation.plan, p->count, &p->length, &too_large)) {
            p->length = before;
            return plan_for_length(p, e) ||
                   lines_add(&r->warnings, &r->warning_count, e,
                             "not enough memory for a longer response, which ends after %g s with its level at %.0f dB",
                             before.seconds, r->decay);
        }
        if (step(r, p, watch, e) || measure_decay(r, p, e))
            return -1;
    }
    return 0;
}

static double *gains_of(const struct plan *p, struct error *e)
{
    double *gains = calloc(p->count + 1, sizeof *gains);
    if (!gains)
        fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < p->count && gains; i++)
        gains[i] = p->excitations[i].gain;
    return gains;
}

/* A GPU that steps the waves also traces the rays. */
static struct geometric_effort effort_of(const struct rendering *r, const struct plan *p)
{
    struct geometric_effort effort = geometric_whole;
    effort.on_device = r->simulation.plan.on_device;
    effort.device = p->device;
    return effort;
}

/* If a GPU steps the waves and the length is known, the geometric part is computed meanwhile. */
static int begin_aside(struct geometric_async **aside, const struct rendering *r, const struct plan *p, int threads,
                       const struct watch *watch, struct error *e)
{
    const struct hybrid_halves halves = hybrid_halves_of(p->model, p->first, p->count, NULL);
    if (!halves.full || p->length.chosen || !watch || !watch->alone || !r->simulation.plan.on_device)
        return 0;
    const struct geometric_band band = hybrid_geometry(&halves);
    const struct geometric_effort effort = effort_of(r, p);
    const double rate = model_output_rate(p->model);
    const size_t frames = resample_frames(p->settings.frames, p->model->grid.rate, rate);
    double *gains = gains_of(p, e);
    const int status = gains ? geometric_async_begin(aside, frames, rate, &band, &effort, p->model, p->first, p->count,
                                                     gains, threads, e)
                             : -1;
    free(gains);
    return status;
}

/* Adds the geometric part, computed aside (which frees *aside) or here. */
static int join_halves(struct rendering *r, const struct plan *p, struct geometric_async **aside, struct error *e)
{
    const struct geometric_band band = hybrid_geometry(&r->halves);
    const struct geometric_effort effort = effort_of(r, p);
    const struct response *response = &r->response;
    struct geometric g = {.images = NULL};
    double *gains = gains_of(p, e);
    int status = gains ? 0 : -1;
    if (!status && *aside) {
        phase_begin("waiting for image sources and rays");
        status = geometric_async_end(*aside, &g, e);
        phase_end();
        *aside = NULL;
    }
    if (!status && g.frames != response->frames) {
        geometric_free(&g);
        status = geometric_make(&g, response->frames, response->rate, &band, &effort, p->model, p->first, p->count,
                                gains, e);
    }
    status = status || hybrid_join(&r->response, &r->halves, &g, p->model, p->count, e) ? -1 : 0;
    geometric_free(&g);
    free(gains);
    return status;
}

/* Only for impulses and deconvolved signals: other signals may begin before t = 0. */
static int fade_in(struct response *response, const struct plan *p, struct error *e)
{
    const struct model *m = p->model;
    double *arrival = malloc((m->room->receiver_count + 1) * sizeof *arrival);
    if (!arrival)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        arrival[i] = p->whole.is_response ? INFINITY : 0.0;
        for (size_t s = p->first; s < p->first + p->count; s++)
            arrival[i] = fmin(arrival[i], travel_time(m, s, i, 0));
    }
    directions_fade_in(response->samples, response->frames, response->rate, arrival, m);
    free(arrival);
    return 0;
}

/* The response, hybrid if requested. */
static int respond_fully(struct rendering *r, const struct plan *p, struct geometric_async **aside, struct error *e)
{
    struct response_settings settings = p->settings;
    char why[160];
    r->halves = hybrid_halves_of(p->model, p->first, p->count, why);
    if (r->halves.full)
        settings.filter = FILTER_NONE; /* the crossover is the low-pass */
    const bool whole = !p->taker || r->halves.full || !directions_are_none(p->model->room);
    int status = respond(whole ? &r->response : NULL, r, p, settings, p->taker, e);
    if (!status && r->halves.full)
        status = join_halves(r, p, aside, e) || warn_of_decays(r, e) || warn_of_lost_rays(r, e) ? -1 : 0;
    if (!status && whole)
        status = fade_in(&r->response, p, e) ||
                         response_set_frames(&r->response, length_frames(p->length.seconds, r->response.rate), e)
                     ? -1
                     : 0;
    if (!status && p->taker && whole)
        status = response_split(&r->response, p->taker, e);
    if (!status && *why && p->model->room->hybrid.given)
        status = lines_add(&r->warnings, &r->warning_count, e, "hybrid.full has no effect: %s", why);
    return status;
}

static int render_waves(struct rendering *r, struct plan *p, const struct watch *watch, struct error *e)
{
    struct simulation *s = &r->simulation;
    if (step(r, p, watch, e))
        return -1;
    r->decay = NAN;
    if (((p->length.chosen || !p->taker) && measure_decay(r, p, e)) ||
        (p->length.chosen && follow_decay(r, p, watch, e))) {
        if (e->code == ERROR_STOPPED && stop_terminated())
            simulation_keep(s, false);
        return -1;
    }
    simulation_keep(s, true);
    simulation_end(s); /* frees memory for the next stage */
    return 0;
}

static int render_planned(struct rendering *r, struct plan *p, const struct solver_options *choice,
                          const struct watch *watch, struct error *e)
{
    struct geometric_async *aside = NULL;
    const int status = simulation_begin(&r->simulation, p->model, p->first, p->count, &p->length, choice, e) ||
                       begin_aside(&aside, r, p, choice->threads, watch, e) || render_waves(r, p, watch, e) ||
                       warn_of_silence(r, p->model, e) ||
                       (!hybrid_halves_of(p->model, p->first, p->count, NULL).full &&
                        warn_of_cut_ringing(r, p->model, &p->settings, e)) ||
                       warn_of_short_decay(r, &p->length, p->settings.filter != FILTER_NONE, e) ||
                       respond_fully(r, p, &aside, e) || warn_of_narrow_file(r, p->model, e);
    geometric_async_drop(aside);
    return status ? -1 : 0;
}

static int make_near(struct plan *p, struct error *e)
{
    phase_begin("finding the direct sound near sources");
    const int status = near_sound_make(&p->near, p->model, p->first, p->count, e);
    phase_end();
    return status;
}

/* Keeps the response, or passes parts to the taker, one per thread. */
static int render_or_take(struct rendering *r, const struct plan *wanted, const struct solver_options *choice,
                          const struct watch *watch, struct error *e)
{
    struct plan p;
    memset(r, 0, sizeof *r);
    r->first = wanted->first;
    r->count = wanted->count;
    if (plan_make(&p, wanted->model, wanted->first, wanted->count, e))
        return -1;
    p.taker = wanted->taker;
    p.device = choice->device_count ? choice->devices[0] : choice->device;
    const int threads = threads_limit(choice->threads);
    p.length.part = p.taker ? (size_t)RESPONSE_PART * (size_t)threads_limit(0) : 0;
    const int status = make_near(&p, e) || render_planned(r, &p, choice, watch, e) ? -1 : 0;
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

int render_sources(struct rendering *r, const struct model *m, size_t first, size_t count,
                   const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    const struct plan wanted = {.model = m, .first = first, .count = count};
    return render_or_take(r, &wanted, choice, watch, e);
}

int render_for(struct rendering *r, const struct model *m, size_t source, const struct solver_options *choice,
               const struct watch *watch, const struct response_taker *taker, struct error *e)
{
    const struct plan wanted = {.model = m, .first = source, .count = 1, .taker = taker};
    return render_or_take(r, &wanted, choice, watch, e);
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
