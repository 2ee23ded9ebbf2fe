/* SPDX-License-Identifier: MIT */
/* JSON on standard output. */
#ifndef AULA_IO_JSON_PRINT_H
#define AULA_IO_JSON_PRINT_H

#include "base/error.h"
#include "io/json_build.h"

/* Prints and deletes it. ERROR_MEMORY, and nothing printed, when a part of it was lost. */
int json_print(cJSON *json, struct error *e);

#endif
