/* SPDX-License-Identifier: MIT */
#include "io/json_beside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/json_syntax.h"
#include "base/memory.h"

static const size_t bytes_max = (size_t)64 << 20, values_max = 1000000;

static int no_memory(const char *path, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", path);
}

/* cJSON takes 64 bytes and a block of memory for each value, and cannot be interrupted. */
static int check_values(const char *text, const char *path, struct error *e)
{
    static const double value_bytes = 80.0;
    size_t values = 1;
    for (const char *at = text; (at = strpbrk(at, ",[{")); at++)
        values++;
    if (values > values_max)
        return fail(e, ERROR_INPUT, "%s: more than %zu values, too many for a JSON file of aula", path, values_max);
    return memory_demand(value_bytes * (double)values, e, "%s: its values", path);
}

static int read_json(cJSON **json, const char *path, struct error *e)
{
    char *text = NULL;
    *json = NULL;
    if (file_read_text(path, bytes_max, &text, e))
        return -1;
    if (check_values(text, path, e)) {
        free(text);
        return -1;
    }
    *json = cJSON_Parse(text);
    const bool refused = !*json && json_is_sound(text);
    free(text);
    return refused ? no_memory(path, e) : 0;
}

/* From the last point of the name on; "" where there is none. */
static const char *suffix_of(const char *path)
{
    const char *point = strrchr(path_name(path), '.');
    return point ? point : "";
}

static bool is_of_other(const cJSON *json, const char *sound_path)
{
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "file"));
    return file && strcasecmp(suffix_of(file), suffix_of(sound_path)) != 0;
}

static enum json_of json_of(const cJSON *json, const char *sound_path, const char *checksum)
{
    const cJSON *output = cJSON_GetObjectItemCaseSensitive(json, "output");
    const char *stated = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(output, "checksum"));
    if (!json)
        return JSON_OF_NONE;
    if (is_of_other(json, sound_path))
        return JSON_OF_SUFFIX;
    return *checksum && stated && strcmp(stated, checksum) != 0 ? JSON_OF_OTHER : JSON_OF_SOUND;
}

const char *json_of_text(enum json_of of)
{
    return of == JSON_OF_SUFFIX ? "describes a sound file with another suffix and is ignored"
                                : "does not match the checksum of this sound and is ignored (the sound was changed, or "
                                  "a run was interrupted)";
}

int json_beside(struct cJSON **json, enum json_of *of, const char *sound_path, const char *checksum, struct error *e)
{
    *json = NULL;
    if (of)
        *of = JSON_OF_NONE;
    if (!strcmp(sound_path, STANDARD_STREAM))
        return 0;
    char *path = path_with_suffix(sound_path, ".json");
    if (!path)
        return no_memory(sound_path, e);
    struct error why;
    int status = access(path, F_OK) ? 0 : read_json(json, path, &why);
    if (status)
        status = why.code == ERROR_MEMORY
                     ? fail(e, why.code, "%s", why.message)
                     : fail(e, why.code, "%s (sidecar of %s); correct it or move it away", why.message, sound_path);
    free(path);
    const enum json_of is = json_of(*json, sound_path, checksum);
    if (of && !status)
        *of = is;
    if (status || is == JSON_OF_SOUND)
        return status;
    cJSON_Delete(*json);
    *json = NULL;
    return 0;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool json_is_measured(const cJSON *json)
{
    const char *source = cJSON_GetStringValue(member(json, "source"));
    return source && !strcmp(source, "measured");
}

/* As in "aula": "0.3.0". */
static bool is_version(const cJSON *item)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    const size_t major = strspn(text, "0123456789");
    return major && text[major] == '.' && isdigit((unsigned char)text[major + 1]);
}

int json_is_ours(bool *ours, const char *path, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    cJSON *json;
    *ours = false;
    if (read_json(&json, path, &why))
        return why.code == ERROR_MEMORY ? fail(e, why.code, "%s", why.message) : 0;
    *ours = (is_version(member(json, "aula")) || cJSON_IsNumber(member(json, "estimated_seconds"))) &&
            (cJSON_IsObject(member(member(json, "input"), "room")) || json_is_measured(json)) &&
            (cJSON_IsObject(member(json, "grid")) || cJSON_IsObject(member(json, "output")));
    cJSON_Delete(json);
    return 0;
}
