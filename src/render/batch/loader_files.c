/* SPDX-License-Identifier: MIT */
#include "render/batch/loader_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/data_set.h"
#include "render/batch/loader_tables.h"

/* The file of a split that is being written. */
struct shard_file {
    const char *split;
    size_t number; /* of files that are complete */
    size_t rows;
    bool is_open;
    struct part_file part;
    struct loader_table table;
};

struct writing {
    const struct manifest *manifest;
    struct responses responses;
    struct shard_file *splits; /* [count] */
    size_t count;
    cJSON *list;
};

bool loader_is_new(const struct manifest *m, const char *name)
{
    struct stat one, other;
    char *path = text_format("%s/%s", m->folder, name);
    const bool is = path && !stat(path, &one) && !stat(m->path, &other) &&
                    (one.st_mtim.tv_sec > other.st_mtim.tv_sec ||
                     (one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec > other.st_mtim.tv_nsec));
    free(path);
    return is;
}

/* A file for each split of the plan, or for the one of a plan without. */
static int open_splits(struct writing *w, struct error *e)
{
    const struct plan *plan = w->manifest->plan;
    w->count = plan->split_count ? plan->split_count : 1;
    w->splits = calloc(w->count, sizeof *w->splits);
    if (!w->splits)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->count; i++)
        w->splits[i].split = plan->split_count ? plan->splits[i].name : plan_split(plan, "");
    return responses_open(&w->responses, w->manifest, e);
}

static void close_shard(struct shard_file *s)
{
    if (!s->is_open)
        return;
    loader_table_close(&s->table);
    part_file_close(&s->part);
    s->is_open = false;
}

static void close_splits(struct writing *w)
{
    for (size_t i = 0; w->splits && i < w->count; i++)
        close_shard(&w->splits[i]);
    free(w->splits);
    responses_close(&w->responses);
    cJSON_Delete(w->list);
}

static struct shard_file *shard_of(struct writing *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (!strcmp(w->splits[i].split, w->responses.split))
            return &w->splits[i];
    return &w->splits[0];
}

/* ---- Archives and tables ---- */

static const char *suffix_of(enum plan_files files)
{
    return files == PLAN_PARQUET ? "parquet" : "tar";
}

static char *shard_name(const char *split, size_t number, const char *suffix)
{
    return text_format(LOADER_FOLDER "/%s-%05zu.%s", split, number, suffix);
}

static int open_shard(struct writing *w, struct shard_file *s, struct error *e)
{
    char *name = shard_name(s->split, s->number, suffix_of(w->manifest->plan->files));
    s->is_open = true;
    s->rows = 0;
    s->table = (struct loader_table){.columns = NULL};
    int status = name ? part_file_open(&s->part, w->manifest->folder, name, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(name);
    if (!status && w->manifest->plan->files == PLAN_PARQUET)
        status = loader_table_open(&s->table, true, &w->responses, &s->part, e);
    return status;
}

static int end_shard(struct writing *w, struct shard_file *s, struct error *e)
{
    const struct byte_sink sink = part_file_sink(&s->part);
    if (!s->is_open)
        return 0;
    int status = w->manifest->plan->files == PLAN_PARQUET ? loader_table_end(&s->table, e) : tar_end(&sink, e);
    status = status || part_file_commit(&s->part, e) ? -1 : 0;
    if (!status) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "file", s->part.name);
        cJSON_AddStringToObject(json, "split", s->split);
        cJSON_AddNumberToObject(json, "responses", (double)s->rows);
        cJSON_AddNumberToObject(json, "bytes", (double)s->part.bytes);
        cJSON_AddStringToObject(json, "checksum", s->part.checksum);
        cJSON_AddItemToArray(w->list, json);
        s->number++;
    }
    close_shard(s);
    return status;
}

/* The sound and its JSON, of one stem, as webdataset joins them to a sample. */
static int add_members(struct shard_file *s, const struct responses *r, const unsigned char *sound, size_t count,
                       struct error *e)
{
    const struct byte_sink sink = part_file_sink(&s->part);
    char stem[RESPONSE_NAME], name[RESPONSE_NAME + 8];
    char *json = responses_json(r, e);
    if (!json)
        return -1;
    snprintf(name, sizeof name, "%s.json", responses_name(r, stem));
    int status = tar_add(&sink, name, json, strlen(json), e);
    free(json);
    snprintf(name, sizeof name, "%s.wav", stem);
    return status || tar_add(&sink, name, sound, count, e) ? -1 : 0;
}

static int add_response(struct writing *w, struct error *e)
{
    struct shard_file *s = shard_of(w);
    unsigned char *sound;
    size_t count;
    if (!s->is_open && open_shard(w, s, e))
        return -1;
    int status = responses_sound(&w->responses, &sound, &count, e);
    if (!status)
        status = w->manifest->plan->files == PLAN_PARQUET ? loader_table_add(&s->table, &w->responses, sound, count, e)
                                                          : add_members(s, &w->responses, sound, count, e);
    free(sound);
    s->rows++;
    /* rows of a table wait in memory until their group is complete */
    const double bytes = (double)s->part.bytes + (double)s->table.parquet.group_bytes;
    return status ? -1 : bytes >= w->manifest->plan->shard_bytes ? end_shard(w, s, e) : 0;
}

/* Removes what a larger set or a killed run has left, from a number on. */
static void remove_further(const struct manifest *m, const char *split, const char *suffix, size_t number)
{
    bool more = true;
    for (; more; number++) {
        char *name = shard_name(split, number, suffix), *path = text_format("%s/%s", m->folder, name ? name : "");
        more = name && path && !unlink(path);
        free(name);
        free(path);
    }
}

