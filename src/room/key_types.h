/* SPDX-License-Identifier: MIT */
/* The types of keys: one row each, which reads, describes and writes its values. The rows are
 * defined in type_*.c and listed in keys.h. */
#ifndef AULA_ROOM_KEY_TYPES_H
#define AULA_ROOM_KEY_TYPES_H

#include <cjson/cJSON.h>

#include "room/reader.h"

struct key_type {
    const char *name;   /* in the printed manual: "3 numbers" */
    const char *expect; /* expected value, for messages; $: the key's name; NULL: from describe */
    void (*describe)(const struct key *key, char *text, size_t size); /* where the text depends on the key */
    /* Reads the value of the file into the struct at place->base. 0, or -1: refused. */
    int (*read)(struct reader *r, const struct place *place, const struct key *key, const config_setting_t *setting);
    /* Sets the default; NULL: 0. */
    int (*take_default)(struct reader *r, const struct place *place, const struct key *key);
    /* Adds the value to a JSON object, or nothing where none was given; false: no memory. NULL: never in the JSON. */
    bool (*write)(cJSON *json, const struct room *room, const struct key *key, const char *base);
};

#define X(tag, row) extern const struct key_type type_##row;
KEY_TYPES(X)
#undef X
extern const struct key_type *const key_types[]; /* by key->type */

/* The location of a key's value, for reading and for writing. */
static inline void *key_target(const struct place *place, const struct key *key)
{
    return place->base + key->offset;
}

static inline const void *key_value(const struct key *key, const char *base)
{
    return base + key->offset;
}

/* json.c: for write() */
cJSON *json_number_of(double value);                             /* reads back as the same double */
cJSON *json_numbers(const double *values, size_t count);         /* an array; NULL: no memory */
bool json_put(cJSON *json, const struct key *key, cJSON *value); /* takes the value; false: it is NULL, or no memory */
bool json_write_group(cJSON *json, const struct room *room, const char *group, const void *base, unsigned kind);

#endif
