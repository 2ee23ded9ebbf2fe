/* SPDX-License-Identifier: MIT */
#include "render/synth/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/directions.h"
#include "render/drives.h"
#include "render/render.h"
#include "render/synth/strike_force.h"
#include "room/grid/field_placement.h"
#include "room/instrument.h"

static const double WIND_RINGS = 0.2; /* s: of a bore after the breath */

static int check_room(const struct room *room, bool dry, struct error *e)
{
    if (!room->instrument_count)
        return fail(e, ERROR_INPUT, "%s: has no instruments to play; compute its responses with aula render",
                    room->path);
    if (dry && !room->pickup_count)
        return fail(e, ERROR_INPUT,
                    "%s: has no pickups, and without air nothing else records the instruments; add pickups = ( { "
                    "instrument = \"%s\"; place = %s; } );",
                    room->path, room->instruments[0].name,
                    room->instruments[0].type == INSTRUMENT_WIND ? "1.0"
                    : instrument_is_line(&room->instruments[0])  ? "0.3"
                                                                 : "[0.3, 0.2]");
    return 0;
}

/* A force over its duration, not a mallet or a bow. */
static bool is_prescribed(const struct room *room, const struct event *event)
{
    const enum excitation_kind kind = room->instruments[event->instrument].played;
    return kind == EXCITATION_STRIKE || kind == EXCITATION_PLUCK;
}

static int check_score(struct session *s, struct error *e)
{
    size_t late = 0;
    for (size_t i = 0; i < s->score.count; i++)
        late += s->score.events[i].time >= s->output.length.seconds;
    if (!s->score.count && !s->source_count)
        return fail(e, ERROR_INPUT, "%s: nothing plays; add events to the score", s->room->path);
    if (s->score.left_out &&
        lines_add(&s->warnings, &s->warning_count, e,
                  "%zu notes of %s are on channels that score.channels does not name, and are left out",
                  s->score.left_out, s->room->score_file))
        return -1;
    size_t brief = 0;
    for (size_t i = 0; i < s->score.count; i++)
        brief += is_prescribed(s->room, &s->score.events[i]) && s->score.events[i].duration * s->rate < BLOW_STEPS_MIN;
    if (brief &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%zu event%s shorter than two steps of %.3g s, and stretched to two; raise grid.rate for a sharper attack",
            brief, brief == 1 ? " is" : "s are", 1.0 / s->rate))
        return -1;
    if (!late)
        return 0;
    return lines_add(&s->warnings, &s->warning_count, e,
                     "%zu event%s begin%s after time.duration, %g s, and %s not played; raise time.duration", late,
                     late == 1 ? "" : "s", late == 1 ? "s" : "", s->output.length.seconds, late == 1 ? "is" : "are");
}

/* Drives the sources like aula render, but without the high-pass, which is applied to the recording
 * instead. */
