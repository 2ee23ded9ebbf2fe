/* A sound file and the JSON that describes it, which are replaced together. */
#ifndef AULA_IO_SOUND_PAIR_H
#define AULA_IO_SOUND_PAIR_H

#include <stdbool.h>

#include "base/error.h"
#include "base/output_file.h"

/* Standard output takes the sound alone: json is NULL then. */
struct sound_names {
    char *sound, *json;
};

void sound_names_free(struct sound_names *names);

/* Opens both, or the sound alone. no_clobber: existing files are not replaced. */
int sound_pair_open(struct output_file pair[2], const struct sound_names *names, bool no_clobber, struct error *e);

/* Writes `json` (or NULL) to the second, and renames both together. Discards the pair in either case. */
int sound_pair_commit(struct output_file pair[2], const char *json, struct error *e);
void sound_pair_discard(struct output_file pair[2]);

/* 0, or ERROR_USAGE when the JSON exists and aula did not write it; ERROR_MEMORY. NULL: no JSON. */
int sound_pair_check_json(const char *json, struct error *e);

#endif
