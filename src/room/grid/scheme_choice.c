/* SPDX-License-Identifier: MIT */
#include "room/grid/scheme_choice.h"

#include <stdio.h>
#include <string.h>

#include "room/grid/air.h"

/* A use that only the 7-point scheme supports. */
struct obstacle {
    char reason[160];
    const char *remedy; /* to have the 19-point scheme all the same */
};

struct grid_use grid_use_responses(const struct room *room)
{
    return (struct grid_use){.purpose = PURPOSE_RESPONSES, .count = room->source_count};
}

struct grid_use grid_use_of_file(const struct room *room)
{
    return room->instrument_count ? (struct grid_use){.purpose = PURPOSE_INSTRUMENTS} : grid_use_responses(room);
}

/* The first source rendered separately whose air absorption cannot be a filter; NULL: none. */
static const struct source *source_in_lossy_air(const struct room *room, const struct grid_use *use)
{
    for (size_t i = use->first; i < use->first + use->count && i < room->source_count; i++)
        if (air_method(room, i, 1) == AIR_SCHEME)
            return &room->sources[i];
    return NULL;
}

static bool find_obstacle(struct obstacle *o, const struct room *room, const struct grid_use *use)
{
    const struct source *lossy =
        use->purpose == PURPOSE_RESPONSES || use->purpose == PURPOSE_TOGETHER ? source_in_lossy_air(room, use) : NULL;
    const char *what = NULL;
    *o = (struct obstacle){.remedy = NULL};
    if (use->purpose == PURPOSE_INSTRUMENTS) {
        what = "instruments are stepped with the air";
        o->remedy = "use \"auto\" or \"7-point\"";
    } else if (use->purpose == PURPOSE_LIVE) {
        what = "the room is played live";
        o->remedy = "use \"auto\" or \"7-point\"";
    } else if (use->purpose == PURPOSE_TOGETHER && use->count > 1) {
        what = "several sources sound together";
        o->remedy = "render them one by one, or use \"auto\" or \"7-point\"";
    } else if (room->grid.courant > 0.0) {
        what = "grid.courant is set, and the 19-point scheme has a fixed Courant number";
        o->remedy = "remove grid.courant, or use \"7-point\"";
    }
    if (what)
        snprintf(o->reason, sizeof o->reason, "%s", what);
    else if (lossy) {
        snprintf(o->reason, sizeof o->reason, "source %s plays \"%s\", which needs air absorption in the scheme",
                 lossy->name, signal_names[lossy->signal]);
        o->remedy = "use an impulse or a sweep, set air.losses = false, or use \"auto\" or \"7-point\"";
    }
    return *o->reason != '\0';
}

static void take(struct scheme_choice *c, enum air_stencil stencil, const char *reason)
{
    c->stencil = stencil;
    snprintf(c->reason, sizeof c->reason, "%s", reason);
}

int scheme_choose(struct scheme_choice *c, const struct room *room, const struct grid_use *use, struct error *e)
{
    struct obstacle obstacle;
    char where[512];
    const bool hindered = find_obstacle(&obstacle, room, use);
    *c = (struct scheme_choice){.stencil = STENCIL_7_POINT};
    if (room->grid.scheme == GRID_SCHEME_19_POINT && hindered)
        return fail(e, ERROR_INPUT, "%s: grid.scheme: \"19-point\" is not possible because %s; %s",
                    origin_text(&room->grid.scheme_origin, room->path, where, sizeof where), obstacle.reason,
                    obstacle.remedy);
    if (room->grid.scheme == GRID_SCHEME_7_POINT)
        take(c, STENCIL_7_POINT, "grid.scheme selects it");
    else if (room->grid.scheme == GRID_SCHEME_19_POINT)
        take(c, STENCIL_19_POINT, "grid.scheme selects it");
    else if (!(room->grid.max_frequency > 0.0))
        take(c, STENCIL_7_POINT, "grid.max_frequency is not set");
    else if (room->sized_by_points)
        take(c, STENCIL_7_POINT, "room.points sets the size of the room");
    else if (hindered)
        take(c, STENCIL_7_POINT, obstacle.reason);
    else
        take(c, STENCIL_19_POINT, "grid.max_frequency is set");
    c->mapped = c->stencil == STENCIL_19_POINT && room->output.filter != FILTER_NONE;
    return 0;
}

enum grid_scheme scheme_key(enum air_stencil stencil)
{
    return stencil == STENCIL_19_POINT ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
}

const char *scheme_text(enum air_stencil stencil, bool mapped)
{
    return stencil == STENCIL_7_POINT ? "7-point" : mapped ? "19-point, mapped in frequency" : "19-point";
}
