/* SPDX-License-Identifier: MIT */
/* Maps of acoustic parameters over a plane. */
#include "present/film/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "io/drawing/drawing_library.h"
#include "present/film/canvas.h"
#include "present/film/plane.h"

struct aula_map {
    struct map map;
    struct aula_room *room;
};

static int take_wish(struct map_wish *w, struct call *call, const struct aula_room *room,
                     const struct aula_map_options *what)
{
    static const struct aula_map_options none;
    const struct aula_map_options *o = what ? what : &none;
    struct error *e = &call->error;
    *w = (struct map_wish){.axis = 2, .at = NAN, .spacing = o->spacing, .band = o->band, .source = o->source};
    if (call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what"))
        return -1;
    if (call_check_source(call, room->room, o->source))
        return -1;
    if (!(o->spacing >= 0.0 && isfinite(o->spacing)) || !(o->band >= 0.0 && isfinite(o->band)))
        return fail(e, ERROR_USAGE, "spacing and band must be finite and not negative; 0: automatic");
    return (o->plane && plane_parse(&w->axis, &w->at, o->plane, e)) || map_wish_figures(w, o->parameters, e) ? -1 : 0;
}

static int make(struct call *call, struct aula_map **out, const struct aula_room *room,
                const struct aula_map_options *what, const struct aula_options *options)
{
    struct call_options given;
    struct map_wish wish;
    if (!out)
        return call_refuse_null(call, "map", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (call_take_options(&given, call, options) || take_wish(&wish, call, room, what))
        return -1;
    struct aula_map *map = calloc(1, sizeof *map);
    if (!map)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    map->room = room_hold(room);
    if (map_make(&map->map, &wish, room->room, &given.choice, &given.watch, &call->error)) {
        aula_map_close(map);
        return -1;
    }
    *out = map;
    return 0;
}

int aula_map_make(struct aula_map **map, const struct aula_room *room, const struct aula_map_options *what,
                  const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, map, room, what, options));
}

void aula_map_close(struct aula_map *map)
{
    if (!map)
        return;
    map_free(&map->map);
    room_release(map->room);
    free(map);
}

const char *aula_map_note(const struct aula_map *map)
{
    return map ? map->map.note : NULL;
}

int aula_map_lattice(const struct aula_map *map, struct aula_lattice *lattice)
{
    if (!lattice)
        return -1;
    memset(lattice, 0, sizeof *lattice);
    lattice->axis = -1;
    lattice->at = lattice->band = lattice->seconds = NAN;
    for (int i = 0; i < 2; i++)
        lattice->first[i] = lattice->step[i] = lattice->valid[i] = NAN;
    if (!map)
        return -1;
    const struct map *m = &map->map;
    lattice->axis = m->wish.axis;
    lattice->at = m->wish.at;
    lattice->band = m->wish.band;
    lattice->seconds = m->seconds;
    lattice->valid[0] = m->valid_low;
    lattice->valid[1] = m->valid_high;
    for (int i = 0; i < 2; i++) {
        lattice->first[i] = m->place[i];
        lattice->step[i] = m->step[i];
        lattice->count[i] = m->count[i];
    }
    return 0;
}

size_t aula_map_place_count(const struct aula_map *map)
{
    return map ? map->map.place_count : 0;
}

size_t aula_map_place(const struct aula_map *map, size_t across, size_t up)
{
    if (!map || across >= map->map.count[0] || up >= map->map.count[1])
        return AULA_NOWHERE;
    const uint32_t place = map->map.index[up * map->map.count[0] + across];
    return place < map->map.place_count ? place : AULA_NOWHERE;
}

double aula_map_value(const struct aula_map *map, size_t place, size_t band, enum aula_metric metric)
{
    const struct metric *wanted = metric_of_number((size_t)metric);
    if (place >= aula_map_place_count(map) || band >= METRICS_BANDS || !wanted)
        return NAN;
    return metric_of_band(wanted, &map->map.metrics[place].band[band]);
}

double aula_map_sti(const struct aula_map *map, size_t place)
{
    return place < aula_map_place_count(map) ? map->map.metrics[place].sti : NAN;
}

static int check_name(struct call *call, const struct aula_map *map, const char *path, const char *suffix)
{
    char text[ROOM_INPUT];
    const char *at = path ? strrchr(path, '.') : NULL;
    if (!path)
        return 0;
    if (!at || strcasecmp(at, suffix) != 0)
        return fail(&call->error, ERROR_USAGE, "path %s: use a name that ends in %s", path, suffix);
    const char *input = room_input_at(map->room->room, path, false, text);
    return input ? fail(&call->error, ERROR_USAGE, "%s: is %s; choose another path", path, input) : 0;
}

static int write_map(struct call *call, const struct aula_map *map, const char *picture, const char *csv,
                     size_t columns, size_t rows)
{
    struct error *e = &call->error;
    const struct map_files files = {.picture = picture, .columns = columns, .rows = rows, .csv = csv};
    if (!map)
        return call_refuse_null(call, "map", "a map of aula_map_make");
    if (!picture && !csv)
        return fail(&call->error, ERROR_USAGE, "there is no file to write; name a picture, a csv or both");
    if (check_name(call, map, picture, ".png") || check_name(call, map, csv, ".csv"))
        return -1;
    if (picture && csv && same_file(picture, csv))
        return fail(e, ERROR_USAGE, "%s: is the name of two outputs; choose different names", csv);
    if (columns > PAPER_SIZE_MAX || rows > PAPER_SIZE_MAX)
        return fail(e, ERROR_USAGE, "columns and rows must be from 160 to %d; 0: automatic", PAPER_SIZE_MAX);
    return (picture && drawing_library_load(e)) || map_write(&map->map, map->room->room, &files, e) ? -1 : 0;
}

int aula_map_write(const struct aula_map *map, const char *picture, const char *csv, size_t columns, size_t rows,
                   struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_map(&call, map, picture, csv, columns, rows));
}
