/* SPDX-License-Identifier: MIT */
#include "render/batch/loader_list.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/loader_files.h"
#include "render/batch/part_file.h"

/* The list of an earlier run; NULL: none. */
static cJSON *read_list(const struct manifest *m)
{
    enum { LIST_MAX = 1 << 28 };
    char *path = text_format("%s/" LOADER_LIST, m->folder), *text = NULL;
    struct error ignored;
    cJSON *list =
        path && !access(path, F_OK) && !file_read_text(path, LIST_MAX, &text, &ignored) ? cJSON_Parse(text) : NULL;
    free(text);
    free(path);
    return list;
}

/* Whether a name on a list is one that data sets have. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"rooms.nc", "responses.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    const char *leaf = strchr(name, '/');
    if (leaf)
        return !strncmp(name, LOADER_FOLDER "/", sizeof LOADER_FOLDER) && !strchr(leaf + 1, '/');
    const size_t length = strlen(name), end = strlen(".parquet");
    return !strncmp(name, "metadata.", strlen("metadata.")) && length > end && !strcmp(name + length - end, ".parquet");
}

/* The path of a file on a list, fresh; NULL: it is none of ours. */
static char *listed_path(const struct manifest *m, const cJSON *item)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(item, "file"));
    return name && is_ours(name) ? text_format("%s/%s", m->folder, name) : NULL;
}

/* Size and checksum of a file. 1: it cannot be read. */
static int measure(const char *path, double *bytes, char checksum[CHECKSUM_TEXT], struct error *e)
{
    struct stat status;
    struct error own = {.code = ERROR_NONE};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int found = file < 0 || fstat(file, &status) || !S_ISREG(status.st_mode) ? 1 : 0;
    if (!found) {
        *bytes = (double)status.st_size;
        found = sha256_of_file(checksum, file, path, &own) ? 1 : 0;
    }
    if (file >= 0)
        close(file);
    return stop_check(e) ? -1 : found;
}

static bool has_text(const cJSON *json, const char *member, const char *text)
{
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItem(json, member));
    return found && !strcmp(found, text);
}

int loader_list_check(bool *holds, const struct manifest *m, struct error *e)
{
    char checksum[CHECKSUM_TEXT];
    double bytes;
    cJSON *list = read_list(m);
    const cJSON *item;
    int status = list ? measure(m->path, &bytes, checksum, e) : 0;
    *holds = list && !status && has_text(list, "manifest", checksum) &&
             has_text(list, "format", plan_file_names[m->plan->files]) &&
             cJSON_GetNumberValue(cJSON_GetObjectItem(list, "shard_bytes")) == m->plan->shard_bytes;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(list, "files"))
    {
        char *path = listed_path(m, item);
        if (*holds && path)
            status = measure(path, &bytes, checksum, e);
        *holds = *holds && path && !status && bytes == cJSON_GetNumberValue(cJSON_GetObjectItem(item, "bytes")) &&
                 has_text(item, "checksum", checksum);
        free(path);
        if (status < 0)
            break;
    }
    cJSON_Delete(list);
    return status < 0 ? -1 : 0;
}

void loader_list_remove(const struct manifest *m)
{
    cJSON *list = read_list(m);
    const cJSON *item;
    char *path = text_format("%s/" LOADER_LIST, m->folder);
    if (path)
        unlink(path);
    free(path);
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(list, "files"))
    {
        path = listed_path(m, item);
        if (path)
            unlink(path);
        free(path);
    }
    cJSON_Delete(list);
}

cJSON *loader_list_add(cJSON *files, const struct manifest *m, const char *name, int *status, struct error *e)
{
    char checksum[CHECKSUM_TEXT];
    double bytes;
    cJSON *item = NULL;
    char *path = text_format("%s/%s", m->folder, name);
    const int found = path ? measure(path, &bytes, checksum, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(path);
    if (!found) {
        item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "file", name);
        cJSON_AddNumberToObject(item, "bytes", bytes);
        cJSON_AddStringToObject(item, "checksum", checksum);
        cJSON_AddItemToArray(files, item);
    }
    *status = found < 0 ? -1 : 0;
    return item;
}

int loader_list_write(const struct manifest *m, cJSON *files, struct error *e)
{
    char checksum[CHECKSUM_TEXT] = "";
    double bytes;
    cJSON *json = cJSON_CreateObject();
    struct part_file part = {.place = -1};
    int status = measure(m->path, &bytes, checksum, e) < 0 ? -1 : 0;
    cJSON_AddStringToObject(json, "format", plan_file_names[m->plan->files]);
    cJSON_AddNumberToObject(json, "shard_bytes", m->plan->shard_bytes);
    cJSON_AddStringToObject(json, "manifest", checksum);
    cJSON_AddItemToObject(json, "files", files);
    char *text = json_text(json);
    if (!status)
        status = text ? part_file_open(&part, m->folder, LOADER_LIST, e) : fail(e, ERROR_MEMORY, "out of memory");
    const struct byte_sink sink = part_file_sink(&part);
    status = status || sink.put(sink.context, text, strlen(text), e) || part_file_commit(&part, e) ? -1 : 0;
    part_file_close(&part);
    free(text);
    return status;
}
