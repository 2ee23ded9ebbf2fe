/* SPDX-License-Identifier: MIT */
/* The HRTF that a command hears by: --hrtf and --distance. */
#ifndef AULA_APP_HRTF_H
#define AULA_APP_HRTF_H

#include "app/options.h"
#include "dsp/space/coverage.h"
#include "io/sofa/hrtf.h"

extern const struct option_row option_distance;

/* As hrtf_read, of o->hrtf. */
int read_hrtf(struct hrtf *h, const struct options *o, struct error *e);

/* Its directions, what was chosen in the file, and what contradicts itself there. */
void say_hrtf(const struct options *o, const char *path, const struct hrtf *h, const struct coverage *c);

#endif
