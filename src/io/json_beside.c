#include "io/json_beside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/json_syntax.h"

static const size_t bytes_max = (size_t)64 << 20;

static int no_memory(const char *path, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", path);
}

static int read_json(cJSON **json, const char *path, struct error *e)
{
    char *text = NULL;
    *json = NULL;
    if (file_read_text(path, bytes_max, &text, e))
        return -1;
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

int json_beside(struct cJSON **json, bool *other, const char *sound_path, struct error *e)
{
    *json = NULL;
    if (other)
        *other = false;
    if (!strcmp(sound_path, STANDARD_STREAM))
        return 0;
    char *path = path_with_suffix(sound_path, ".json");
    if (!path)
        return no_memory(sound_path, e);
    struct error why;
    int status = access(path, F_OK) ? 0 : read_json(json, path, &why);
    if (status)
        status = why.code == ERROR_MEMORY ? fail(e, why.code, "%s", why.message)
                                          : fail(e, why.code, "%s (it would describe %s): mend it, or move it away",
                                                 why.message, sound_path);
    free(path);
    if (status || !is_of_other(*json, sound_path))
        return status;
    if (other)
        *other = true;
    cJSON_Delete(*json);
    *json = NULL;
    return 0;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
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
            cJSON_IsObject(member(member(json, "input"), "room")) &&
            (cJSON_IsObject(member(json, "grid")) || cJSON_IsObject(member(json, "output")));
    cJSON_Delete(json);
    return 0;
}
