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
#include "render/batch/loader_list.h"
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
        cJSON *json = loader_list_add(w->list, w->manifest, s->part.name, &status, e);
        cJSON_AddStringToObject(json, "split", s->split);
        cJSON_AddNumberToObject(json, "responses", (double)s->rows);
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

static int write_shards(cJSON *list, const struct manifest *m, struct error *e)
{
    struct writing w = {.manifest = m, .list = list};
    bool more = true;
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
    if (!status)
        loader_list_add(w->list, w->manifest, name, &status, e);
    loader_table_close(&table);
    part_file_close(&part);
    free(name);
    return status;
}

static int write_metadata(cJSON *list, const struct manifest *m, struct error *e)
{
    struct writing w = {.manifest = m, .list = list};
    int status = open_splits(&w, e);
    for (size_t i = 0; m->plan->split_count && i < w.count && !status; i++)
        status = write_table(&w, w.splits[i].split, e);
    if (!status)
        status = write_table(&w, NULL, e);
    close_splits(&w);
    return status;
}

/* All files of the plan's format, on the list. */
static int write_files(cJSON *list, const struct manifest *m, struct error *e)
{
    int status = m->plan->files == PLAN_SOFA ? 0 : write_metadata(list, m, e);
    if (status)
        return -1;
    switch (m->plan->files) {
    case PLAN_NETCDF:
        status = data_set_write(m, e);
        if (!status)
            loader_list_add(list, m, "rooms.nc", &status, e);
        return status;
    case PLAN_HDF5:
        status = loader_hdf5_write(m, e);
        if (!status)
            loader_list_add(list, m, "responses.h5", &status, e);
        return status;
    case PLAN_WEBDATASET:
    case PLAN_PARQUET:
        return write_shards(list, m, e);
    case PLAN_WAV:
    case PLAN_SOFA:
    case PLAN_FILES:
        break;
    }
    return 0;
}

int loader_files_write(bool *card_kept, const struct manifest *m, struct error *e)
{
    bool holds;
    if (loader_list_check(&holds, m, e))
        return -1;
    if (!holds) {
        cJSON *list = cJSON_CreateArray();
        loader_list_remove(m);
        if (write_files(list, m, e)) {
            cJSON_Delete(list);
            return -1;
        }
        if (loader_list_write(m, list, e))
            return -1;
    }
    return data_card_write(card_kept, m, e);
}

void loader_files_remove(const struct manifest *m)
{
    loader_list_remove(m);
    data_card_remove(m);
}
