/* SPDX-License-Identifier: MIT */
/* Films of the sound field. */
#include "present/film/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "io/drawing/drawing_library.h"
#include "present/film/canvas.h"
#include "present/film/encoder.h"
#include "present/film/plane.h"

static bool ends_in_png(const char *path)
{
    const char *suffix = strrchr(path, '.');
    return suffix && !strcasecmp(suffix, film_png.suffix);
}

static bool all_positive(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= 0.0 && isfinite(values[i])))
            return false;
    return true;
}

static int check_numbers(const struct aula_film_options *o, struct error *e)
{
    const double numbers[] = {o->seconds, o->speed, o->rate, o->dynamic_range, o->pulse};
    if (!all_positive(numbers, sizeof numbers / sizeof *numbers) || !isfinite(o->top))
        return fail(e, ERROR_USAGE,
                    "seconds, speed, rate, dynamic_range and pulse must be finite and not negative, and top finite; 0: "
                    "automatic");
    if (o->walls && o->plane)
        return fail(e, ERROR_USAGE, "walls and plane exclude each other; pass one of them");
    if (o->frames > FILM_STRIP_MAX)
        return fail(e, ERROR_USAGE, "frames is %zu; at most %d pictures are supported", o->frames, FILM_STRIP_MAX);
    if (o->frames && (o->rate > 0.0 || o->speed > 0.0))
        return fail(e, ERROR_USAGE, "frames: the pictures are spaced evenly; leave rate and speed at 0");
    if (o->dynamic_range > 0.0 && !o->levels)
        return fail(e, ERROR_USAGE, "dynamic_range applies only to levels; set levels");
    if (o->columns > PAPER_SIZE_MAX || o->rows > PAPER_SIZE_MAX || o->columns % 2 || o->rows % 2)
        return fail(e, ERROR_USAGE, "size: columns and rows must be even, at most %d; 0: automatic", PAPER_SIZE_MAX);
    return 0;
}

static int take_wish(struct film_wish *w, struct call *call, const struct aula_room *room, const char *path,
                     const struct aula_film_options *what)
{
    static const struct aula_film_options none;
    const struct aula_film_options *o = what ? what : &none;
    const bool all = o->source == AULA_ALL_SOURCES;
    const struct film_encoder *encoder;
    struct error *e = &call->error;
    *w = (struct film_wish){.walls = o->walls != 0,
                            .axis = 2,
                            .at = NAN,
                            .first = all ? 0 : o->source,
                            .count = all ? room->room->source_count : 1,
                            .sound = o->seconds,
                            .speed = o->speed,
                            .rate = o->rate,
                            .columns = o->columns,
                            .rows = o->rows,
                            .levels = o->levels != 0,
                            .top = o->top != 0.0 ? o->top : NAN,
                            .span = o->dynamic_range,
                            .edge = o->pulse,
                            .strip = o->frames,
                            .path = path};
    if (call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what") ||
        check_numbers(o, e) || (o->plane && plane_parse(&w->axis, &w->at, o->plane, e)))
        return -1;
    if (call_check_source(call, room->room, all ? 0 : o->source))
        return -1;
    if (o->frames && !ends_in_png(path))
        return fail(e, ERROR_USAGE, "path %s: frames writes a PNG; use a name that ends in .png", path);
    return o->frames ? 0 : film_encoder_find(&encoder, path, e);
}

static int check_inputs(const struct room *room, const struct film_wish *w, size_t frames, struct error *e)
{
    char text[ROOM_INPUT];
    const bool of_frames = !w->strip && ends_in_png(w->path);
    char *first = of_frames ? film_frame_name(w->path, 0, frames) : text_copy(w->path);
    const char *input = first ? room_input_at(room, first, false, text) : NULL;
    const int status = !first  ? fail(e, ERROR_MEMORY, "out of memory")
                       : input ? fail(e, ERROR_USAGE, "%s: is %s; choose another path", first, input)
                               : 0;
    free(first);
    return status;
}

static int write_film(struct call *call, const struct aula_room *room, const char *path,
                      const struct aula_film_options *what, const struct aula_options *options)
{
    struct error *e = &call->error;
    struct call_options given;
    struct film_wish wish;
    struct model *model = NULL;
    struct film *film = NULL;
    struct film_cost cost;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (call_check_text(call, path, "path", "the name of the film, such as room.webm") ||
        call_take_options(&given, call, options) || take_wish(&wish, call, room, path, what) || drawing_library_load(e))
        return -1;
    struct aula_room *held = room_hold(room); /* `progress` may close the room */
    const struct grid_use use = {.purpose = PURPOSE_TOGETHER, .first = wish.first, .count = wish.count};
    int status = model_make_for(&model, held->room, &use, e) || film_plan(&film, &wish, model, e) ||
                 check_inputs(held->room, &wish, film_frames(film), e) ||
                 film_make(film, &cost, &given.choice, &given.watch, e);
    film_free(film);
    model_free(model);
    room_release(held);
    return status ? -1 : 0;
}

int aula_film_write(const struct aula_room *room, const char *path, const struct aula_film_options *what,
                    const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_film(&call, room, path, what, options));
}