static int write_list(struct writing *w, struct error *e)
{
    const struct plan *plan = w->manifest->plan;
    cJSON *json = cJSON_CreateObject();
    struct part_file part = {.place = -1};
    cJSON_AddStringToObject(json, "format", plan_file_names[plan->files]);
    cJSON_AddNumberToObject(json, "shard_bytes", plan->shard_bytes);
    cJSON_AddItemToObject(json, "files", w->list);
    w->list = NULL;
    char *text = json_text(json);
    int status = text ? part_file_open(&part, w->manifest->folder, LOADER_LIST, e)
                      : fail(e, ERROR_MEMORY, "%s: out of memory", w->manifest->folder);
    const struct byte_sink sink = part_file_sink(&part);
    status = status || sink.put(sink.context, text, strlen(text), e) || part_file_commit(&part, e) ? -1 : 0;
    part_file_close(&part);
    free(text);
    return status;
}

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

/* The path of a file on a list, fresh; NULL: it is none of ours. */
static char *listed_path(const struct manifest *m, const cJSON *item)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(item, "file"));
    const bool is_ours =
        name && !strncmp(name, LOADER_FOLDER "/", sizeof LOADER_FOLDER) && !strchr(name + sizeof LOADER_FOLDER, '/');
    return is_ours ? text_format("%s/%s", m->folder, name) : NULL;
}

/* Whether all files of the list are there, and of the plan's form. */
static bool is_complete(const struct manifest *m, const cJSON *list)
{
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItem(list, "format"));
    const cJSON *item;
    struct stat status;
    bool is = format && !strcmp(format, plan_file_names[m->plan->files]) && loader_is_new(m, LOADER_LIST) &&
              cJSON_GetNumberValue(cJSON_GetObjectItem(list, "shard_bytes")) == m->plan->shard_bytes;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(list, "files"))
    {
        char *path = listed_path(m, item);
        is = is && path && !stat(path, &status) &&
             (double)status.st_size == cJSON_GetNumberValue(cJSON_GetObjectItem(item, "bytes"));
        free(path);
    }
    return is;
}

/* Removes the list, and then the files on it: those of another format stay nowhere, and no list names files that are not
 * complete. */
static void remove_listed(const struct manifest *m, const cJSON *list)
{
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
}

int loader_shards_write(const struct manifest *m, struct error *e)
{
    struct writing w = {.manifest = m};
    bool more = true;
    cJSON *list = read_list(m);
    const bool is_made = is_complete(m, list);
    if (!is_made)
        remove_listed(m, list);
    cJSON_Delete(list);
    if (is_made)
        return 0;
    w.list = cJSON_CreateArray();
    int status = open_splits(&w, e);
    while (!status && more) {
        status = responses_next(&w.responses, &more, e);
        if (!status && more)
            status = add_response(&w, e);
    }
    for (size_t i = 0; i < w.count && !status; i++) {
        const struct shard_file *split = &w.splits[i];
        status = end_shard(&w, &w.splits[i], e);
        if (status)
            break;
        remove_further(m, split->split, suffix_of(m->plan->files), split->number);
        remove_further(m, split->split, m->plan->files == PLAN_PARQUET ? "tar" : "parquet", 0);
    }
    status = status || write_list(&w, e) ? -1 : 0;
    close_splits(&w);
    return status;
}

/* ---- metadata.parquet ---- */

/* A table of one split, or of all (NULL). The name of a split stands between letters, since loaders would otherwise take
 * the table for the whole split. */
static int write_table(struct writing *w, const char *split, struct error *e)
{
    struct part_file part = {.place = -1};
    struct loader_table table = {.columns = NULL};
    struct responses *r = &w->responses;
    bool more = true;
    char *name = split ? text_format("metadata.%sset.parquet", split) : text_copy("metadata.parquet");
    int status = name ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status =
        status || part_file_open(&part, w->manifest->folder, name, e) || loader_table_open(&table, false, r, &part, e)
            ? -1
            : 0;
    while (!status && more) {
        status = responses_next(r, &more, e);
        if (!status && more && (!split || !strcmp(split, r->split)))
            status = loader_table_add(&table, r, NULL, 0, e);
    }
    status = status || loader_table_end(&table, e) || part_file_commit(&part, e) ? -1 : 0;
    loader_table_close(&table);
    part_file_close(&part);
    free(name);
    return status;
}

int loader_metadata_write(const struct manifest *m, struct error *e)
{
    struct writing w = {.manifest = m};
    int status = loader_is_new(m, "metadata.parquet") ? 0 : open_splits(&w, e);
    for (size_t i = 0; w.splits && m->plan->split_count && i < w.count && !status; i++)
        status = write_table(&w, w.splits[i].split, e);
    if (w.splits && !status)
        status = write_table(&w, NULL, e);
    close_splits(&w);
    return status;
}

int loader_files_write(bool *card_kept, const struct manifest *m, struct error *e)
{
    int status = m->plan->files == PLAN_SOFA ? 0 : loader_metadata_write(m, e);
    if (status)
        return -1;
    switch (m->plan->files) {
    case PLAN_NETCDF:
        status = data_set_write(m, e);
        break;
    case PLAN_HDF5:
        status = loader_hdf5_write(m, e);
        break;
    case PLAN_WEBDATASET:
    case PLAN_PARQUET:
        status = loader_shards_write(m, e);
        break;
    case PLAN_WAV:
    case PLAN_SOFA:
    case PLAN_FILES:
        break;
    }
    return status ? -1 : data_card_write(card_kept, m, e);
}
