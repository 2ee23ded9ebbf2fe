/* SPDX-License-Identifier: MIT */
/* One dry sound in several rooms with one gain, for comparisons by ear. */
#ifndef AULA_PRESENT_PAGE_ROOMS_HEARD_H
#define AULA_PRESENT_PAGE_ROOMS_HEARD_H

#include "dsp/measure/comparison.h"
#include "io/audio_file.h"
#include "present/page/remarks.h"

struct rooms_heard_request {
    const struct compared_file *files;    /* [count] responses; samples are read again */
    const struct comparison *comparisons; /* [count - 1] of the others with the first */
    size_t count;
    const char *dry;         /* path */
    bool match_level;        /* make the mean squares equal */
    struct remarks *remarks; /* receives warnings about levels and valid bands, and notes */
};

/* The sounds have the same channels, those of receivers that all files have, the same rate, the highest of all, and the
 * same length. With calibrated responses they are those of sources of equal strength. The largest peak is -1 dB re full
 * scale. */
struct rooms_heard {
    struct audio *rooms; /* [count] */
    size_t count;
    double gain;        /* applied to all */
    double dry_seconds; /* length of the dry sound */
};

/* ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED. Free also on
 * failure. */
int rooms_heard_make(struct rooms_heard *h, const struct rooms_heard_request *r, struct error *e);
void rooms_heard_free(struct rooms_heard *h); /* safe on a zeroed struct */

#endif