static int make_sources(struct session *s, struct excitation **excitations, struct error *e)
{
    const size_t count = s->room->source_count;
    *excitations = NULL;
    if (!s->model || !count)
        return 0;
    if (render_excitations(excitations, &s->onset, s->model, 0, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if ((*excitations)[i].deconvolve)
            return fail(e, ERROR_INPUT, "source %s: a sweep cannot be removed from a piece; use another signal",
                        s->room->sources[i].name);
    s->source_count = count;
    s->onset += drives_lead(s->model, 0, count);
    return 0;
}

static int fill_sources(struct session *s, const struct excitation *excitations, struct error *e)
{
    const size_t steps = s->output.length.steps;
    s->sources = calloc(room_first_drive(s->room, s->source_count) * steps + 1, sizeof *s->sources);
    if (!s->sources)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->source_count; i++)
        if (drives_make(s->sources + room_first_drive(s->room, i) * steps, s->model, i, &excitations[i], s->onset,
                        steps, false, e))
            return -1;
    return 0;
}

static struct excitation recorded(const struct session *s)
{
    return (struct excitation){.onset = s->onset};
}

/* s after an event until the instrument and the body it drives have decayed by 60 dB. */
static double ringing(const struct room *room, const struct event *event)
{
    const struct instrument *played = &room->instruments[event->instrument];
    const double body =
        played->body_index < room->instrument_count ? room->instruments[played->body_index].decay[0] : 0.0;
    return played->type == INSTRUMENT_WIND ? WIND_RINGS : fmax(played->decay[0], body);
}

static struct length length_of_piece(const struct room *room, const struct model *m, const struct score *score,
                                     double signal)
{
    struct length l = {.seconds = room->duration, .chosen = !(room->duration > 0.0), .signal = signal};
    double end = 0.0;
    if (m)
        l.estimate = length_of(m, 0, 0, NULL).estimate;
    for (size_t i = 0; i < score->count; i++)
        l.signal = fmax(l.signal, score->events[i].time + score->events[i].duration);
    if (m && room->source_count)
        end = signal + l.estimate;
    for (size_t i = 0; i < score->count; i++) {
        const struct event *event = &score->events[i];
        end = fmax(end, event->time + event->duration + fmax(ringing(room, event), l.estimate));
    }
    l.max = fmin(l.signal + room->max_duration, LENGTH_MAX);
    if (l.chosen)
        l.seconds = fmin(length_rounded(fmin(end, LENGTH_MAX)), l.max);
    return l;
}

struct session_output session_output(const struct room *room, const struct model *m, const struct score *score,
                                     double signal, double rate, size_t onset)
{
    const struct excitation x = {.onset = onset};
    const struct length length = length_of_piece(room, m, score, signal);
    const double frames = ceil(length.seconds * rate - 1e-9);
    struct session_output o = {.pickups = {.filter = room->output.filter,
                                           .valid_frequency = 0.45 * rate,
                                           .high_pass = RESPONSE_HIGH_PASS,
                                           .output_rate = room->output.rate,
                                           .frames = frames < 1.0 ? 1 : (size_t)frames}};
    o.length = length;
    o.air = o.pickups;
    if (m)
        o.air.valid_frequency = m->grid.valid_frequency;
    const size_t air = response_steps(&x, &o.air, rate), pickups = response_steps(&x, &o.pickups, rate);
    o.length.steps = air > pickups ? air : pickups;
    if (m)
        o.length.steps += (size_t)ceil(directions_reach(room, m->grid.sound_speed) * rate);
    return o;
}

/* Whether a channel has a point with cut links: both are sorted by points. */
static bool is_cut(const struct channel *channel, const struct bodies *bodies)
{
    for (size_t i = 0; i < channel->count; i++) {
        size_t low = 0, high = bodies->cut_count;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (bodies->cuts[middle].point < channel->entries[i].point)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < bodies->cut_count && bodies->cuts[low].point == channel->entries[i].point)
            return true;
    }
    return false;
}

/* The points around a directional source or receiver must lie in the same air, without a surface or
 * shell of an instrument among them. */
static int refuse_cut(const struct session *s, const char *what, const char *name, const struct origin *origin,
                      int order, struct error *e)
{
    char where[512];
    return fail(e, ERROR_INPUT,
                "%s: %s %s has an instrument within %g cells, but a direction needs %.3g m of free air around it; move "
                "it, or raise grid.rate",
                origin_text(origin, s->room->path, where, sizeof where), what, name,
                field_radius(s->model->grid.stencil, order),
                field_radius(s->model->grid.stencil, order) * s->model->grid.spacing);
}

static int check_directions(const struct session *s, struct error *e)
{
    const struct room *room = s->room;
    const struct bodies *bodies = &s->ensemble->bodies;
    for (size_t i = 0; i < room->receiver_count && s->model; i++) {
        const struct receiver *r = &room->receivers[i];
        if (receiver_order(r) && is_cut(&s->model->receivers[room_first_tap(room, i)].channel, bodies))
            return refuse_cut(s, "receiver", r->name, &r->origin, receiver_order(r), e);
    }
    for (size_t i = 0; i < s->source_count; i++) {
        const struct source *source = &room->sources[i];
        if (source_order(source) && is_cut(&s->model->sources[room_first_drive(room, i)].channel, bodies))
            return refuse_cut(s, "source", source->name, &source->origin, source_order(source), e);
    }
    return 0;
}

