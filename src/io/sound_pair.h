/* SPDX-License-Identifier: MIT */
/* Writes a sound file and its sidecar, which contains the checksum of the sound. */
#ifndef AULA_IO_SOUND_PAIR_H
#define AULA_IO_SOUND_PAIR_H

#include "base/error.h"
#include "base/output_set.h"

/* Standard output receives only the sound; json is then NULL. */
struct sound_names {
    char *sound, *json;
};

void sound_names_free(struct sound_names *names);

/* Adds both to the set, the sound first, or the sound alone: then pair[1] is NULL. They stay the set's. */
int sound_pair_add(struct output_file *pair[2], struct output_set *set, const struct sound_names *names,
                   struct error *e);

/* 0, or ERROR_USAGE when the JSON exists and aula did not write it; ERROR_MEMORY. NULL: no JSON. */
int sound_pair_check_json(const char *json, struct error *e);

/* The path of another sound file that would lose its sidecar to this one: NAME.wav and NAME.flac share NAME.json. To be
 * freed; NULL: none. ERROR_MEMORY. */
int sound_pair_other(char **other, const struct sound_names *names, struct error *e);

#endif
