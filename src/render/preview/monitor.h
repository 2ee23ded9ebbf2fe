/* SPDX-License-Identifier: MIT */
/* Signals that a preview listens to: the channels of a room's receivers, and the field around a
 * head that turns. */
#ifndef AULA_RENDER_PREVIEW_MONITOR_H
#define AULA_RENDER_PREVIEW_MONITOR_H

#include "dsp/ears/ear_filters.h"
#include "room/room.h"

enum { LISTENED_DIRECT_MAX = 9, LISTENED_FIELD_MAX = 25 };
enum { LISTENED_MAX = LISTENED_DIRECT_MAX + LISTENED_FIELD_MAX };

/* Signals are the direct channels, then those of the field. */
struct monitor {
    size_t receivers;             /* direct channels: of all receivers but the head, at most nine */
    size_t field;                 /* channels of the head's field; 0: no head */
    size_t head;                  /* index of the receiver that is the head; SIZE_MAX: none */
    int order;                    /* of its field */
    double distance;              /* m: near-field distance of its field; 0: any */
    size_t channel[LISTENED_MAX]; /* of the room, by signal */
};

/* The head is the first receiver of type ambisonic or binaural. A binaural one becomes ambisonic in
 * *room, in its own axes, because its ears turn later. */
void monitor_make(struct monitor *l, struct room *room);

/* Filters of the head's ears at `rate`, from an HRTF of the file `path`; NULL: two cardioids.
 * Errors as of ear_filters_make. */
int monitor_ears(struct ear_filters *ears, const struct monitor *l, const struct hrtf *hrtf, const char *path,
                 double rate, struct error *e);

#endif
