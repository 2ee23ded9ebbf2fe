/* SPDX-License-Identifier: MIT */
/* A sound file and the JSON that describes it, which tells the checksum of the sound. */
#ifndef AULA_IO_SOUND_PAIR_H
#define AULA_IO_SOUND_PAIR_H

#include "base/error.h"
#include "base/output_set.h"

/* Standard output takes the sound alone: json is NULL then. */
struct sound_names {
    char *sound, *json;
};

void sound_names_free(struct sound_names *names);

/* Adds both to the set, the sound first, or the sound alone: then pair[1] is NULL. They stay the set's. */
int sound_pair_add(struct output_file *pair[2], struct output_set *set, const struct sound_names *names,
                   struct error *e);

/* 0, or ERROR_USAGE when the JSON exists and aula did not write it; ERROR_MEMORY. NULL: no JSON. */
int sound_pair_check_json(const char *json, struct error *e);

/* Another sound beside it that the JSON of these names describes, and would not any more: NAME.wav and NAME.flac share
 * NAME.json. In fresh memory; NULL: none. ERROR_MEMORY. */
int sound_pair_other(char **other, const struct sound_names *names, struct error *e);

#endif
