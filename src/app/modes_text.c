/* SPDX-License-Identifier: MIT */
#include "app/modes_text.h"

#include <math.h>

#include "io/json_build.h"
#include "io/text_stream.h"

enum { COLUMNS_MAX = 8 }; /* places in the table; CSV and JSON have all */

static void order_text(char text[32], const struct room_mode *mode)
{
    if (mode->has_order)
        snprintf(text, 32, "%d,%d,%d", mode->order[0], mode->order[1], mode->order[2]);
    else
        snprintf(text, 32, "-");
}

void modes_print(const struct room_modes *r)
{
    const size_t shown = r->named < COLUMNS_MAX ? r->named : COLUMNS_MAX;
    printf("%zu modes from %.1f to %.4g Hz; about %.0f expected (Weyl)\n", r->count, r->low, r->to, r->expected);
    printf("grid spacing %.4g m; sizes met within %.3f %%\n", r->spacing.metres, 100.0 * r->size_error);
    if (isfinite(r->schroeder))
        printf("Schroeder frequency %.0f Hz\n", r->schroeder);
    printf("\n%4s %8s %7s %10s %7s", "mode", "Hz", "T60 s", "order", "dB");
    for (size_t p = 0; p < shown; p++)
        printf(" %10.10s", r->places[p].name);
    printf("\n");
    for (size_t i = 0; i < r->count; i++) {
        const struct room_mode *mode = &r->modes[i];
        char order[32];
        order_text(order, mode);
        printf("%4zu %8.2f %7.3f %10s %7.1f", i + 1, mode->frequency, mode->t60, order, mode->level);
        for (size_t p = 0; p < shown; p++)
            printf(" %10.1f", mode->heard[p]);
        printf("%s\n", mode->resolved ? "" : "  not resolved");
    }
    printf("\n%16s %6s %9s\n", "band, Hz", "modes", "expected");
    for (size_t i = 0; i < r->band_count; i++) {
        const struct mode_band *b = &r->bands[i];
        printf("%7.1f - %6.1f %6zu %9.1f%s\n", b->low, b->high, b->found, b->expected,
               b->resolved ? "" : "  not resolved");
    }
}

static cJSON *mode_json(const struct room_modes *r, const struct room_mode *mode)
{
    cJSON *object = cJSON_CreateObject(), *heard = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "frequency", mode->frequency);
    cJSON_AddNumberToObject(object, "t60", mode->t60);
    cJSON_AddNumberToObject(object, "level", mode->level);
    cJSON_AddBoolToObject(object, "resolved", mode->resolved);
    if (mode->has_order) {
        const double order[3] = {mode->order[0], mode->order[1], mode->order[2]};
        cJSON_AddItemToObject(object, "order", cJSON_CreateDoubleArray(order, 3));
    }
    for (size_t p = 0; p < r->named; p++)
        cJSON_AddNumberToObject(heard, r->places[p].name, mode->heard[p]);
    cJSON_AddItemToObject(object, "levels", heard);
    return object;
}

static cJSON *band_json(const struct mode_band *b)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "low", b->low);
    cJSON_AddNumberToObject(object, "high", b->high);
    cJSON_AddNumberToObject(object, "modes", (double)b->found);
    cJSON_AddNumberToObject(object, "expected", b->expected);
    cJSON_AddNumberToObject(object, "residual", b->residual);
    cJSON_AddBoolToObject(object, "resolved", b->resolved);
    return object;
}

int modes_print_json(const struct room_modes *r, struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *modes = cJSON_CreateArray(), *bands = cJSON_CreateArray();
    cJSON_AddStringToObject(json, "room", r->grid_room.path);
    cJSON_AddNumberToObject(json, "from", r->low);
    cJSON_AddNumberToObject(json, "to", r->to);
    cJSON_AddNumberToObject(json, "expected", r->expected);
    cJSON_AddNumberToObject(json, "spacing", r->spacing.metres);
    cJSON_AddNumberToObject(json, "size_error", r->size_error);
    if (isfinite(r->schroeder))
        cJSON_AddNumberToObject(json, "schroeder_frequency", r->schroeder);
    for (size_t i = 0; i < r->count; i++)
        cJSON_AddItemToArray(modes, mode_json(r, &r->modes[i]));
    for (size_t i = 0; i < r->band_count; i++)
        cJSON_AddItemToArray(bands, band_json(&r->bands[i]));
    cJSON_AddItemToObject(json, "modes", modes);
    cJSON_AddItemToObject(json, "bands", bands);
    return json_print(json, e);
}

char *modes_csv(const struct room_modes *r)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return NULL;
    fputs("mode,frequency,t60,order_x,order_y,order_z,level,resolved", stream);
    for (size_t p = 0; p < r->named; p++)
        fprintf(stream, ",%s", r->places[p].name); /* names hold no commas or quotes */
    fputc('\n', stream);
    for (size_t i = 0; i < r->count; i++) {
        const struct room_mode *mode = &r->modes[i];
        fprintf(stream, "%zu,%.8g,%.6g", i + 1, mode->frequency, mode->t60);
        for (int axis = 0; axis < 3; axis++)
            if (mode->has_order)
                fprintf(stream, ",%d", mode->order[axis]);
            else
                fputc(',', stream);
        fprintf(stream, ",%.2f,%s", mode->level, mode->resolved ? "true" : "false");
        for (size_t p = 0; p < r->named; p++)
            fprintf(stream, ",%.2f", mode->heard[p]);
        fputc('\n', stream);
    }
    return text_stream_close(&page, NULL);
}
