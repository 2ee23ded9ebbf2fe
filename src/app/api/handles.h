/* SPDX-License-Identifier: MIT */
/* Types behind the handles of aula.h, and the frame of each of its functions: begin, argument checks, end. */
#ifndef AULA_APP_API_HANDLES_H
#define AULA_APP_API_HANDLES_H

#include <locale.h>
#include <stdatomic.h>

#include "aula.h"
#include "dsp/measure/recording.h"
#include "render/render.h"

/* Reference-counted: held by the caller that opened it and by each response; the last holder frees it. */
struct aula_room {
    atomic_uint holders;
    struct room *room;
    struct model *model;
    char *json; /* made on first request */
    char *note; /* about former names of keys; NULL: none */
};

struct aula_response {
    struct aula_room *room;
    struct model
        *together; /* owned; for all sources together, if they need another scheme than one source; else NULL */
    const struct model *model; /* `together`, or the room's */
    struct rendering rendering;
};

struct aula_metrics {
    size_t channels;
    struct metrics *channel; /* [channels] */
    char **sti_missing;      /* [channels] "" if there is an index */
    char *note;
    struct recording facts; /* receivers, calibration, content, volume and sound speed; owns nothing */
};

/* A call of the C interface that can fail; runs in the C locale. */
struct call {
    struct error error;
    struct aula_error *out; /* the caller's; may be NULL */
    locale_t before;
};

/* Enters the C locale. Nonzero on failure: the call must return, and *out is filled. */
int call_begin(struct call *call, struct aula_error *out);

/* Leaves the C locale. If status is nonzero, copies the error to *out with the names of aula.h. Returns 0 or -1. */
int call_end(struct call *call, int status);

/* Fails with ERROR_USAGE: "NAME is NULL; pass REMEDY". */
int call_refuse_null(struct call *call, const char *name, const char *remedy);

/* 0, or ERROR_USAGE if a text is NULL or "". */
int call_check_text(struct call *call, const char *text, const char *name, const char *remedy);

/* 0, or ERROR_USAGE if there are no responses or one is NULL; `remedy` describes the right ones. */
int call_check_responses(struct call *call, const struct aula_response *const *responses, size_t count,
                         const char *remedy);

struct aula_room *room_hold(const struct aula_room *room);
void room_release(struct aula_room *room); /* NULL-safe */

#endif
