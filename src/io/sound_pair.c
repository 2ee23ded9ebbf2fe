/* SPDX-License-Identifier: MIT */
#include "io/sound_pair.h"

#include <stdlib.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "io/audio_file.h"
#include "io/json_beside.h"

void sound_names_free(struct sound_names *names)
{
    free(names->sound);
    free(names->json);
    *names = (struct sound_names){0};
}

int sound_pair_add(struct output_file *pair[2], struct output_set *set, const struct sound_names *names,
                   struct error *e)
{
    pair[1] = NULL;
    pair[0] = output_set_add(set, names->sound, e);
    if (pair[0] && names->json)
        pair[1] = output_set_add(set, names->json, e);
    return pair[0] && (pair[1] || !names->json) ? 0 : -1;
}

int sound_pair_check_json(const char *json, struct error *e)
{
    bool ours = true;
    if (json && !access(json, F_OK) && json_is_ours(&ours, json, e))
        return -1;
    if (ours)
        return 0;
    return fail(e, ERROR_USAGE, "%s: already exists and was not written by aula; move it away or choose another name",
                json);
}

int sound_pair_other(char **other, const struct sound_names *names, struct error *e)
{
    cJSON *json = NULL;
    enum json_of of = JSON_OF_NONE;
    *other = NULL;
    if (!names->json || json_beside(&json, &of, names->sound, "", e))
        return names->json ? -1 : 0;
    cJSON_Delete(json);
    if (of != JSON_OF_SUFFIX)
        return 0;
    *other = path_with_suffix(names->sound, audio_is_flac(names->sound) ? ".wav" : ".flac");
    if (!*other)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (access(*other, F_OK)) {
        free(*other);
        *other = NULL;
    }
    return 0;
}
