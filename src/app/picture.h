/* SPDX-License-Identifier: MIT */
/* The picture of a response: its waveform, and the decay of its energy. */
#ifndef AULA_APP_PICTURE_H
#define AULA_APP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/output_set.h"
#include "render/render.h"
#include "room/room.h"

enum { PICTURE_CHANNELS = 8 }; /* more lines cannot be told apart */

/* Adds it to the set: channels[count] of the response. */
int picture_of_response(struct output_set *set, const char *path, const struct model *m, const struct rendering *r,
                        const size_t *channels, size_t count, struct error *e);

/* Names of films and maps, before any work: what may be written under them. */

/* outputs_check; ERROR_USAGE when one is an input of the room, or another of them, through links as well. */
int picture_names_check(const struct room *room, const char *const *paths, size_t count, bool no_clobber,
                        struct error *e);

/* The same of the frames NAME_0000.png .. of a film NAME.png. ERROR_OUTPUT, too, when there is a frame of another film
 * of that name which this one would leave beside its own. */
int frame_names_check(const struct room *room, const char *path, size_t frames, bool no_clobber, struct error *e);

#endif
