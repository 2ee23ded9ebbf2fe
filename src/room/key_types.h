/* What a key can be: one row for each type, from the words of the manual to the JSON. Rows stand beside their functions, in
 * type_*.c; keys.h lists them. */
#ifndef AULA_ROOM_KEY_TYPES_H
#define AULA_ROOM_KEY_TYPES_H

#include <cjson/cJSON.h>

#include "room/reader.h"

struct key_type {
    const char *name;   /* in the printed manual: "3 numbers" */
    const char *expect; /* what may be written, for messages, with $ for the key's name; NULL: see describe */
    void (*describe)(const struct key *key, char *text, size_t size); /* where the words follow from the key */
    /* The value that stands in the file, into the struct at place->base. 0, or refused. */
    int (*read)(struct reader *r, const struct place *place, const struct key *key, const config_setting_t *setting);
    /* What is taken when nothing is given; NULL: 0. */
    int (*take_default)(struct reader *r, const struct place *place, const struct key *key);
    /* Adds the value to a JSON object, or nothing where none was given; false: no memory. NULL: never in the JSON. */
    bool (*write)(cJSON *json, const struct room *room, const struct key *key, const char *base);
};

#define X(tag, row) extern const struct key_type type_##row;
KEY_TYPES(X)
#undef X
extern const struct key_type *const key_types[]; /* by key->type */

/* json.c: for write() */
cJSON *json_number_of(double value);                             /* reads back as the same double */
cJSON *json_numbers(const double *values, size_t count);         /* an array; NULL: no memory */
bool json_put(cJSON *json, const struct key *key, cJSON *value); /* takes the value; false: it is NULL, or no memory */
bool json_write_group(cJSON *json, const struct room *room, const char *group, const void *base, unsigned kind);

#endif
