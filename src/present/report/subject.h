/* SPDX-License-Identifier: MIT */
/* Subject of a report: a response, its parameters and its room. */
#ifndef AULA_PRESENT_REPORT_SUBJECT_H
#define AULA_PRESENT_REPORT_SUBJECT_H

#include "dsp/measure/findings.h"
#include "dsp/measure/recording.h"
#include "geometry/rays/edges.h"
#include "geometry/voxels/voxel_set.h"
#include "room/grid/room_measures.h"
#include "room/room.h"

struct cJSON;

enum { CURVE_POINTS = 400 }; /* of an energy decay curve */

struct subject {
    const char *path;
    const char *name; /* the last part of path */
    struct recording recording;
    struct cJSON *json;         /* what aula render wrote, or NULL */
    struct room *room;          /* the room in it, with only the receivers of the file, or NULL */
    size_t receiver_count;      /* of all receivers of that room */
    struct room_measures space; /* of that room on its grid; zero without a room */
    struct voxel_set *voxels;   /* of that room on its grid; NULL without a room, and of too many voxels */
    double origin[3], spacing;  /* m: of these voxels */
    struct ray_edges edges;     /* free ones of that room; none of a response without a geometric half */
    double size[3];             /* m, as given; of that grid where points were given */
    double box_volume;          /* m³ of that grid; objects included */
    struct metrics *channel;    /* [recording.audio.channels] */
    struct measured_findings findings;
    double *curves;    /* [recording.audio.channels][METRICS_BANDS][CURVE_POINTS], dB */
    double curve_step; /* s */
    double peak;       /* largest magnitude of all channels */
    char *warning;     /* part of the JSON that could not be used, or NULL */
};

/* Reads and measures a file. A response that cannot be measured is an error with file and channel; a missing, invalid or
 * foreign JSON is not an error (see warning and recording.note). On failure *s is zero. */
int subject_read(struct subject *s, const char *path, struct error *e);
void subject_free(struct subject *s); /* NULL-safe */

/* The name of a channel's receiver, or "channel 2"; in a buffer of the caller. */
const char *subject_channel_name(const struct subject *s, size_t channel, char text[128]);

/* Mean over the 500 Hz and 1 kHz octaves of the parameter that `of` returns for a band; NaN if one is missing. */
double subject_middle(const struct metrics *m, double (*of)(const struct metrics_band *));

/* Whether a response has a doubtful octave. */
bool subject_doubtful(const struct subject *s);

/* m: distance from the source to the receiver of a channel; NaN if unknown or if there are several sources. */
double subject_distance(const struct subject *s, size_t channel);

#endif
