/* SPDX-License-Identifier: MIT */
/* The JSON beside a sound file: NAME.json for NAME.wav. */
#ifndef AULA_IO_JSON_BESIDE_H
#define AULA_IO_JSON_BESIDE_H

#include <stdbool.h>

#include "base/error.h"

struct cJSON;

/* Whether the JSON belongs to the sound. */
enum json_of {
    JSON_OF_NONE,   /* there is none, or the file is no JSON */
    JSON_OF_SOUND,  /* by its checksum, or it has none, as of older versions */
    JSON_OF_SUFFIX, /* its member "file" has another: NAME.wav and NAME.flac share NAME.json, of the one written last */
    JSON_OF_OTHER   /* its member "output.checksum" is that of another sound */
};

/* json is NULL but for JSON_OF_SOUND. checksum: of the sound that was read (struct audio); "": not compared. *of (or
 * NULL): why. A copy under another name keeps its JSON. Standard input has none. ERROR_MEMORY; ERROR_INPUT when the
 * file cannot be read, or is larger than any that aula writes. */
int json_beside(struct cJSON **json, enum json_of *of, const char *sound_path, const char *checksum, struct error *e);

/* What to say where it is not of the sound (JSON_OF_SUFFIX, JSON_OF_OTHER), after the name of the JSON. */
const char *json_of_text(enum json_of of);

/* *ours: whether the file is JSON of aula: of a render, a piece, or aula info --json. ERROR_MEMORY. */
int json_is_ours(bool *ours, const char *path, struct error *e);

#endif
