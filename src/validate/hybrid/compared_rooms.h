/* SPDX-License-Identifier: MIT */
/* Rooms in which hybrid responses are compared with the wave solver: one source and eight
 * receivers each. */
#ifndef AULA_VALIDATE_HYBRID_COMPARED_ROOMS_H
#define AULA_VALIDATE_HYBRID_COMPARED_ROOMS_H

#include <stdbool.h>

#include "room/room.h"

enum { COMPARED_PLACES = 8 };

/* Largest errors accepted at 1 and 2 kHz; 0: any. */
struct accepted_errors {
    double t30, edt; /* % */
    double c80;      /* dB */
};

struct compared_room {
    const char *name;
    const char *file;                     /* a shipped room file; NULL: the text below */
    const char *text;                     /* a room file without source, receivers, grid and time */
    const char *setting;                  /* KEY=VALUE that changes the file, or NULL */
    const char *model;                    /* name of a file in the folder of --models, used by the text, or NULL */
    double seconds;                       /* duration of the responses: long enough for every T30 */
    double source[3];                     /* m */
    double receivers[COMPARED_PLACES][3]; /* m */
    bool free_edges;                      /* convex edges exposed to the air, which diffract sound */
    bool quick;                           /* also without --full */
    struct accepted_errors accepted;
};

enum { COMPARED_ROOMS = 9, COMPARED_HALLS = 3 };
extern const struct compared_room compared_rooms[COMPARED_ROOMS], compared_halls[COMPARED_HALLS];

/* How a room is rendered. */
struct compared_run {
    double max_frequency; /* Hz: valid band of the wave solver */
    bool hybrid;          /* with image sources and rays above; otherwise only the wave solver */
};

/* Reads the room with its source and receivers. `models`: the folder of --models, or NULL. Free with room_free.
 * ERROR_INPUT, ERROR_MEMORY. */
int compared_room_read(struct room **room, const struct compared_room *from, const struct compared_run *run,
                       const char *models, struct error *e);

#endif
