/* SPDX-License-Identifier: MIT */
/* The calibration of a room by measured responses: data, choices, result and doubts. */
#ifndef AULA_RENDER_CALIBRATE_ROOM_CALIBRATION_H
#define AULA_RENDER_CALIBRATE_ROOM_CALIBRATION_H

#include "render/calibrate/room_forward.h"
#include "render/watch.h"

/* What was measured at a receiver of the room. */
struct calibrate_measured {
    size_t receiver;   /* index in the room */
    bool held;         /* compared, not fitted */
    char *path;        /* of the file, or its name in messages */
    size_t channel;    /* of the file, from 0; 0: of a table */
    bool listed;       /* in a table of parameters: there is no response */
    unsigned doubtful; /* bit of each octave that aula metrics marks with ? */
    struct metrics metrics;
};

struct calibrate_data {
    struct calibrate_measured *measured;
    size_t count;
};

/* Adds a channel as measured at a receiver. ERROR_USAGE, ERROR_INPUT: a second one of a receiver, a recorded sweep. */
int calibrate_data_add(struct calibrate_data *d, const struct room *room, size_t receiver, const char *path,
                       size_t channel, const struct metrics *metrics, struct error *e);
void calibrate_data_free(struct calibrate_data *d);

/* The choices of a user, as lists separated by commas. */
struct calibrate_wish {
    const char *free;    /* materials; NULL: those with absorption by octave and a share of the surface */
    const char *use;     /* parameters; NULL: "t20" */
    const char *octaves; /* Hz; NULL: all that were measured and that the waves or the rays of the room hold */
};

struct room_calibration {
    /* set by the caller */
    struct calibrate_wish wish;
    struct room *room; /* owned; calibrated at the end, but with another duration */
    struct calibrate_data data;
    /* its own */
    struct model *model;
    struct calibrate_task task;
    struct calibrate_room forward; /* the caller sets its `source` */
    struct calibrate_result result;
    bool use[CALIBRATE_PARAMETERS];
    char **warnings; /* what the data cannot tell, and what the model cannot reach */
    size_t warning_count;
};

/* The parameters of a list. ERROR_USAGE. */
int calibrate_parse_use(bool use[CALIBRATE_PARAMETERS], const char *list, struct error *e);

/* ERROR_INPUT unless the room can be calibrated. */
int room_calibration_check(const struct room *room, struct error *e);

/* Chooses materials and octaves, computes, and leaves the calibrated absorption in the room. ERROR_USAGE and ERROR_INPUT
 * with the option of aula calibrate and the remedy; those of the solver; ERROR_STOPPED. Free with room_calibration_free
 * in any case. */
int room_calibration_run(struct room_calibration *c, const struct solver_options *choice, const struct watch *watch,
                         struct error *e);
void room_calibration_free(struct room_calibration *c);

/* choices.c, for room_calibration.c alone. */
int calibrate_choose_materials(struct room_calibration *c, struct error *e);
int calibrate_choose_octaves(struct room_calibration *c, struct error *e);
void calibrate_fill_task(struct room_calibration *c);

/* doubts.c: fills the warnings. ERROR_MEMORY. */
int room_calibration_doubt(struct room_calibration *c, struct error *e);

/* ---- The result, by octave `k` of the task and free material `m` ---- */

const char *room_calibration_material(const struct room_calibration *c, size_t m);
const char *room_calibration_receiver(const struct room_calibration *c, size_t measured);

/* An absorption coefficient and its interval of 95 %. */
struct calibrate_interval {
    double value, low, high;
};
struct calibrate_interval room_calibration_posterior(const struct room_calibration *c, size_t k, size_t m);
struct calibrate_interval room_calibration_prior(const struct room_calibration *c, size_t k, size_t m);
/* Share of the prior's deviation that remains; told: below CALIBRATE_UNTOLD. */
double room_calibration_remaining(const struct room_calibration *c, size_t k, size_t m);

/* A parameter at a measured receiver, s or dB; NaN: missing. */
struct calibrate_residual {
    double measured, prior, calibrated;
    double steps; /* JND, calibrated less measured */
};
struct calibrate_residual room_calibration_residual(const struct room_calibration *c, size_t k, size_t measured,
                                                    enum calibrate_parameter parameter);

/* The text of the room file with the calibrated materials, in fresh memory. `text`: of the room file; `name`: of the
 * new file, beside which included files lie. NULL with ERROR_INPUT if it does not read as the calibrated room. */
char *room_calibration_text(const struct room_calibration *c, const char *text, const char *name, struct error *e);

/* "125", "1k": of an octave, in the caller's buffer; and with its unit: "125 Hz", "1 kHz". */
const char *calibrate_octave_text(char text[16], size_t octave);
const char *calibrate_octave_unit(char text[16], size_t octave);

#endif
