/* The JSON that stands beside a sound file: NAME.json for NAME.wav. */
#ifndef AULA_IO_JSON_BESIDE_H
#define AULA_IO_JSON_BESIDE_H

#include <stdbool.h>

struct cJSON;

/* NULL: there is none (as beside standard input), it is no JSON, or it is larger than any that aula writes. */
struct cJSON *json_beside(const char *sound_path);

/* Whether what stands there says that aula wrote it: a render, or aula info --json. */
bool json_is_ours(const char *path);

#endif