int session_make(struct session *s, const struct room *room, bool dry, struct error *e)
{
    static const struct grid_use use = {.purpose = PURPOSE_INSTRUMENTS};
    struct excitation *excitations = NULL;
    memset(s, 0, sizeof *s);
    s->room = room;
    if (check_room(room, dry, e) || score_make(&s->score, room, e) ||
        (!dry && model_make_for(&s->model, room, &use, e)))
        goto fail;
    s->rate = s->model ? s->model->grid.rate : room->output.rate > 0.0 ? room->output.rate : 48000.0;
    if (make_sources(s, &excitations, e))
        goto fail;
    const double signal = s->source_count ? length_of(s->model, 0, s->source_count, excitations).signal : 0.0;
    s->output = session_output(room, s->model, &s->score, signal, s->rate, s->onset);
    if (check_score(s, e) || ensemble_make(&s->ensemble, room, &s->score, s->model, s->rate, e))
        goto fail;
    if (check_directions(s, e) || fill_sources(s, excitations, e))
        goto fail;
    render_excitations_free(excitations, s->source_count);
    return 0;
fail:
    render_excitations_free(excitations, room->source_count);
    session_free(s);
    return -1;
}

void session_free(struct session *s)
{
    lines_free(s->warnings, s->warning_count);
    free(s->sources);
    ensemble_free(s->ensemble);
    score_free(&s->score);
    model_free(s->model);
    memset(s, 0, sizeof *s);
}

static struct piece piece_of(const struct session *s)
{
    return (struct piece){.room = s->room,
                          .model = s->model,
                          .ensemble = s->ensemble,
                          .score = &s->score,
                          .rate = s->rate,
                          .steps = s->output.length.steps,
                          .source_count = s->source_count,
                          .sources = s->sources,
                          .onset = s->onset};
}

/* Without air "auto" means the CPU: a GPU has nothing to speed up. */
static struct solver_options choice_for(const struct session *s, const struct solver_options *wanted)
{
    struct solver_options choice = wanted ? *wanted : (struct solver_options){0};
    if (!s->model && (!choice.engine || !strcmp(choice.engine, "auto")))
        choice.engine = "cpu";
    return choice;
}

int session_check(const struct session *s, const struct solver_options *wanted, struct error *e)
{
    const struct solver_options choice = choice_for(s, wanted);
    const struct piece piece = piece_of(s);
    struct performance_problem problem;
    struct solver_plan plan;
    if (performance_problem_make(&problem, &piece, e))
        return -1;
    int status = solver_make_plan(&plan, &problem.problem, &choice, e);
    if (!status && s->model)
        status = check_memory(s->model, &plan, s->source_count, &s->output.length, e);
    performance_problem_free(&problem);
    return status;
}

/* Forms the receivers' channels from their taps. */
static int respond(struct take *r, const struct session *s, const struct traces *taps, const struct excitation *x,
                   struct error *e)
{
    struct traces channels;
    if (directions_are_none(s->room))
        return response_make(&r->air, taps, x, &s->output.air, e);
    if (directions_make(&channels, taps, 0, s->model, e))
        return -1;
    const int status = response_make(&r->air, &channels, x, &s->output.air, e);
    traces_free(&channels);
    return status;
}

/* Whole steps of the grid end slightly after the piece. */
static int end_on_time(struct response *r, const struct session *s, struct error *e)
{
    return r->channels ? response_set_frames(r, length_frames(s->output.length.seconds, r->rate), e) : 0;
}

int take_make(struct take *r, const struct session *s, const struct solver_options *wanted, const struct watch *watch,
              struct error *e)
{
    const struct solver_options choice = choice_for(s, wanted);
    const struct piece piece = piece_of(s);
    const struct excitation x = recorded(s);
    struct performance p;
    memset(r, 0, sizeof *r);
    if (perform(&p, &piece, &choice, watch, e))
        return -1;
    r->plan = p.plan;
    r->outcome = p.outcome;
    int status = (p.air.channels && respond(r, s, &p.air, &x, e)) ||
                 (p.pickups.channels && response_make(&r->pickups, &p.pickups, &x, &s->output.pickups, e)) ||
                 end_on_time(&r->air, s, e) || end_on_time(&r->pickups, s, e);
    r->warnings = p.warnings;
    r->warning_count = p.warning_count;
    p.warnings = NULL;
    p.warning_count = 0;
    performance_free(&p);
    if (status)
        take_free(r);
    return status ? -1 : 0;
}

void take_free(struct take *r)
{
    response_free(&r->air);
    response_free(&r->pickups);
    lines_free(r->warnings, r->warning_count);
    r->warnings = NULL;
    r->warning_count = 0;
}
