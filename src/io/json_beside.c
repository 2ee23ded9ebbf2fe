#include "io/json_beside.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"

static const size_t most_bytes = (size_t)64 << 20;

static cJSON *read_json(const char *path)
{
    char *text = NULL;
    cJSON *json = !file_read_text(path, most_bytes, &text, NULL) ? cJSON_Parse(text) : NULL;
    free(text);
    return json;
}

struct cJSON *json_beside(const char *sound_path)
{
    char *path = strcmp(sound_path, STANDARD_STREAM) ? path_with_suffix(sound_path, ".json") : NULL;
    cJSON *json = path ? read_json(path) : NULL;
    free(path);
    return json;
}

bool json_is_ours(const char *path)
{
    cJSON *json = read_json(path);
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(json, "input");
    const bool ours = cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "aula")) ||
                      cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(input, "room"));
    cJSON_Delete(json);
    return ours;
}
