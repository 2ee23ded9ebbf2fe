/* JSON on standard output. */
#ifndef AULA_IO_JSON_PRINT_H
#define AULA_IO_JSON_PRINT_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* Prints and deletes it. ERROR_MEMORY when it cannot be put into words. */
int json_print(cJSON *json, struct error *e);

#endif
