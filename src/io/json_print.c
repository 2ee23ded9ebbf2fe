/* SPDX-License-Identifier: MIT */
#include "io/json_print.h"

#include <stdio.h>
#include <stdlib.h>

int json_print(cJSON *json, struct error *e)
{
    char *text = json_text(json);
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    printf("%s\n", text);
    free(text);
    return 0;
}
