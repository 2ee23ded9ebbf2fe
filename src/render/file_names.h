/* SPDX-License-Identifier: MIT */
/* Names of the files of a run, which must differ: NAME_SOURCE_RECEIVER.wav of source "a" at receiver "b_c" is that of
 * source "a_b" at receiver "c", too. */
#ifndef AULA_RENDER_FILE_NAMES_H
#define AULA_RENDER_FILE_NAMES_H

#include "io/sound_pair.h"

struct room;

/* ERROR_USAGE, which names both, when two of these files would be one, by name or through links. names [count]: of the
 * sources from `first` on, room_file_count(room) of each in the order of room_file_receiver. others [other_count]: more
 * files of the run; NULL: none. */
int file_names_differ(const struct room *room, size_t first, const struct sound_names *names, size_t count,
                      const char *const *others, size_t other_count, struct error *e);

#endif
