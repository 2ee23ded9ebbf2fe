/* SPDX-License-Identifier: MIT */
/* Finds and checks the sidecar of a sound file, NAME.json for NAME.wav. */
#ifndef AULA_IO_JSON_BESIDE_H
#define AULA_IO_JSON_BESIDE_H

#include <stdbool.h>

#include "base/error.h"

struct cJSON;

/* Whether the JSON belongs to the sound. */
enum json_of {
    JSON_OF_NONE,  /* no sidecar, or not JSON */
    JSON_OF_SOUND, /* the checksum matches, or the sidecar has none (older versions) */
    JSON_OF_SUFFIX, /* its member "file" names another suffix: NAME.wav and NAME.flac share NAME.json, which describes the newer one */
    JSON_OF_OTHER /* its member "output.checksum" is that of another sound */
};

/* *json is NULL unless the result is JSON_OF_SOUND. checksum: of the sound that was read (struct audio); "": not compared.
 * *of (or NULL): the relation. A renamed copy of both files still matches. Standard input has no sidecar. ERROR_MEMORY;
 * ERROR_INPUT if the file cannot be read or is larger than any sidecar of aula. */
int json_beside(struct cJSON **json, enum json_of *of, const char *sound_path, const char *checksum, struct error *e);

/* Message for JSON_OF_SUFFIX and JSON_OF_OTHER, to follow the name of the JSON file. */
const char *json_of_text(enum json_of of);

/* Whether the sidecar says that its sound was measured, not rendered: "source": "measured". */
bool json_is_measured(const struct cJSON *json);

/* *ours: whether the file is JSON of aula: of a render, a piece, a measurement, or aula info --json. ERROR_MEMORY. */
int json_is_ours(bool *ours, const char *path, struct error *e);

#endif
