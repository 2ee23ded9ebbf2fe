/* SPDX-License-Identifier: MIT */
#include "studio/autosave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "studio/request.h"

static const char *const variants[] = {"A", "B", "C"};

/* The folder of the user's state, which is made; NULL: there is none. Fresh. */
static char *state_folder(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder = state && *state ? text_format("%s/aula", state)
                   : home && *home ? text_format("%s/.local/state/aula", home)
                                   : NULL;
    for (char *slash = folder; folder && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
    if (folder)
        mkdir(folder, 0700);
    return folder;
}

static char *copy_path(const char *path, bool shipped, const char *variant)
{
    char *folder = shipped ? state_folder() : path_folder(path);
    char *made = folder ? text_format("%s/.%s%s%s.autosave", folder, path_name(path), strcmp(variant, "A") ? "." : "",
                                      strcmp(variant, "A") ? variant : "")
                        : NULL;
    free(folder);
    return made;
}

int autosave_keep(const char *path, bool shipped, const char *variant, const char *text, struct error *e)
{
    struct output_file file = {0};
    size_t known = 0;
    while (known < sizeof variants / sizeof *variants && strcmp(variants[known], variant) != 0)
        known++;
    if (known == sizeof variants / sizeof *variants)
        return fail(e, ERROR_INPUT, "variant: must be A, B or C");
    char *copy = copy_path(path, shipped, variant);
    int status = 0;
    if (!copy)
        status = fail(e, ERROR_OUTPUT, "there is no folder for unsaved changes: set HOME or XDG_STATE_HOME");
    else if (!text)
        status = unlink(copy) && errno != ENOENT ? fail(e, ERROR_OUTPUT, "%s: %s", copy, strerror(errno)) : 0;
    else
        status = output_file_open(&file, copy, e) || output_file_put(&file, text, e) || output_file_commit(&file, e);
    output_file_discard(&file);
    free(copy);
    return status ? -1 : 0;
}

static cJSON *copy_json(const char *path, bool shipped, const char *variant, const char *text)
{
    struct error ignored;
    struct stat status;
    char *copy = copy_path(path, shipped, variant), *kept = NULL;
    cJSON *json = NULL;
    if (copy && !stat(copy, &status) && !file_read_text(copy, ROOM_TEXT_MAX, &kept, &ignored) &&
        strcmp(kept, text) != 0) {
        json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "variant", variant);
        cJSON_AddStringToObject(json, "text", kept);
        cJSON_AddNumberToObject(json, "time", (double)status.st_mtim.tv_sec);
    }
    free(kept);
    free(copy);
    return json;
}

cJSON *autosave_list(const char *path, bool shipped, const char *text)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        cJSON *json = copy_json(path, shipped, variants[i], text);
        if (json)
            cJSON_AddItemToArray(list, json);
    }
    return list;
}
