/* The JSON that stands beside a sound file: NAME.json for NAME.wav. */
#ifndef AULA_IO_JSON_BESIDE_H
#define AULA_IO_JSON_BESIDE_H

struct cJSON;

/* NULL: there is none, it is no JSON, or it is larger than any that aula writes. */
struct cJSON *json_beside(const char *sound_path);

#endif
