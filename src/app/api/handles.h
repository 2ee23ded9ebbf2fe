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
    /* of which it was read, and can be read again */
    char *path;
    char *text; /* NULL: of the file */
    char **settings;
    size_t setting_count;
    bool calibrated; /* its absorption is not that of its text */
};

struct aula_response {
    struct aula_room *room;
    struct model
        *together; /* owned; for all sources together, if they need another scheme than one source; else NULL */
    const struct model *model; /* `together`, or the room's */
    struct rendering rendering;
    char *json;            /* made on first request */
    char *engine, *kernel; /* of a response made again; NULL: static names */
};

struct aula_metrics {
    size_t channels;
    struct metrics *channel; /* [channels] */
    char **sti_missing;      /* [channels] "" if there is an index */
    char *note;
    struct recording facts; /* receivers, calibration, content, volume and sound speed; owns nothing */
    char *json;             /* made on first request */
};

struct aula_sound {
    struct audio audio;
    char **names; /* [audio.channels]; NULL: none */
    char **warnings;
    size_t warning_count;
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

/* 0, or ERROR_USAGE if one of the settings is no text. */
int call_check_settings(struct call *call, const char *const *settings, size_t count);

/* 0, or an error unless samples[channels][frames] at `rate` Hz can be audio: finite, and not too many channels. `name` is
 * that of the parameter. */
int call_check_samples(struct call *call, const char *name, const double *samples, size_t channels, size_t frames,
                       double rate);

/* 0, or ERROR_USAGE if one of the members for future extensions is not NULL; `name` is that of the struct. */
int call_check_reserved(struct call *call, void *const *reserved, size_t count, const char *name);

/* 0, or ERROR_USAGE if the room has no source of this number. */
int call_check_source(struct call *call, const struct room *room, size_t source);

/* 0, or ERROR_USAGE if there are no responses or one is NULL; `remedy` describes the right ones. */
int call_check_responses(struct call *call, const struct aula_response *const *responses, size_t count,
                         const char *remedy);

/* 0, or ERROR_USAGE unless they are one response, or those to all sources of a room in their order. */
int call_check_set(struct call *call, const struct aula_response *const *responses, size_t count);

/* The gain of output.normalise, one for all channels and files, so that relative levels are kept. */
double responses_gain(const struct aula_response *const *responses, size_t count);

/* The options of a call, which must outlive the work. */
struct call_options {
    struct aula_options given;
    struct call *call;
    struct solver_options choice;
    struct watch watch; /* calls the caller's progress function */
};

/* `options` may be NULL. ERROR_USAGE. */
int call_take_options(struct call_options *o, struct call *call, const struct aula_options *options);

/* Parameters of the recording r, which owns nothing; `name` identifies it in messages, `note` may be NULL. */
int metrics_of_recording(struct call *call, struct aula_metrics **metrics, const struct recording *r, const char *note,
                         const char *name);

/* Reads the room again as it was opened. ERROR_INPUT: its file has changed. */
int room_read_again(struct room **room, const struct aula_room *from, struct error *e);
/* A handle that owns `room`, which it frees also after an error, but without text. */
int room_open_made(struct call *call, struct aula_room **out, struct room *room);

/* Sets response->model for responses to `count` sources together. */
int response_choose_model(struct aula_response *response, size_t count, struct error *e);

struct aula_room *room_hold(const struct aula_room *room);
void room_release(struct aula_room *room); /* NULL-safe */

#endif
