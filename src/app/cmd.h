/* SPDX-License-Identifier: MIT */
/* Declarations of the subcommands; main.c has their table. */
#ifndef AULA_APP_CMD_H
#define AULA_APP_CMD_H

#include "app/options.h"

extern const struct command command_render, command_info, command_bench, command_validate, command_devices,
    command_auralize, command_preview, command_metrics, command_report, command_synth, command_tune, command_completion,
    command_binaural, command_batch, command_film, command_map, command_play, command_compare, command_open_plan,
    command_measure, command_deconvolve, command_modes, command_place, command_calibrate, command_material,
    command_materials, command_studio;

extern const struct command *const commands[]; /* in the order of --help; NULL-terminated */

/* The index-th argument that aula validate accepts, such as "cartesian7" or "cartesian7/kernels"; NULL beyond the last.
 * `name` is a buffer that may hold the result. */
enum { VALIDATE_NAME = 64 };
const char *validate_name(size_t index, char name[VALIDATE_NAME]);

#endif
