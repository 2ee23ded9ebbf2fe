/* SPDX-License-Identifier: MIT */
/* Chooses the scheme that steps the air of a room, from grid.scheme and the purpose of the grid. */
#ifndef AULA_ROOM_GRID_SCHEME_CHOICE_H
#define AULA_ROOM_GRID_SCHEME_CHOICE_H

#include "base/acoustics/conventions.h"
#include "room/room.h"

struct transport; /* base/transport/transport.h */

/* The purpose of a grid. */
enum grid_purpose {
    PURPOSE_RESPONSES,   /* sources one by one: impulse responses, or recordings of what each plays */
    PURPOSE_TOGETHER,    /* several sources at once */
    PURPOSE_INSTRUMENTS, /* instruments coupled to the air */
    PURPOSE_LIVE         /* sound that arrives while it is stepped */
};

struct grid_use {
    enum grid_purpose purpose;
    size_t first, count; /* of the room's sources, with the first two purposes */
    struct transport
        *transport; /* to parts that are to make the voxels and then to step them; NULL: they are made here */
};

/* Responses to each of the room's sources. */
struct grid_use grid_use_responses(const struct room *room);

/* The purpose for a file with instruments; grid_use_responses for others. */
struct grid_use grid_use_of_file(const struct room *room);

struct scheme_choice {
    enum air_stencil stencil;
    bool mapped;      /* responses are corrected by the frequency map */
    char reason[160]; /* why, as the end of a sentence: "several sources sound at once" */
};

/* grid.scheme = "auto" selects the 19-point scheme if grid.max_frequency is set, unless the room
 * needs the 7-point scheme: a size in points, a Courant number, instruments, live sound, several
 * simultaneous sources, or air absorption in the scheme. The 19-point scheme is mapped unless
 * output.filter = "none" selects the raw field. ERROR_INPUT, with a remedy, if "19-point" is
 * requested but not possible. */
int scheme_choose(struct scheme_choice *c, const struct room *room, const struct grid_use *use, struct error *e);

/* The value of grid.scheme that selects a stencil. */
enum grid_scheme scheme_key(enum air_stencil stencil);

/* "19-point, mapped in frequency", "19-point", "7-point" */
const char *scheme_text(enum air_stencil stencil, bool mapped);

#endif
