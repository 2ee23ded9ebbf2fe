/* SPDX-License-Identifier: MIT */
#include "render/moving/moving_auralize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "render/moving/moving_sound.h"
#include "render/moving/responses.h"

/* What the path asks of the responses. */
static int check_kind(const struct moving_responses *r, const struct walk *walk, const struct moving_settings *s,
                      const char *path, struct error *e)
{
    if (s->source_moves && !r->is_omni)
        return fail(
            e, ERROR_INPUT,
            "%s: --moves source needs omni receivers or an array, which stand for the positions of the source by "
            "reciprocity; render these",
            path);
    if (walk->turns && s->source_moves)
        return fail(
            e, ERROR_INPUT,
            "%s: has angles, which only a listener uses; remove the columns yaw, pitch and roll, or --moves source",
            walk->path);
    if (walk->turns && !r->order)
        return fail(e, ERROR_INPUT,
                    "%s: has angles, but %s is no ambisonic field that could turn; render receivers of type = "
                    "\"ambisonic\", or remove the columns yaw, pitch and roll",
                    walk->path, path);
    return 0;
}

static int warn_of_times(struct auralization *a, const struct walk *walk, double seconds, struct error *e)
{
    static const double slack = 0.1; /* s */
    const double last = walk->rows[walk->count - 1].time;
    if (walk->count > 1 && last > seconds + slack)
        return lines_add(&a->warnings, &a->warning_count, e,
                         "%s: lasts %.4g s, but the dry sound ends after %.4g s; the rest of the path is not heard",
                         walk->path, last, seconds);
    if (walk->count > 1 && last < seconds - slack)
        return lines_add(
            &a->warnings, &a->warning_count, e,
            "%s: ends after %.4g s, but the dry sound lasts %.4g s; the rest is heard from the last position",
            walk->path, last, seconds);
    return 0;
}

static int warn_of_spacing(struct auralization *a, const struct moving_places *p, const char *path, struct error *e)
{
    static const double coarse = 1.5; /* m */
    return p->spacing > coarse
               ? lines_add(&a->warnings, &a->warning_count, e,
                           "%s: receivers are up to %.3g m apart, and reflections of higher order fade between them; "
                           "render receivers 0.5 m to 1 m apart",
                           path, p->spacing)
               : 0;
}

/* Names of the channels of a field; others have none. */
static int name_channels(struct auralization *a, int order, struct error *e)
{
    a->names = order ? calloc(a->wet.channels, sizeof *a->names) : NULL;
    for (size_t c = 0; c < a->wet.channels && order; c++)
        if (!a->names || !(a->names[c] = text_format("listener ACN %zu", c)))
            return fail(e, ERROR_MEMORY, "out of memory");
    return 0;
}

static int describe(struct auralization *a, const struct moving_responses *r, const struct walk *walk, const char *dry,
                    bool source_moves, struct error *e)
{
    const char *name = auralization_name(dry), *along = auralization_name(walk->path);
    a->title = text_format("%s along %s", name, along);
    a->description = text_format("auralization: %s, %s along %s through %zu positions of %s", name,
                                 source_moves ? "a source that moves" : "a listener who moves", along, r->places.count,
                                 path_name(r->room->path));
    return a->title && a->description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int make(struct auralization *a, struct moving_responses *r, struct walk *walk, struct audio *dry,
                const char *const *responses, size_t count, const char *dry_path, const struct moving_settings *s,
                struct error *e)
{
    if (walk_read(walk, s->walk, e) || moving_responses_read(r, responses, count, e) ||
        check_kind(r, walk, s, responses[0], e) || moving_walk_check(r, walk, e))
        return -1;
    a->valid_to = r->places.valid_to;
    a->response_frames = r->places.frames;
    if (auralization_read_dry(a, dry, dry_path, 1, r->places.rate, e) ||
        warn_of_times(a, walk, (double)a->dry_frames / a->dry_rate, e) ||
        warn_of_spacing(a, &r->places, responses[0], e) || moving_arrivals_find(r, e))
        return -1;
    const struct moving_task task = {.places = &r->places,
                                     .walk = walk,
                                     .dry = dry->samples,
                                     .frames = dry->frames,
                                     .source_moves = s->source_moves,
                                     .turned_order = walk->turns ? r->order : 0};
    return moving_sound_make(&a->wet, &task, e) || auralization_find_peak(a, e) || name_channels(a, r->order, e) ||
                   describe(a, r, walk, dry_path, s->source_moves, e)
               ? -1
               : 0;
}

int moving_auralization_make(struct auralization *a, struct moving_facts *facts, const char *const *responses,
                             size_t count, const char *dry_path, const struct moving_settings *settings,
                             struct error *e)
{
    struct moving_responses r = {.room = NULL};
    struct walk walk = {.rows = NULL};
    struct audio dry = {.samples = NULL};
    memset(a, 0, sizeof *a);
    const int status = make(a, &r, &walk, &dry, responses, count, dry_path, settings, e);
    if (!status)
        *facts = (struct moving_facts){r.places.count, walk.count, r.places.spacing, walk.rows[walk.count - 1].time};
    else
        auralization_free(a);
    audio_free(&dry);
    walk_free(&walk);
    moving_responses_free(&r);
    return status;
}
