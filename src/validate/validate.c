/* SPDX-License-Identifier: MIT */
#include "validate/validate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stop.h"
#include "base/streams.h"
#include "io/json_build.h"

enum { TEXT_MAX = 512 }; /* of the text of a row */

void report_begin(struct report *r, bool json)
{
    *r = (struct report){.json = json, .rows = json ? cJSON_CreateArray() : NULL};
    if (!json)
        printf("%-12s %-7s %12s %12s  %s\n", "check", "", "measured", "at most", "what");
}

static void add(struct report *r, const char *check, const char *verdict, double measured, double bound,
                const char *what)
{
    if (r->json) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "check", check);
        cJSON_AddStringToObject(row, "verdict", verdict);
        cJSON_AddItemToObject(row, "measured", isfinite(measured) ? cJSON_CreateNumber(measured) : cJSON_CreateNull());
        if (!isnan(bound))
            cJSON_AddNumberToObject(row, "bound", bound);
        cJSON_AddStringToObject(row, "what", what);
        cJSON_AddItemToArray(r->rows, row);
        return;
    }
    char limit[32] = "";
    if (!isnan(bound))
        snprintf(limit, sizeof limit, "%.3g", bound);
    printf("%-12s %-7s %12.4g %12s  %s\n", check, verdict, measured, limit, what);
    fflush(stdout);
    if (streams_reader_left()) /* nobody reads the rest */
        stop_die_unread();
}

void report_bound(struct report *r, const char *check, double measured, double bound, const char *what, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    bool good = measured <= bound; /* false for NaN */
    if (good)
        r->passed++;
    else
        r->failed++;
    add(r, check, good ? "ok" : "FAILED", measured, bound, text);
}

void report_figure(struct report *r, const char *check, double measured, const char *what, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    add(r, check, "-", measured, NAN, text);
}

void report_skip(struct report *r, const char *check, const char *reason)
{
    r->skipped++;
    if (r->json)
        add(r, check, "skipped", NAN, NAN, reason);
    else
        printf("%-12s %-7s %12s %12s  %s\n", check, "skipped", "", "", reason);
}

void report_note(struct report *r, const char *text, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(line, sizeof line, text, arguments);
    va_end(arguments);
    if (r->json)
        add(r, "note", "-", NAN, NAN, line);
    else
        printf("%s\n", line);
    fflush(stdout); /* it may announce how long the next row takes */
}

int report_end(struct report *r, struct error *e)
{
    if (!r->json) {
        printf("%zu passed, %zu failed, %zu skipped\n", r->passed, r->failed, r->skipped);
        return 0;
    }
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "passed", (double)r->passed);
    cJSON_AddNumberToObject(json, "failed", (double)r->failed);
    cJSON_AddNumberToObject(json, "skipped", (double)r->skipped);
    cJSON_AddItemToObject(json, "rows", r->rows);
    r->rows = NULL;
    return json_print(json, e);
}
