/* SPDX-License-Identifier: MIT */
#include "render/batch/record_octaves.h"

#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "dsp/measure/band.h"

const char *const validity_names[METRICS_OUTSIDE + 1] = {
    [METRICS_VALID] = "yes", [METRICS_PARTLY] = "partly", [METRICS_OUTSIDE] = "no"};

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

enum metrics_validity record_validity(const cJSON *record, const cJSON *metrics, size_t octave)
{
    const char *word =
        cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(metrics, "valid"), (int)octave));
    for (int i = METRICS_VALID; word && i <= METRICS_OUTSIDE; i++)
        if (!strcmp(word, validity_names[i]))
            return (enum metrics_validity)i;
    const cJSON *band = cJSON_GetObjectItemCaseSensitive(record, "valid_band");
    const struct metrics_settings settings = {.valid_low = number_of(band, "low"),
                                              .valid_high = number_of(band, "high")};
    return band_octave(octave, number_of(record, "rate"), &settings).validity;
}

double record_octave(const cJSON *metrics, const char *name, size_t octave)
{
    const cJSON *value = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(metrics, name), (int)octave);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

double record_octave_hertz(size_t octave)
{
    const struct metrics_settings all = {.valid_high = 0.0};
    return band_octave(octave, 48000.0, &all).centre;
}

/* Octaves of 500 Hz and 1 kHz in the records of room_task.c. */
enum { MIDDLE = 3, MIDDLE_END = 5 };

double record_middle(const cJSON *record, const cJSON *metrics, const char *name)
{
    const cJSON *one;
    double sum = 0.0;
    size_t count = 0;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(record, "metrics"))
    {
        for (size_t b = MIDDLE; b < MIDDLE_END && (!metrics || one == metrics); b++) {
            const double value = record_octave(one, name, b);
            if (isfinite(value) && record_validity(record, one, b) == METRICS_VALID) {
                sum += value;
                count++;
            }
        }
    }
    return count ? sum / (double)count : NAN;
}
