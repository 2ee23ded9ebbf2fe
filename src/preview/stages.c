#include "preview/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "preview/mixer.h"
#include "render/trial.h"

static const double growth = 1.5;      /* of the rate from stage to stage: five times the work */
static const double coarsest = 1000.0; /* Hz: below that a room is a rumble */

/* The room as this stage has it. */
static int read_room(struct room **room, const struct stages *s, double rate, struct error *e)
{
    enum { OWN = 6 };
    char *own[OWN] = {NULL};
    const char **all = calloc(s->setting_count + OWN, sizeof *all);
    size_t count = 0;
    if (rate > 0.0)
        own[count++] = text_format("grid.rate=%.17g", rate);
    if (rate > 0.0 && s->by_points)
        own[count++] = text_format("room.size=[%.17g,%.17g,%.17g]", s->size[0], s->size[1], s->size[2]);
    own[count++] = text_format("output.rate=%.17g", s->out_rate);
    own[count++] = text_format("output.filter=valid");
    own[count++] = text_format("output.normalise=none");
    own[count++] = text_format("sources[%zu].signal=impulse", s->source);
    int status = all ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->setting_count && !status; i++)
        all[i] = s->settings[i];
    for (size_t i = 0; i < count && !status; i++)
        status = (all[s->setting_count + i] = own[i]) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || room_read(room, s->path, all, s->setting_count + count, e);
    for (size_t i = 0; i < count; i++)
        free(own[i]);
    free(all);
    return status ? -1 : 0;
}

int stages_plan(struct stages *s, double first, struct error *e)
{
    struct room *room = NULL;
    struct model *m = NULL;
    double speed, rates[STAGES_MOST], seconds[STAGES_MOST];
    size_t steps;
    if (read_room(&room, s, 0.0, e))
        return -1;
    s->by_points = room->sized_by_points;
    s->receivers = room->receiver_count < MIXER_RECEIVERS_MOST ? room->receiver_count : MIXER_RECEIVERS_MOST;
    int status =
        model_make(&m, room, e) || trial_speed(&speed, m, s->choice, e) || render_steps(&steps, m, s->source, 1, e);
    if (!status) {
        memcpy(s->size, m->grid.size, sizeof s->size);
        const double work = (double)grid_points(&m->grid) * (double)steps / speed, full = m->grid.rate;
        size_t count = 0;
        for (double rate = full; count < STAGES_MOST;
             rate /= growth) { /* work goes with the fourth power of the rate */
            rates[count] = rate;
            seconds[count] = work * pow(rate / full, 4.0);
            count++;
            if (seconds[count - 1] <= first || rate / growth < coarsest)
                break;
        }
        s->count = count;
        for (size_t i = 0; i < count; i++) {
            s->rates[i] = rates[count - 1 - i];
            s->seconds[i] = seconds[count - 1 - i];
        }
    }
    model_free(m);
    room_free(room);
    return status ? -1 : 0;
}

static double level_gain(const struct response *r)
{
    double energy = 0.0;
    for (size_t n = 0; n < r->frames; n++)
        energy += r->samples[n] * r->samples[n];
    return energy > 0.0 ? 1.0 / sqrt(energy) : 1.0;
}

static int make_convolver(struct convolver **c, const struct response *r, const struct stages *s, struct error *e)
{
    struct convolver_filter filters[MIXER_RECEIVERS_MOST];
    for (size_t i = 0; i < s->receivers; i++)
        filters[i] = (struct convolver_filter){r->samples + i * r->frames, r->frames};
    return convolver_make(c, 1, s->receivers, filters, s->block, e);
}

int stages_render(struct stage *stage, const struct stages *s, size_t index, const struct watch *watch, struct error *e)
{
    struct room *room = NULL;
    struct model *m = NULL;
    struct rendering r;
    const double start = clock_seconds();
    memset(stage, 0, sizeof *stage);
    int status = read_room(&room, s, s->rates[index], e) || model_make(&m, room, e) ||
                 render_check(m, s->source, 1, s->choice, e) ||
                 render_sources(&r, m, s->source, 1, s->choice, watch, e);
    if (!status) {
        stage->grid_rate = m->grid.rate;
        stage->valid_frequency = m->grid.valid_frequency;
        stage->gain = level_gain(&r.response);
        status = make_convolver(&stage->convolver, &r.response, s, e);
        rendering_free(&r);
    }
    stage->seconds = clock_seconds() - start;
    model_free(m);
    room_free(room);
    return status ? -1 : 0;
}
