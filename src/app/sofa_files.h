/* SPDX-License-Identifier: MIT */
/* The SOFA files of aula render --sofa: NAME.sofa beside NAME.wav for the omni receivers, NAME_RECEIVER.sofa for each
 * other, with all sources in each. */
#ifndef AULA_APP_SOFA_FILES_H
#define AULA_APP_SOFA_FILES_H

#include "app/render_options.h"
#include "base/output_set.h"
#include "render/render.h"
#include "room/grid/model.h"

struct sofa_files {
    char **paths;     /* [count], by file of the room; NULL: none for these receivers */
    size_t *channels; /* [count], of receivers, once it is written */
    size_t count;
};

/* Names and checks them, before any work; none without --sofa. ERROR_USAGE, ERROR_INPUT, ERROR_OUTPUT. */
int sofa_files_plan(struct sofa_files *s, const struct room *room, const struct render_options *o, struct error *e);
void sofa_files_free(struct sofa_files *s);

/* Adds them to the set. renderings: one for each source. */
int sofa_files_write(struct output_set *set, const struct sofa_files *s, const struct model *m,
                     const struct rendering *const *renderings, size_t count, double gain, struct error *e);

/* A line about each, once they have their names. */
void sofa_files_say(const struct sofa_files *s, size_t sources, bool quiet);

#endif
