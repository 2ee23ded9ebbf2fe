/* SPDX-License-Identifier: MIT */
/* What a preview listens to: the channels of a room's receivers, and the field around a head that turns. */
#ifndef AULA_RENDER_PREVIEW_MONITOR_H
#define AULA_RENDER_PREVIEW_MONITOR_H

#include "dsp/ears/ear_filters.h"
#include "room/room.h"

enum { LISTENED_DIRECT_MAX = 9, LISTENED_FIELD_MAX = 25 };
enum { LISTENED_MAX = LISTENED_DIRECT_MAX + LISTENED_FIELD_MAX };

/* Signals are the direct channels and then those of the field. */
struct monitor {
    size_t receivers;             /* direct channels: those of all receivers but the head, the first nine */
    size_t field;                 /* channels of the head's field; 0: there is no head */
    size_t head;                  /* the receiver that is the head; SIZE_MAX: none */
    int order;                    /* of its field */
    double distance;              /* m: at which its field is right for near sources; 0: any */
    size_t channel[LISTENED_MAX]; /* of the room, for each signal */
};

/* The head is the first receiver of type ambisonic or binaural. A binaural one becomes ambisonic in *room, in its axes:
 * its ears turn later. */
void monitor_make(struct monitor *l, struct room *room);

/* Filters of the head's ears at `rate`: by an HRTF of the file `path`; NULL: two cardioids. Errors as
 * ear_filters_make. */
int monitor_ears(struct ear_filters *ears, const struct monitor *l, const struct hrtf *hrtf, const char *path,
                 double rate, struct error *e);

#endif
