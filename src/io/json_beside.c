#include "io/json_beside.h"

#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/file.h"

static const size_t most_bytes = (size_t)64 << 20;

struct cJSON *json_beside(const char *sound_path)
{
    char *path = path_with_suffix(sound_path, ".json"), *text = NULL;
    cJSON *json = path && !file_read_text(path, most_bytes, &text, NULL) ? cJSON_Parse(text) : NULL;
    free(text);
    free(path);
    return json;
}
