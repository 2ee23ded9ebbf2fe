/* SPDX-License-Identifier: MIT */
#include "render/batch/responses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/metrics_table.h"
#include "io/json_build.h"
#include "render/batch/record_octaves.h"

/* The fixed columns, in their order. */
enum column {
    ROOM,
    SPLIT,
    BASE,
    SOURCE,
    RECEIVER,
    RECEIVER_TYPE,
    FIRST_CHANNEL,
    CHANNELS,
    RATE,
    FRAMES,
    SIZE,
    SOURCE_PLACE = SIZE + 3,
    RECEIVER_PLACE = SOURCE_PLACE + 3,
    VOLUME = RECEIVER_PLACE + 3,
    SURFACE,
    VALID_LOW,
    VALID_HIGH,
    FIXED
};
static const struct {
    const char *name;
    enum response_column_kind kind;
} fixed[FIXED] = {
    [ROOM] = {"room", COLUMN_WHOLE},
    [SPLIT] = {"split", COLUMN_TEXT},
    [BASE] = {"base", COLUMN_TEXT},
    [SOURCE] = {"source", COLUMN_TEXT},
    [RECEIVER] = {"receiver", COLUMN_TEXT},
    [RECEIVER_TYPE] = {"receiver_type", COLUMN_TEXT},
    [FIRST_CHANNEL] = {"first_channel", COLUMN_WHOLE},
    [CHANNELS] = {"channels", COLUMN_WHOLE},
    [RATE] = {"rate", COLUMN_REAL},
    [FRAMES] = {"frames", COLUMN_WHOLE},
    [SIZE] = {"size_x", COLUMN_REAL},
    [SIZE + 1] = {"size_y", COLUMN_REAL},
    [SIZE + 2] = {"size_z", COLUMN_REAL},
    [SOURCE_PLACE] = {"source_x", COLUMN_REAL},
    [SOURCE_PLACE + 1] = {"source_y", COLUMN_REAL},
    [SOURCE_PLACE + 2] = {"source_z", COLUMN_REAL},
    [RECEIVER_PLACE] = {"receiver_x", COLUMN_REAL},
    [RECEIVER_PLACE + 1] = {"receiver_y", COLUMN_REAL},
    [RECEIVER_PLACE + 2] = {"receiver_z", COLUMN_REAL},
    [VOLUME] = {"volume", COLUMN_REAL},
    [SURFACE] = {"surface", COLUMN_REAL},
    [VALID_LOW] = {"valid_low", COLUMN_REAL},
    [VALID_HIGH] = {"valid_high", COLUMN_REAL},
};

/* ---- Columns ---- */

static int add_column(struct responses *r, const char *name, enum response_column_kind kind, struct error *e)
{
    struct response_column *column = &r->columns[r->column_count];
    *column = (struct response_column){.name = text_copy(name), .kind = kind};
    if (!column->name)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->column_count++;
    return 0;
}

/* Whether all values of a list are numbers, as those of every other draw are. */
static bool is_number(const struct variation *v)
{
    double number;
    for (size_t i = 0; i < v->value_count; i++)
        if (text_number(v->values[i], &number))
            return false;
    return true;
}

static int add_varied(struct responses *r, size_t variation, struct error *e)
{
    const struct variation *v = &r->manifest->plan->variations[variation];
    const size_t width = v->width > 1 ? v->width : 1;
    for (size_t k = 0; k < width; k++) {
        char *name = width > 1 ? text_format("%s[%zu]", v->key, k) : text_copy(v->key);
        const int status = name ? add_column(r, name, is_number(v) ? COLUMN_REAL : COLUMN_TEXT, e)
                                : fail(e, ERROR_MEMORY, "out of memory");
        free(name);
        if (status)
            return -1;
        r->columns[r->column_count - 1].variation = variation;
        r->columns[r->column_count - 1].component = k;
    }
    return 0;
}

static int add_columns(struct responses *r, struct error *e)
{
    char name[64];
    for (size_t i = 0; i < FIXED; i++)
        if (add_column(r, fixed[i].name, fixed[i].kind, e))
            return -1;
    for (size_t i = 0; i < band_metric_count; i++) {
        snprintf(name, sizeof name, "%s_mid", band_metrics[i].name);
        if (metric_in_data_sets(&band_metrics[i]) && add_column(r, name, COLUMN_REAL, e))
            return -1;
    }
    r->varied = r->column_count;
    for (size_t i = 0; i < r->manifest->plan->variation_count; i++)
        if (add_varied(r, i, e))
            return -1;
    r->varied_end = r->column_count;
    if (r->manifest->plan->generated && add_column(r, "use", COLUMN_TEXT, e))
        return -1;
    if (add_column(r, "metrics", COLUMN_TEXT, e))
        return -1;
    r->columns[r->column_count - 1].is_json = true;
    return 0;
}

