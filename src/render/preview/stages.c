/* SPDX-License-Identifier: MIT */
#include "render/preview/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "render/geometric.h"
#include "render/hybrid_response.h"
#include "render/preview/level.h"
#include "render/preview/mixer.h"
#include "render/preview/room_on_grid.h"
#include "render/trial.h"

static const double growth = 1.5;                          /* ratio of rates from stage to stage: five times the work */
static const double coarsest = 1000.0;                     /* Hz: lower rates carry too little of the spectrum */
static const size_t few_rays = 10000, few_reflections = 3; /* a few tenths of a second; decays within 1 % */
static const double coarse_points = 1e6, finer = 4.0;      /* of the grid for the first walls and positions */

/* Whether any channel of a receiver is monitored, or taken. */
static bool hears(const struct stages *s, const struct room *room, size_t receiver)
{
    const struct monitor *l = &s->monitor;
    if (s->taker.take)
        return true;
    for (size_t i = 0; i < l->receivers + l->field; i++)
        if (room_receiver_of(room, l->channel[i]) == &room->receivers[receiver])
            return true;
    return false;
}

/* The room of a stage, on its own grid at rate 0, without the receivers after the last monitored
 * one; *sources is storage for its sources. */
static int stage_room(struct room *room, struct source **sources, const struct stages *s, double rate, bool last,
                      struct error *e)
{
    *sources = malloc(s->room->source_count * sizeof **sources);
    if (!*sources)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(*sources, s->room->sources, s->room->source_count * sizeof **sources);
    (*sources)[s->source].signal = SIGNAL_IMPULSE;
    *room = rate > 0.0 ? room_on_grid(s->room, &s->own, rate) : *s->room;
    room->sources = *sources;
    while (room->receiver_count > 1 && !hears(s, room, room->receiver_count - 1))
        room->receiver_count--;
    if (!last) {
        room->hybrid.rays = room->hybrid.rays < few_rays ? room->hybrid.rays : few_rays;
        if (!room->hybrid.order || room->hybrid.order > few_reflections)
            room->hybrid.order = few_reflections;
    }
    room->output.rate = s->out_rate;
    room->output.filter = FILTER_VALID;
    room->output.normalise = NORMALISE_NONE;
    return 0;
}

static struct grid_use use_of(const struct stages *s)
{
    return (struct grid_use){.purpose = PURPOSE_RESPONSES, .first = s->source, .count = 1};
}

static int make_model(struct model **m, const struct room *room, const struct stages *s, struct error *e)
{
    const struct grid_use use = use_of(s);
    return model_make_for(m, room, &use, e);
}

/* filters: [LISTENED_MAX] */
static void take_filters(struct convolver_filter *filters, const struct response *r, const struct stages *s)
{
    for (size_t i = 0; i < s->monitor.receivers + s->monitor.field; i++)
        filters[i] = (struct convolver_filter){r->samples + s->monitor.channel[i] * r->frames, r->frames};
}

/* For the initial choice of receivers, one for each ear. */
static int find_gain(double *gain, const struct convolver_filter *filters, const struct stages *s, struct error *e)
{
    const size_t receivers = s->monitor.receivers, ears = receivers < MIXER_EARS ? receivers : MIXER_EARS;
    if (s->monitor.field)
        return level_of_ears(gain, filters + receivers, s->ears, s->dry, s->dry_frames, s->out_rate, e);
    return level_gain(gain, filters, ears, s->dry, s->dry_frames, s->out_rate, e);
}

static int make_convolver(struct stage *stage, const struct response *r, const struct stages *s, struct error *e)
{
    struct convolver_filter filters[LISTENED_MAX];
    take_filters(filters, r, s);
    return find_gain(&stage->gain, filters, s, e) ||
           convolver_make(&stage->convolver, 1, s->monitor.receivers + s->monitor.field, filters, s->block, e);
}

/* The gain is that of the first channels, one for each ear. */
static int pass_on(struct stage *stage, struct rendering *r, bool waves, const struct model *m, const struct stages *s,
                   struct error *e)
{
    const struct response *response = &r->response;
    const size_t ears = response->channels < MIXER_EARS ? response->channels : MIXER_EARS;
    struct convolver_filter filters[MIXER_EARS];
    for (size_t i = 0; i < ears; i++)
        filters[i] = (struct convolver_filter){response->samples + i * response->frames, response->frames};
    if (level_gain(&stage->gain, filters, ears, s->dry, s->dry_frames, s->out_rate, e))
        return -1;
    const struct stage_response taken = {.model = m,
                                         .rendering = r,
                                         .waves = waves,
                                         .valid_frequency = stage->valid_frequency,
                                         .band = stage->band,
                                         .gain = stage->gain};
    return s->taker.take(s->taker.context, &taken, e);
}

