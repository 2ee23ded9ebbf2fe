/* The JSON beside a sound file: NAME.json for NAME.wav. */
#ifndef AULA_IO_JSON_BESIDE_H
#define AULA_IO_JSON_BESIDE_H

#include <stdbool.h>

#include "base/error.h"

struct cJSON;

/* json is NULL when there is none (as beside standard input), when the file is no JSON, or when its member "file" has
 * another suffix than the sound: NAME.wav and NAME.flac share NAME.json, which describes the one written last. *other
 * (or NULL): the latter. A copy under another name keeps its JSON. ERROR_MEMORY; ERROR_INPUT when the file cannot be
 * read, or is larger than any that aula writes. */
int json_beside(struct cJSON **json, bool *other, const char *sound_path, struct error *e);

/* *ours: whether the file is JSON of aula: of a render, a piece, or aula info --json. ERROR_MEMORY. */
int json_is_ours(bool *ours, const char *path, struct error *e);

#endif