int responses_open(struct responses *r, const struct manifest *m, struct error *e)
{
    const size_t most = FIXED + band_metric_count + VARY_WIDTH * m->plan->variation_count + 2;
    *r = (struct responses){.manifest = m};
    r->columns = calloc(most, sizeof *r->columns);
    r->values = calloc(most, sizeof *r->values);
    r->texts = calloc(most, sizeof *r->texts);
    if (!r->columns || !r->values || !r->texts)
        return fail(e, ERROR_MEMORY, "out of memory");
    return add_columns(r, e);
}

static void forget_texts(struct responses *r)
{
    while (r->text_count)
        cJSON_free(r->texts[--r->text_count]);
}

static void forget_room(struct responses *r)
{
    cJSON_Delete(r->record);
    r->record = NULL;
    r->at = NULL;
    r->is_in_file = false;
}

void responses_close(struct responses *r)
{
    if (r->texts)
        forget_texts(r);
    forget_room(r);
    for (size_t i = 0; i < r->column_count; i++)
        free(r->columns[i].name);
    free(r->columns);
    free(r->values);
    free(r->texts);
    free(r->loaded);
    wav_image_free(&r->image);
    *r = (struct responses){.manifest = NULL};
}

/* ---- Values of a row ---- */

static const cJSON *get(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

static double number_of(const cJSON *item)
{
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *text_of(const cJSON *item)
{
    const char *text = cJSON_GetStringValue(item);
    return text ? text : "";
}

/* A value that is no text, as JSON. */
static const char *print(struct responses *r, const cJSON *item, bool *lost)
{
    if (!item || cJSON_IsNull(item))
        return "";
    if (cJSON_IsString(item))
        return item->valuestring;
    char *text = cJSON_PrintUnformatted(item);
    *lost = *lost || !text;
    if (text)
        r->texts[r->text_count++] = text;
    return text ? text : "";
}

/* The item of a list of sources or receivers by name, and its index. */
static const cJSON *named(const cJSON *list, const char *name, size_t *index)
{
    const cJSON *item;
    *index = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (!strcmp(text_of(get(item, "name")), name))
            return item;
        ++*index;
    }
    *index = 0;
    return NULL;
}

static const cJSON *metrics_of(const struct responses *r, const char *source, const char *receiver)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, get(r->record, "metrics"))
    {
        if (!strcmp(text_of(get(one, "source")), source) && !strcmp(text_of(get(one, "receiver")), receiver))
            return one;
    }
    return NULL;
}

static void set_place(struct response_value *values, const cJSON *position)
{
    for (int i = 0; i < 3; i++)
        values[i].number = number_of(cJSON_GetArrayItem(position, i));
}

static void set_varied(struct responses *r, bool *lost)
{
    const struct plan *plan = r->manifest->plan;
    for (size_t i = r->varied; i < r->varied_end; i++) {
        const struct response_column *column = &r->columns[i];
        const struct variation *v = &plan->variations[column->variation];
        const cJSON *item = get(get(r->record, "parameters"), v->key);
        if (v->width > 1)
            item = cJSON_GetArrayItem(item, (int)column->component);
        if (column->kind == COLUMN_TEXT)
            r->values[i].text = print(r, item, lost);
        else
            r->values[i].number = number_of(item);
    }
}

static int set_values(struct responses *r, const char *receiver_name, struct error *e)
{
    const cJSON *record = r->record, *band = get(record, "valid_band");
    const cJSON *source = named(get(record, "sources"), text_of(get(r->at, "source")), &r->source);
    const cJSON *receiver = named(get(record, "receivers"), receiver_name, &r->receiver);
    const cJSON *metrics = metrics_of(r, text_of(get(source, "name")), receiver_name);
    const double rate = number_of(get(record, "rate"));
    bool lost = false;
    forget_texts(r);
    struct response_value *v = r->values;
    v[ROOM].number = (double)r->room;
    v[SPLIT].text = r->split = text_of(get(record, "split"));
    v[BASE].text = text_of(get(record, "base"));
    v[SOURCE].text = text_of(get(source, "name"));
    v[RECEIVER].text = receiver_name;
    v[RECEIVER_TYPE].text = text_of(get(receiver, "type"));
    v[FIRST_CHANNEL].number = (double)r->first;
    v[CHANNELS].number = (double)r->channels;
    v[RATE].number = rate;
    v[FRAMES].number = round(number_of(get(record, "seconds")) * rate);
    set_place(v + SIZE, get(record, "size"));
    set_place(v + SOURCE_PLACE, get(source, "position"));
    set_place(v + RECEIVER_PLACE, get(receiver, "position"));
    v[VOLUME].number = number_of(get(record, "volume"));
    v[SURFACE].number = number_of(get(record, "surface"));
    v[VALID_LOW].number = number_of(get(band, "low"));
    v[VALID_HIGH].number = number_of(get(band, "high"));
    for (size_t i = 0, at = FIXED; i < band_metric_count; i++)
        if (metric_in_data_sets(&band_metrics[i]))
            v[at++].number = metrics ? record_middle(record, metrics, band_metrics[i].name) : NAN;
    set_varied(r, &lost);
    if (r->manifest->plan->generated)
        v[r->varied_end].text = text_of(get(record, "use"));
    v[r->column_count - 1].text = metrics ? print(r, metrics, &lost) : "{}"; /* velocities have none */
    return lost ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}

