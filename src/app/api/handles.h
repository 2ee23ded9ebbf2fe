/* SPDX-License-Identifier: MIT */
/* Types behind the handles of aula.h, and the begin and end of each of its functions. */
#ifndef AULA_APP_API_HANDLES_H
#define AULA_APP_API_HANDLES_H

#include <locale.h>
#include <stdatomic.h>

#include "aula.h"
#include "render/render.h"

/* Counts its holders: the caller that opened it, and each response. The last one frees it. */
struct aula_room {
    atomic_uint holders;
    struct room *room;
    struct model *model;
    char *json; /* made when it is asked for */
    char *note; /* on keys by former names; NULL: there is none */
};

struct aula_response {
    struct aula_room *room;
    struct model *together;    /* owned: all sources at once need another scheme than one by one; NULL: not so */
    const struct model *model; /* the room's, or that */
    struct rendering rendering;
};

/* A call of the C interface that can fail; runs in the C locale. */
struct call {
    struct error error;
    struct aula_error *out; /* the caller's, or NULL */
    locale_t before;
};

/* Nonzero: the call ends here, *out is filled. */
int call_begin(struct call *call, struct aula_error *out);

/* Passes the error on when status is not 0, with the names of aula.h. Returns 0 or -1. */
int call_end(struct call *call, int status);

/* ERROR_USAGE "NAME is NULL: REMEDY" */
int call_refuse_null(struct call *call, const char *name, const char *remedy);

/* 0, or ERROR_USAGE when a text is NULL or "". */
int call_check_text(struct call *call, const char *text, const char *name, const char *remedy);

/* 0, or ERROR_USAGE when there are none or one is NULL; the remedy says which to give. */
int call_check_responses(struct call *call, const struct aula_response *const *responses, size_t count,
                         const char *remedy);

struct aula_room *room_hold(const struct aula_room *room);
void room_release(struct aula_room *room); /* NULL-safe */

#endif
