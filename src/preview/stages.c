#include "preview/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "preview/level.h"
#include "preview/mixer.h"
#include "preview/room_on_grid.h"
#include "render/trial.h"

static const double growth = 1.5;      /* ratio of rates from stage to stage: five times the work */
static const double coarsest = 1000.0; /* Hz: lower rates carry too little of the spectrum */

/* The room of a stage; *sources is storage for its sources. */
static int stage_room(struct room *room, struct source **sources, const struct stages *s, double rate, struct error *e)
{
    *sources = malloc(s->room->source_count * sizeof **sources);
    if (!*sources)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(*sources, s->room->sources, s->room->source_count * sizeof **sources);
    (*sources)[s->source].signal = SIGNAL_IMPULSE;
    *room = rate > 0.0 ? room_on_grid(s->room, &s->own, rate) : *s->room;
    room->sources = *sources;
    room->output.rate = s->out_rate;
    room->output.filter = FILTER_VALID;
    room->output.normalise = NORMALISE_NONE;
    return 0;
}

static int make_model(struct model **m, const struct room *room, const struct stages *s, struct error *e)
{
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = s->source, .count = 1};
    return model_make_for(m, room, &use, e);
}

/* Divides the rate until a stage takes at most `first`: work is proportional to the fourth power of the rate. */
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
    const size_t channels = room_channel_count(s->room);
    s->receivers = channels < MIXER_RECEIVERS_MAX ? channels : MIXER_RECEIVERS_MAX;
    int status = stage_room(&room, &sources, s, 0.0, e) || make_model(&m, &room, s, e) ||
                 trial_speed(&speed, m, s->choice, e) || render_length(&length, m, s->source, 1, e);
    if (!status) {
        s->own = m->grid;
        plan_rates(s, (double)grid_points(&m->grid) * (double)length.steps / speed, first);
    }
    model_free(m);
    free(sources);
    return status ? -1 : 0;
}

/* filters: [MIXER_RECEIVERS_MAX] */
static void take_filters(struct convolver_filter *filters, const struct response *r, const struct stages *s)
{
    for (size_t i = 0; i < s->receivers; i++)
        filters[i] = (struct convolver_filter){r->samples + i * r->frames, r->frames};
}

/* For the initial choice of receivers: one for each ear. */
static int find_gain(double *gain, const struct convolver_filter *filters, const struct stages *s, struct error *e)
{
    const size_t ears = s->receivers < MIXER_EARS ? s->receivers : MIXER_EARS;
    return level_gain(gain, filters, ears, s->dry, s->dry_frames, s->out_rate, e);
}

int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch, struct error *e)
{
    struct room room;
    struct source *sources;
    struct model *m = NULL;
    struct rendering r;
    const double start = clock_seconds();
    memset(stage, 0, sizeof *stage);
    int status = stage_room(&room, &sources, s, s->rates[index], e) || make_model(&m, &room, s, e) ||
                 render_check(m, s->source, 1, s->choice, e) ||
                 render_sources(&r, m, s->source, 1, s->choice, watch, e);
    if (!status) {
        stage->grid_rate = m->grid.rate;
        stage->valid_frequency = m->grid.valid_frequency;
        struct convolver_filter filters[MIXER_RECEIVERS_MAX];
        take_filters(filters, &r.response, s);
        status = find_gain(&stage->gain, filters, s, e) ||
                 convolver_make(&stage->convolver, 1, s->receivers, filters, s->block, e);
        rendering_free(&r);
    }
    stage->seconds = clock_seconds() - start;
    model_free(m);
    free(sources);
    return status ? -1 : 0;
}