/* ---- Rows ---- */

/* Reads the record of the next finished room. *more: there is one. */
static int next_room(struct responses *r, bool *more, struct error *e)
{
    const struct manifest *m = r->manifest;
    size_t room = r->record ? r->room + 1 : 0;
    forget_room(r);
    while (room < m->plan->count && m->lines[room].state != ROOM_DONE)
        room++;
    *more = room < m->plan->count;
    if (!*more)
        return 0;
    char *line = stop_check(e) ? NULL : manifest_line(m, room, e);
    r->record = line ? cJSON_Parse(line) : NULL;
    if (line && !r->record)
        fail(e, ERROR_MEMORY, "%s: out of memory", m->path);
    free(line);
    r->room = room;
    return r->record ? 0 : -1;
}

/* Steps to the next receiver of the file. False: it has no more. The file of a receiver has all channels of it, that of
 * the omnidirectional ones a channel for each. */
static bool step_in_file(struct responses *r)
{
    const size_t count = (size_t)cJSON_GetArraySize(get(r->at, "channels"));
    if (!r->at)
        return false;
    const bool is_one = get(r->at, "receiver") != NULL;
    r->first = r->is_in_file ? r->first + r->channels : 0;
    r->channels = is_one ? count : 1;
    r->is_in_file = r->first < count;
    return r->is_in_file;
}

int responses_next(struct responses *r, bool *more, struct error *e)
{
    *more = true;
    while (!step_in_file(r)) {
        r->at = r->at ? r->at->next : NULL;
        r->is_in_file = false;
        if (r->at)
            continue;
        if (next_room(r, more, e))
            return -1;
        if (!*more)
            return 0;
        r->at = cJSON_GetArrayItem(get(r->record, "files"), 0);
    }
    r->file = text_of(get(r->at, "file"));
    const cJSON *only = get(r->at, "receiver");
    return set_values(r, text_of(only ? only : cJSON_GetArrayItem(get(r->at, "channels"), (int)r->first)), e);
}

int responses_sound(struct responses *r, unsigned char **bytes, size_t *count, struct error *e)
{
    *bytes = NULL;
    if (!r->loaded || strcmp(r->loaded, r->file) != 0) {
        char *path = text_format("%s/%s", r->manifest->folder, r->file);
        wav_image_free(&r->image);
        free(r->loaded);
        r->loaded = text_copy(r->file);
        int status = path && r->loaded ? wav_image_read(&r->image, path, e) : fail(e, ERROR_MEMORY, "out of memory");
        free(path);
        if (status) {
            free(r->loaded);
            r->loaded = NULL;
            return -1;
        }
    }
    if (r->first + r->channels > r->image.channels)
        return fail(e, ERROR_OUTPUT, "%s/%s: has fewer channels than its manifest says; remove it and render again",
                    r->manifest->folder, r->file);
    return wav_image_take(bytes, count, &r->image, r->first, r->channels, e);
}

/* The shortest text of a number that reads back as the same, and that loaders take for a real one: 3 becomes 3.0. */
static cJSON *real_json(double value)
{
    char text[40];
    if (!isfinite(value))
        return cJSON_CreateNull();
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    const bool is_real = strpbrk(text, ".e") != NULL;
    char longer[sizeof text + 2];
    snprintf(longer, sizeof longer, "%s%s", text, is_real ? "" : ".0");
    return cJSON_CreateRaw(longer);
}

char *responses_json(const struct responses *r, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    for (size_t i = 0; i < r->column_count; i++) {
        const struct response_column *column = &r->columns[i];
        const struct response_value *v = &r->values[i];
        cJSON *item = column->kind == COLUMN_TEXT    ? cJSON_CreateString(v->text)
                      : column->kind == COLUMN_WHOLE ? cJSON_CreateNumber(v->number)
                                                     : real_json(v->number);
        cJSON_AddItemToObject(json, column->name, item);
    }
    char *line = json_line(json);
    if (!line)
        fail(e, ERROR_MEMORY, "out of memory");
    return line;
}

const char *responses_name(const struct responses *r, char text[RESPONSE_NAME])
{
    snprintf(text, RESPONSE_NAME, "room_%07zu_s%zu_r%zu", r->room, r->source, r->receiver);
    return text;
}

const struct response_value *responses_value(const struct responses *r, const char *name)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (!strcmp(r->columns[i].name, name))
            return &r->values[i];
    return NULL;
}
