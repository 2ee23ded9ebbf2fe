/* The subcommands; the table is in main.c. */
#ifndef AULA_CMD_CMD_H
#define AULA_CMD_CMD_H

#include "cmd/options.h"

extern const struct command command_render, command_info, command_bench, command_validate, command_devices,
    command_auralize, command_preview, command_metrics, command_report, command_synth;

#endif
