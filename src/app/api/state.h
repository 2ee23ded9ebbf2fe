/* SPDX-License-Identifier: MIT */
/* The numbers of a record as JSON, by which responses and parameters go from one process to another. */
#ifndef AULA_APP_API_STATE_H
#define AULA_APP_API_STATE_H

#include <stddef.h>

#include "base/error.h"

struct cJSON;

enum state_kind {
    STATE_NUMBER, /* double, also NaN and infinite */
    STATE_SIZE,   /* size_t */
    STATE_LARGE,  /* uint64_t */
    STATE_WHOLE,  /* int, or an enum, from 0 to `most` */
    STATE_FLAG,   /* bool */
};

/* A member of a record: `count` values from `offset` on. */
struct state_member {
    const char *name;
    enum state_kind kind;
    size_t offset, count;
    int most; /* of STATE_WHOLE */
};

/* Rows of a table: STATE(struct rendering, STATE_NUMBER, decay). STATES: an array of `number` values. */
#define STATE(type, kind, member)                                                                                      \
    {                                                                                                                  \
#member, kind, offsetof(type, member), 1, 0                                                                    \
    }
#define STATES(type, kind, member, number)                                                                             \
    {                                                                                                                  \
#member, kind, offsetof(type, member), number, 0                                                               \
    }
#define STATE_TO(type, member, most)                                                                                   \
    {                                                                                                                  \
#member, STATE_WHOLE, offsetof(type, member), 1, most                                                          \
    }

/* Adds the members [count] of a record to an object. Numbers read back with the same bits. */
void state_add(struct cJSON *object, const void *record, const struct state_member *members, size_t count);

/* Fills the members of a record. ERROR_INPUT: one is missing, or out of its range. */
int state_take(void *record, const struct cJSON *object, const struct state_member *members, size_t count,
               struct error *e);

/* Adds the texts [count] as an array. */
void state_add_texts(struct cJSON *object, const char *name, char *const *texts, size_t count);

/* The texts of an array, in fresh memory, for lines_free. ERROR_INPUT, ERROR_MEMORY; *texts is then to be freed, too. */
int state_take_texts(char ***texts, size_t *count, const struct cJSON *object, const char *name, struct error *e);

#endif
