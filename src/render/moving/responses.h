/* SPDX-License-Identifier: MIT */
/* The responses of aula render as places of a moving end: their files, positions from the JSON beside them, and the paths
 * of direct sound and first reflections in the room. */
#ifndef AULA_RENDER_MOVING_RESPONSES_H
#define AULA_RENDER_MOVING_RESPONSES_H

#include "render/moving/places.h"
#include "render/moving/walk.h"
#include "room/room.h"

struct moving_responses {
    struct moving_places places;
    struct room *room;
    double fixed[3]; /* m: position of the source of the responses */
    double size[3];  /* m: of the room on its grid */
    int order;       /* ambisonic order of the channels; 0: they are no field */
    bool is_omni;    /* each place is a pressure */
    char *source;    /* name */
    size_t capacity;
};

/* Files of one source and one room: each channel of an omni or array file is a place, and each other file is. Responses
 * of less frames are zero-padded. ERROR_INPUT names the unsuitable file and a remedy; ERROR_MEMORY. Free in any case. */
int moving_responses_read(struct moving_responses *r, const char *const *paths, size_t count, struct error *e);
void moving_responses_free(struct moving_responses *r); /* safe on a zeroed struct */

/* Finds the arrivals at each place: the direct sound and reflections from one wall. ERROR_INPUT, ERROR_MEMORY,
 * ERROR_STOPPED. */
int moving_arrivals_find(struct moving_responses *r, struct error *e);

/* Refuses a walk out of the room, into an object or away from all places. ERROR_INPUT with file and line. */
int moving_walk_check(const struct moving_responses *r, const struct walk *walk, struct error *e);

#endif
