/* SPDX-License-Identifier: MIT */
#include "render/sidecar_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"

static bool is_number(const cJSON *object, const char *name, size_t value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valuedouble == (double)value;
}

static void read_content(struct sidecar_facts *facts, const cJSON *output)
{
    const cJSON *content = cJSON_GetObjectItemCaseSensitive(output, "content");
    if (!cJSON_IsString(content))
        return;
    if (!strncmp(content->valuestring, "impulse response", strlen("impulse response")))
        facts->content = CONTENT_FILTER;
    else if (!strcmp(content->valuestring, "recorded signal"))
        facts->content = CONTENT_RECORDED;
}

/* All names or none. Nonzero: out of memory. */
static int read_receivers(struct sidecar_facts *facts, const cJSON *receivers, size_t channels)
{
    const cJSON *receiver;
    if (!cJSON_IsArray(receivers) || (size_t)cJSON_GetArraySize(receivers) != channels)
        return 0;
    cJSON_ArrayForEach(receiver,
                       receivers) if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(receiver, "name"))) return 0;
    facts->receivers = calloc(channels, sizeof *facts->receivers);
    if (!facts->receivers)
        return -1;
    cJSON_ArrayForEach(receiver, receivers)
    {
        char *copy = text_copy(cJSON_GetObjectItemCaseSensitive(receiver, "name")->valuestring);
        if (!copy)
            return -1;
        facts->receivers[facts->receiver_count++] = copy;
    }
    return 0;
}

static void read_valid_band(struct sidecar_facts *facts, const cJSON *band)
{
    const cJSON *high = cJSON_GetObjectItemCaseSensitive(band, "high");
    if (cJSON_IsNumber(high) && high->valuedouble > 0.0 && isfinite(high->valuedouble))
        facts->valid_to = high->valuedouble;
}

int sidecar_read(struct sidecar_facts *facts, const char *sound_path, const struct audio *audio, struct error *e)
{
    memset(facts, 0, sizeof *facts);
    cJSON *json;
    int status = json_beside(&json, &facts->of, sound_path, audio->checksum, e);
    const cJSON *output = cJSON_GetObjectItemCaseSensitive(json, "output");
    if (cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "aula")) &&
        is_number(output, "channels", audio->channels) && is_number(output, "frames", audio->frames)) {
        read_content(facts, output);
        read_valid_band(facts, cJSON_GetObjectItemCaseSensitive(json, "valid_band"));
        if (read_receivers(facts, cJSON_GetObjectItemCaseSensitive(json, "receivers"), audio->channels))
            status = fail(e, ERROR_MEMORY, "%s: out of memory", sound_path);
    }
    cJSON_Delete(json);
    return status;
}

/* Reads a comment by response_description: "impulse response of A; valid to 1818 Hz; .." */
double comment_valid_to(const char *comment)
{
    static const char *const kinds[] = {"impulse response of ", "recorded signal of "};
    static const char mark[] = "; valid to ";
    double frequency = 0.0;
    for (size_t k = 0; comment && k < sizeof kinds / sizeof *kinds; k++) {
        const char *found = strncmp(comment, kinds[k], strlen(kinds[k])) ? NULL : strstr(comment, mark);
        const char *number = found ? found + strlen(mark) : NULL, *end = number ? strstr(number, " Hz;") : NULL;
        char *text = end ? text_format("%.*s", (int)(end - number), number) : NULL;
        if (text && (text_number(text, &frequency) || !(frequency > 0.0)))
            frequency = 0.0;
        free(text);
    }
    return frequency;
}

void sidecar_facts_free(struct sidecar_facts *facts)
{
    for (size_t i = 0; i < facts->receiver_count; i++)
        free(facts->receivers[i]);
    free(facts->receivers);
    memset(facts, 0, sizeof *facts);
}
