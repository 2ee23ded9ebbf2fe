/* SPDX-License-Identifier: MIT */
#include "render/moving/responses.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/space/harmonics.h"
#include "io/audio_file.h"
#include "io/json_beside.h"

/* One file while it is read. */
struct reading {
    struct moving_responses *r;
    const char *path;
    const cJSON *json, *source; /* source: its member of "sources" */
    const char *comment;        /* of the sound; NULL: none */
    struct audio audio;
    struct error *e;
};

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* 0: not there. */
static double number(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

static int vector(double value[3], const cJSON *array)
{
    for (int i = 0; i < 3; i++) {
        const cJSON *item = cJSON_GetArrayItem(array, i);
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
            return -1;
        value[i] = item->valuedouble;
    }
    return 0;
}

static int refuse_json(const struct reading *f, const char *what)
{
    return fail(f->e, ERROR_INPUT,
                "%s: the JSON beside it %s; --path needs responses of aula render with the JSON beside each", f->path,
                what);
}

/* The source of the response among those of the room: the only one that the file renders again, or the one that the
 * comment of the sound names. NULL: several sound together. */
static const cJSON *find_source(const struct reading *f)
{
    static const char begins[] = "impulse response of ";
    const cJSON *rendered = member(member(f->json, "input"), "sources"), *source;
    const bool alone = cJSON_GetArraySize(rendered) == 1;
    const char *only = alone ? cJSON_GetStringValue(member(cJSON_GetArrayItem(rendered, 0), "name")) : NULL;
    const char *said = f->comment && !strncmp(f->comment, begins, strlen(begins)) ? f->comment + strlen(begins) : "";
    cJSON_ArrayForEach(source, member(f->json, "sources"))
    {
        const char *name = cJSON_GetStringValue(member(source, "name"));
        const size_t length = name ? strlen(name) : 0;
        if (name && (only ? !strcmp(name, only) : !strncmp(said, name, length) && said[length] == ';'))
            return source;
    }
    return NULL;
}

/* Facts that all files share, from the first. */
static int read_room(struct reading *f)
{
    struct moving_responses *r = f->r;
    const cJSON *grid = member(f->json, "grid"), *source = f->source;
    const cJSON *filter = member(member(f->json, "output"), "filter");
    const char *name = cJSON_GetStringValue(member(source, "name"));
    r->places.rate = f->audio.rate;
    r->places.frames = f->audio.frames;
    r->places.sound_speed = number(grid, "sound_speed");
    r->places.delay = 1e-3 * number(member(filter, "group_delay_ms"), "low");
    r->places.valid_to = fmin(number(member(f->json, "valid_band"), "high"), 0.5 * f->audio.rate);
    r->source = text_copy(name ? name : "");
    char *beside = path_with_suffix(f->path, ".json");
    int status =
        beside && r->source ? room_read(&r->room, beside, NULL, 0, f->e) : fail(f->e, ERROR_MEMORY, "out of memory");
    free(beside);
    if (status)
        return -1;
    if (vector(r->fixed, member(source, "position")) || vector(r->size, member(grid, "size")) ||
        !(r->places.sound_speed > 0.0) || !(r->places.valid_to > 0.0) || !(r->places.delay >= 0.0))
        return refuse_json(f, "lacks the source or the grid");
    return 0;
}

/* What the channels of the file are. */
struct content {
    size_t channels; /* of a place */
    int order;
    bool is_omni;
};

static int read_content(struct content *c, const struct reading *f)
{
    const cJSON *first = cJSON_GetArrayItem(member(f->json, "receivers"), 0);
    const char *type = cJSON_GetStringValue(member(first, "type"));
    double orientation[3];
    *c = (struct content){type ? f->audio.channels : 1, 0, !type};
    if (!type || strcmp(type, "ambisonic") != 0)
        return type && !strcmp(type, "velocity")
                   ? fail(f->e, ERROR_INPUT, "%s: holds velocities; use receivers of pressure", f->path)
                   : 0;
    c->order = (int)number(first, "order");
    if (c->order < 1 || c->order > HARMONICS_ORDER_MAX || harmonics_count(c->order) != c->channels)
        return refuse_json(f, "states another order than the file has");
    if (vector(orientation, member(first, "orientation")) || orientation[0] != 0.0 || orientation[1] != 0.0 ||
        orientation[2] != 0.0)
        return fail(
            f->e, ERROR_INPUT,
            "%s: its receiver is turned; render receivers with orientation = [0, 0, 0], and turn the head in the "
            "columns yaw, pitch and roll of the path",
            f->path);
    return 0;
}

static int check_like_first(const struct reading *f, const struct content *c, const char *first)
{
    const struct moving_responses *r = f->r;
    double position[3];
    if (c->channels != r->places.channels || c->order != r->order || c->is_omni != r->is_omni)
        return fail(f->e, ERROR_INPUT, "%s: its receiver is of another type or order than that of %s; use one type",
                    f->path, first);
    if (f->audio.rate != r->places.rate)
        return fail(f->e, ERROR_INPUT, "%s: is at %g Hz, but %s is at %g Hz; render both at one rate", f->path,
                    f->audio.rate, first, r->places.rate);
    if (vector(position, member(f->source, "position")) || moving_distance(position, r->fixed) > 0.0)
        return fail(f->e, ERROR_INPUT, "%s: is of another source than %s; --path takes the responses of one source",
                    f->path, first);
    return 0;
}

/* All places to this number of frames. */
static int lengthen(struct moving_responses *r, size_t frames, struct error *e)
{
    for (size_t i = 0; i < r->places.count && frames > r->places.frames; i++) {
        double *longer = calloc(r->places.channels * frames, sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        for (size_t c = 0; c < r->places.channels; c++)
            memcpy(longer + c * frames, r->places.list[i].responses + c * r->places.frames,
                   r->places.frames * sizeof *longer);
        free((double *)r->places.list[i].responses);
        r->places.list[i].responses = longer;
    }
    r->places.frames = frames > r->places.frames ? frames : r->places.frames;
    return 0;
}

static int add_place(const struct reading *f, size_t channel)
{
    struct moving_places *p = &f->r->places;
    struct moving_place place = {.arrivals = NULL};
    if (vector(place.position, member(cJSON_GetArrayItem(member(f->json, "receivers"), (int)channel), "position")))
        return refuse_json(f, "lacks the positions of the receivers");
    for (size_t i = 0; i < p->count; i++)
        if (moving_distance(p->list[i].position, place.position) < 1e-3)
            return fail(f->e, ERROR_INPUT, "%s: has a receiver at (%g, %g, %g) m, where another is; remove one of them",
                        f->path, place.position[0], place.position[1], place.position[2]);
    if (p->count == f->r->capacity) {
        const size_t capacity = p->count ? 2 * p->count : 64;
        struct moving_place *more = realloc(p->list, capacity * sizeof *more);
        if (!more)
            return fail(f->e, ERROR_MEMORY, "out of memory");
        p->list = more;
        f->r->capacity = capacity;
    }
    double *samples = calloc(p->channels * p->frames, sizeof *samples);
    if (!samples)
        return fail(f->e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < p->channels; c++)
        memcpy(samples + c * p->frames, f->audio.samples + (channel + c) * f->audio.frames,
               f->audio.frames * sizeof *samples);
    place.responses = samples;
    p->list[p->count++] = place;
    return 0;
}

static int take_file(struct reading *f, const char *first)
{
    struct moving_responses *r = f->r;
    struct content c;
    const char *content = cJSON_GetStringValue(member(member(f->json, "output"), "content"));
    if (!cJSON_IsString(member(f->json, "aula")) || json_is_measured(f->json) ||
        (size_t)cJSON_GetArraySize(member(f->json, "receivers")) != f->audio.channels)
        return refuse_json(f, "is not that of a render");
    if (!content || strncmp(content, "impulse response", strlen("impulse response")) != 0)
        return fail(
            f->e, ERROR_INPUT,
            "%s: is a recorded signal, not an impulse response; render it with signal = \"impulse\" or \"sweep\"",
            f->path);
    if (!(f->source = find_source(f)))
        return fail(f->e, ERROR_INPUT, "%s: several sources sound in it; render them one by one, without --all-sources",
                    f->path);
    if (read_content(&c, f))
        return -1;
    if (!r->room) {
        r->places.channels = c.channels;
        r->order = c.order;
        r->is_omni = c.is_omni;
        if (read_room(f))
            return -1;
    }
    if (check_like_first(f, &c, first) || lengthen(r, f->audio.frames, f->e))
        return -1;
    if (memory_demand((double)f->audio.channels * (double)r->places.frames * sizeof(double), f->e, "%s: its responses",
                      f->path))
        return -1;
    for (size_t channel = 0; channel < f->audio.channels; channel += c.channels)
        if (add_place(f, channel))
            return -1;
    return 0;
}

static int read_file(struct moving_responses *r, const char *path, const char *first, struct error *e)
{
    struct reading f = {.r = r, .path = path, .e = e};
    cJSON *json = NULL;
    char *comment = NULL;
    enum json_of of;
    if (audio_read_with_comment(&f.audio, &comment, path, e))
        return -1;
    f.comment = comment;
    int status = json_beside(&json, &of, path, f.audio.checksum, e);
    f.json = json;
    if (!status && !json)
        status =
            of == JSON_OF_NONE
                ? fail(e, ERROR_INPUT,
                       "%s: there is no JSON beside it, which states the positions; --path needs responses of aula "
                       "render with the JSON beside each",
                       path)
                : refuse_json(&f, json_of_text(of));
    status = status || take_file(&f, first);
    cJSON_Delete(json);
    free(comment);
    audio_free(&f.audio);
    return status ? -1 : 0;
}

int moving_responses_read(struct moving_responses *r, const char *const *paths, size_t count, struct error *e)
{
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < count; i++)
        if (read_file(r, paths[i], paths[0], e))
            return -1;
    if (r->places.count < 2)
        return fail(e, ERROR_INPUT,
                    "%s: has a single receiver, but --path moves between several; render an array or more receivers",
                    paths[0]);
    moving_places_measure(&r->places);
    return 0;
}

void moving_responses_free(struct moving_responses *r)
{
    for (size_t i = 0; i < r->places.count; i++) {
        free((double *)r->places.list[i].responses);
        free(r->places.list[i].arrivals);
    }
    free(r->places.list);
    free(r->source);
    room_free(r->room);
    memset(r, 0, sizeof *r);
}

static int check_inside(const struct moving_responses *r, const struct walk *walk, const double at[3], size_t line,
                        struct error *e)
{
    const struct room *room = r->room;
    const size_t object = room_object_at(room, at);
    char name[OBJECT_NAME];
    for (int i = 0; i < 3; i++)
        if (!(at[i] >= room->lower[i] && at[i] <= room->lower[i] + room->size[i]))
            return fail(e, ERROR_INPUT,
                        "%s:%zu: (%.6g, %.6g, %.6g) m is outside the room, which extends from (%.6g, %.6g, %.6g) to "
                        "(%.6g, %.6g, %.6g) m; positions are those of the room file",
                        walk->path, line, at[0], at[1], at[2], room->lower[0], room->lower[1], room->lower[2],
                        room->lower[0] + room->size[0], room->lower[1] + room->size[1], room->lower[2] + room->size[2]);
    if (object < room->object_count)
        return fail(e, ERROR_INPUT, "%s:%zu: the path leads through %s, at (%.6g, %.6g, %.6g) m; go around it",
                    walk->path, line, room_object_name(room, object, name), at[0], at[1], at[2]);
    return 0;
}

static int check_near(const struct moving_responses *r, const struct walk *walk, const double at[3], size_t line,
                      struct error *e)
{
    const double away = moving_closest(&r->places, at);
    if (away <= r->places.spacing * (1.0 + 1e-9))
        return 0;
    return fail(e, ERROR_INPUT,
                "%s:%zu: (%.6g, %.6g, %.6g) m is %.3g m from the closest receiver, but these are %.3g m apart; render "
                "more receivers there, or change the path",
                walk->path, line, at[0], at[1], at[2], away, r->places.spacing);
}

/* The way to a row from the one before. */
static int check_way(const struct moving_responses *r, const struct walk *walk, const struct walk_row *from,
                     const struct walk_row *to, struct error *e)
{
    const double way = moving_distance(from->position, to->position);
    const size_t steps = (size_t)fmin(ceil(4.0 * way / r->places.spacing), 1e6) + 1;
    for (size_t k = 1; k <= steps; k++) {
        double at[3];
        for (int c = 0; c < 3; c++)
            at[c] = from->position[c] + (double)k / (double)steps * (to->position[c] - from->position[c]);
        if (check_inside(r, walk, at, to->line, e) || check_near(r, walk, at, to->line, e))
            return -1;
    }
    return stop_check(e);
}

int moving_walk_check(const struct moving_responses *r, const struct walk *walk, struct error *e)
{
    for (size_t i = 0; i < walk->count; i++) /* rows first: their mistakes are clearer than those of the ways */
        if (check_inside(r, walk, walk->rows[i].position, walk->rows[i].line, e))
            return -1;
    for (size_t i = 0; i < walk->count; i++)
        if (check_way(r, walk, &walk->rows[i ? i - 1 : 0], &walk->rows[i], e))
            return -1;
    return 0;
}
