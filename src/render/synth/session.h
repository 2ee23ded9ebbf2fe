/* SPDX-License-Identifier: MIT */
/* From a room file with a score to sound: the work of `aula synth` between reading and writing. */
#ifndef AULA_RENDER_SYNTH_SESSION_H
#define AULA_RENDER_SYNTH_SESSION_H

#include "render/length.h"
#include "render/synth/perform.h"

struct cJSON;

/* Conversion of traces into output, and the number of steps it needs. */
struct session_output {
    struct response_settings air, pickups;
    struct length length;
};

/* m: NULL without air; rate: steps per second; onset: steps before time 0; signal: s at which the
 * room's sources end. time.duration = "auto" ends when the last event has decayed by 60 dB: by the
 * decay of its instrument and of the body it drives, or by Eyring's T60 of the room if that is
 * longer, rounded up to tenths of a second. */
struct session_output session_output(const struct room *room, const struct model *m, const struct score *score,
                                     double signal, double rate, size_t onset);

/* Everything known before the first step. */
struct session {
    const struct room *room;
    struct model *model; /* NULL: no air */
    struct score score;
    struct ensemble *ensemble;
    struct session_output output;
    double rate;     /* Hz: steps per second */
    size_t onset;    /* steps before time 0 */
    double *sources; /* [room_first_drive(source_count)][steps] */
    size_t source_count;
    char **warnings; /* of the session, not its members */
    size_t warning_count;
};

/* `dry`: the instruments without air, at the output's rate (48 kHz for "grid"). ERROR_INPUT for a
 * room without instruments, without receivers and pickups, or for anything that ensemble_make
 * refuses. */
int session_make(struct session *s, const struct room *room, bool dry, struct error *e);
void session_free(struct session *s);

/* JSON in fresh memory: every input of a piece except the contents of the files it names. NULL: out
 * of memory. */
char *session_text(const struct session *s);

/* Checks engine, kernel and memory before any work starts. */
int session_check(const struct session *s, const struct solver_options *choice, struct error *e);

/* The recorded responses. */
struct take {
    struct response air, pickups; /* Pa; m/s, or Pa of wind instruments. Equal rate and length */
    struct solver_plan plan;
    struct block_outcome outcome;
    char **warnings; /* of the run */
    size_t warning_count;
};
int take_make(struct take *r, const struct session *s, const struct solver_options *choice, const struct watch *watch,
              struct error *e);
void take_free(struct take *r);

/* The voices as computed, also for `aula info --json`. */
struct cJSON *voices_json(const struct ensemble *s, const struct room *room, bool in_air);

#endif
