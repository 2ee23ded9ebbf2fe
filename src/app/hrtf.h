/* SPDX-License-Identifier: MIT */
/* The HRTF that a command hears by: --hrtf and --distance. */
#ifndef AULA_APP_HRTF_H
#define AULA_APP_HRTF_H

#include "app/options.h"
#include "dsp/space/coverage.h"
#include "io/sofa/hrtf.h"

struct hrtf_options {
    const char *file;
    double distance; /* m; 0: its own default */
};

extern const struct option_row option_distance; /* --hrtf means something else to each command */

/* As hrtf_read, of o->file. */
int read_hrtf(struct hrtf *h, const struct hrtf_options *o, struct error *e);

/* Its directions, what was chosen in the file, and what contradicts itself there. */
void say_hrtf(const struct common_options *o, const char *path, const struct hrtf *h, const struct coverage *c);

#endif