/* Hands the response over, as a convolver or to the taker. */
static int deliver(struct stage *stage, struct rendering *r, bool waves, const struct model *m, const struct stages *s,
                   struct error *e)
{
    return s->taker.take ? pass_on(stage, r, waves, m, s, e) : make_convolver(stage, &r->response, s, e);
}

/* The room on a small grid, independent of the speed of this machine. Without the wave solver it
 * only provides walls and positions. Directional receivers may need a finer one. */
static int coarse_model(struct model **m, struct room *room, struct source **sources, const struct stages *s,
                        struct error *e)
{
    const struct grid_use use = use_of(s);
    struct stages coarse = *s;
    if (grid_make_for(&coarse.own, s->room, &use, e))
        return -1;
    for (double points = coarse_points;; points *= finer) {
        const double share = cbrt(points / (double)grid_points(&coarse.own));
        free(*sources);
        if (stage_room(room, sources, &coarse, fmin(share, 1.0) * coarse.own.rate, false, e))
            return -1;
        if (!make_model(m, room, s, e))
            return 0;
        if (e->code != ERROR_INPUT || !(share < 1.0))
            return -1;
    }
}

int stages_first(struct stage *stage, const struct stages *s, struct error *e)
{
    struct room room;
    struct source *sources = NULL;
    struct model *m = NULL;
    struct rendering r = {.first = s->source, .count = 1};
    const double start = clock_seconds();
    memset(stage, 0, sizeof *stage);
    if (!s->room->hybrid.full)
        return 0;
    int status =
        coarse_model(&m, &room, &sources, s, e) || geometric_response(&r.response, &geometric_first, m, s->source, e)
            ? -1
            : 0;
    if (!status) {
        stage->band = r.response.band.pass;
        status = deliver(stage, &r, false, m, s, e);
    }
    response_free(&r.response);
    model_free(m);
    free(sources);
    stage->seconds = clock_seconds() - start;
    return status ? -1 : 0;
}

/* Divides the rate until a stage takes at most `first`: work is proportional to the fourth power of
 * the rate. */
static void plan_rates(struct stages *s, double work, double first)
{
    double rates[STAGES_MAX], rate = s->own.rate;
    size_t count = 0;
    for (;; rate /= growth) {
        rates[count++] = rate;
        if (work * pow(rate / s->own.rate, 4.0) <= first || rate / growth < coarsest || count == STAGES_MAX)
            break;
    }
    s->count = count;
    for (size_t i = 0; i < count; i++)
        s->rates[i] = rates[count - 1 - i];
}

int stages_plan(struct stages *s, double first, struct error *e)
{
    struct room room;
    struct source *sources;
    struct model *m = NULL;
    double speed;
    struct length length;
    int status = stage_room(&room, &sources, s, 0.0, true, e) || make_model(&m, &room, s, e) ||
                 trial_speed(&speed, m, s->choice, e) || render_length(&length, m, s->source, 1, e);
    if (!status) {
        s->own = m->grid;
        plan_rates(s, (double)grid_points(&m->grid) * (double)length.steps / speed, first);
    }
    model_free(m);
    free(sources);
    return status ? -1 : 0;
}

int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch, struct error *e)
{
    struct room room;
    struct source *sources;
    struct model *m = NULL;
    struct rendering r;
    const double start = clock_seconds();
    memset(stage, 0, sizeof *stage);
    int status = stage_room(&room, &sources, s, s->rates[index], index + 1 == s->count, e) ||
                 make_model(&m, &room, s, e) || render_check(m, s->source, 1, s->choice, e) ||
                 render_sources(&r, m, s->source, 1, s->choice, watch, e);
    if (!status) {
        stage->grid_rate = m->grid.rate;
        stage->valid_frequency = m->grid.valid_frequency;
        stage->band = hybrid_valid_to(m, &r.halves);
        status = deliver(stage, &r, true, m, s, e);
        rendering_free(&r);
    }
    stage->seconds = clock_seconds() - start;
    model_free(m);
    free(sources);
    return status ? -1 : 0;
}
