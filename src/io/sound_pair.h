/* A sound file and the JSON that describes it, which change together. */
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

/* Opens both, or the one there is. no_clobber: neither takes the place of a file that is there. */
int sound_pair_open(struct output_file pair[2], const struct sound_names *names, bool no_clobber, struct error *e);

/* `json` (which may be NULL) is the text of the second; both take their names together. They are discarded in either case. */
int sound_pair_commit(struct output_file pair[2], const char *json, struct error *e);
void sound_pair_discard(struct output_file pair[2]);

/* 0, or ERROR_USAGE when the JSON is there and is not what aula writes; ERROR_MEMORY. NULL: there is none. */
int sound_pair_check_json(const char *json, struct error *e);

#endif
