/* SPDX-License-Identifier: MIT */
/* The picture of a response (waveform and energy decay), and the names of films and maps. */
#ifndef AULA_APP_PICTURE_H
#define AULA_APP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/output_set.h"
#include "render/render.h"
#include "room/room.h"

enum { PICTURE_CHANNELS = 8 }; /* more lines cannot be told apart */

/* Adds a picture of channels[count] of a response to the set. ERROR_MEMORY, ERROR_OUTPUT. */
int picture_of_response(struct output_set *set, const char *path, const struct model *m, const struct rendering *r,
                        const size_t *channels, size_t count, struct error *e);

/* Checks the names of films and maps before any work: outputs_check, and ERROR_USAGE if one is an input of the room or
 * equals another, also through links. */
int picture_names_check(const struct room *room, const char *const *paths, size_t count, bool no_clobber,
                        struct error *e);

/* Checks the frames NAME_0000.png and so on of a film NAME.png in the same way. ERROR_OUTPUT also if frames of another
 * film of that name would remain beside the new ones. */
int frame_names_check(const struct room *room, const char *path, size_t frames, bool no_clobber, struct error *e);

#endif
