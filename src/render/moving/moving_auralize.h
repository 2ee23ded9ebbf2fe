/* SPDX-License-Identifier: MIT */
/* Auralizes a dry sound along a path: files in, sound and warnings out. */
#ifndef AULA_RENDER_MOVING_MOVING_AURALIZE_H
#define AULA_RENDER_MOVING_MOVING_AURALIZE_H

#include "render/auralize.h"

struct moving_settings {
    const char *walk;  /* file of the path */
    bool source_moves; /* through the receivers, by reciprocity: the source of the responses is the listener */
};

struct moving_facts {
    size_t places, rows;
    double spacing; /* m */
    double seconds; /* time of the last row */
};

/* responses: [count] files of aula render, all of one source, with the JSON beside each. The channels of the dry sound
 * are averaged. ERROR_INPUT names the unsuitable file, or the line of the path, and a remedy. On failure *a is zero. */
int moving_auralization_make(struct auralization *a, struct moving_facts *facts, const char *const *responses,
                             size_t count, const char *dry_path, const struct moving_settings *settings,
                             struct error *e);

#endif
