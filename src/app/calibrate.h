/* SPDX-License-Identifier: MIT */
/* Parts of aula calibrate: its measured files and its table. */
#ifndef AULA_APP_CALIBRATE_H
#define AULA_APP_CALIBRATE_H

#include "app/options.h"
#include "render/calibrate/room_calibration.h"

struct calibrate_options {
    struct common_options common; /* settings: those of --receiver, NAME=FILE */
    struct solver_options choice;
    struct output_options output;
    const char *free, *use, *octaves, *hold_out, *source, *table;
    double waves_to; /* Hz; 0: as the room file says */
};

/* Reads all files and assigns their channels to receivers. ERROR_USAGE, ERROR_INPUT with the remedy: unknown or repeated
 * receivers, channels without a receiver, a recorded sweep. */
int calibrate_data_read(struct calibrate_data *d, const struct calibrate_options *o, const struct room *room,
                        struct error *e);

/* The receiver of a name. ERROR_USAGE, which begins with `option`. */
int calibrate_find_receiver(size_t *index, const struct room *room, const char *name, const char *option,
                            struct error *e);

/* calibrate_table.c: adds the receivers of a table of parameters, --table. ERROR_INPUT with file and line; ERROR_USAGE:
 * a receiver that the room lacks, or that was measured twice. */
int calibrate_table_read(struct calibrate_data *d, const char *path, const struct room *room, struct error *e);

int calibrate_print_table(const struct room_calibration *c);
/* output: the file that the room is written to; NULL: none. */
int calibrate_print_json(const struct room_calibration *c, const char *output, struct error *e);

#endif
