/* SPDX-License-Identifier: MIT */
/* The HRTF of a command: --hrtf and --distance. */
#ifndef AULA_APP_HRTF_H
#define AULA_APP_HRTF_H

#include "app/options.h"
#include "dsp/space/coverage.h"
#include "io/sofa/hrtf.h"

struct hrtf_options {
    const char *file;
    double distance; /* m; 0: HRTF_DISTANCE */
};

extern const struct option_row option_distance; /* each command describes --hrtf itself */

/* hrtf_read for the file and distance of the options. */
int read_hrtf(struct hrtf *h, const struct hrtf_options *o, struct error *e);

/* Prints the directions of an HRTF, and the notes and warnings of reading it. */
void say_hrtf(const struct common_options *o, const char *path, const struct hrtf *h, const struct coverage *c);

#endif
