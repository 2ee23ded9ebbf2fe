/* SPDX-License-Identifier: MIT */
/* Parts of aula calibrate: its measured files and its table. */
#ifndef AULA_APP_CALIBRATE_H
#define AULA_APP_CALIBRATE_H

#include "app/options.h"
#include "app/progress.h"
#include "render/calibrate/room_forward.h"
#include "render/watch.h"

struct calibrate_options {
    struct common_options common; /* settings: those of --receiver, NAME=FILE */
    struct solver_options choice;
    struct output_options output;
    const char *free, *use, *octaves, *hold_out, *source, *table;
    double waves_to; /* Hz; 0: as the room file says */
};

/* What was measured at a receiver of the room. */
struct calibrate_measured {
    size_t receiver; /* index in the room */
    bool held;       /* compared, not fitted */
    char *path;
    size_t channel; /* of the file, from 0; 0: of a table */
    struct metrics metrics;
};

struct calibrate_data {
    struct calibrate_measured *measured;
    size_t count;
};

/* Reads all files and assigns their channels to receivers. Free with calibrate_data_free, after errors too. ERROR_USAGE,
 * ERROR_INPUT with the remedy: unknown or repeated receivers, channels without a receiver, a recorded sweep. */
int calibrate_data_read(struct calibrate_data *d, const struct calibrate_options *o, const struct room *room,
                        struct error *e);
void calibrate_data_free(struct calibrate_data *d);

/* The receiver of a name. ERROR_USAGE, which begins with `option`. */
int calibrate_find_receiver(size_t *index, const struct room *room, const char *name, const char *option,
                            struct error *e);

/* Adds a channel as measured at a receiver. ERROR_USAGE: the receiver has one. ERROR_INPUT: it is a recorded sweep. */
int calibrate_data_add(struct calibrate_data *d, const struct room *room, size_t receiver, const char *path,
                       size_t channel, const struct metrics *metrics, struct error *e);

/* calibrate_table.c: adds the receivers of a table of parameters, --table. ERROR_INPUT with file and line; ERROR_USAGE:
 * a receiver that the room lacks, or that was measured twice. */
int calibrate_table_read(struct calibrate_data *d, const char *path, const struct room *room, struct error *e);

/* All of a run. */
struct calibration {
    struct calibrate_options *o;
    struct room *room;
    struct model *model;
    struct calibrate_data data;
    struct calibrate_task task;
    struct calibrate_room forward;
    struct calibrate_result result;
    bool use[CALIBRATE_PARAMETERS];
    struct progress progress;
    struct watch watch;
};

/* The parameters of --use. ERROR_USAGE. */
int calibrate_parse_use(bool use[CALIBRATE_PARAMETERS], const char *list, struct error *e);

/* The materials of --free, else those with absorption by octave and a share of the surface. */
int calibrate_choose_materials(struct calibration *c, struct error *e);

/* The octaves of --octaves, else all that were measured and that the waves or the rays of the room hold. */
int calibrate_choose_octaves(struct calibration *c, struct error *e);

/* Priors and data. */
void calibrate_fill_task(struct calibration *c);

/* Everything that was found. */
struct calibrate_findings {
    const struct calibrate_options *options;
    const struct calibrate_room *room;
    const struct calibrate_data *data;
    const struct calibrate_task *task;
    const struct calibrate_result *result;
    bool use[CALIBRATE_PARAMETERS];
    char **warnings;
    size_t warning_count;
};

/* Fills the warnings: what the data cannot tell, and what the model cannot reach. */
int calibrate_warn(struct calibrate_findings *f, struct error *e);

int calibrate_print_table(const struct calibrate_findings *f, struct error *e);
int calibrate_print_json(const struct calibrate_findings *f, struct error *e);

/* "125", "1k": of an octave, in the caller's buffer. */
const char *calibrate_octave_text(char text[16], size_t octave);

#endif
