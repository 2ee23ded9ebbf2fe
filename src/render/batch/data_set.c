/* SPDX-License-Identifier: MIT */
#include "render/batch/data_set.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/output_parts.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/sofa/library.h"
#include "render/batch/loader_files.h"

/* Finished rooms in order. */
struct data_set {
    const struct manifest *manifest;
    size_t *rooms; /* [count] */
    size_t count;
    size_t channels, frames; /* maximum over the rooms */
    struct sofa_document document;
    struct sofa_attributes attributes; /* of the responses */
};

static cJSON *record_of(const struct data_set *d, size_t row, struct error *e)
{
    char *line = manifest_line(d->manifest, d->rooms[row], e);
    cJSON *record = line ? cJSON_Parse(line) : NULL;
    if (line && !record)
        fail(e, ERROR_MEMORY, "%s: out of memory", d->manifest->path);
    free(line);
    return record;
}

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* Samples of a room according to its manifest. */
static size_t frames_of(const cJSON *record)
{
    const double frames = round(number_of(record, "seconds") * number_of(record, "rate"));
    return frames >= 0.0 ? (size_t)frames : 0;
}

static int list_rooms(struct data_set *d, struct error *e)
{
    const struct manifest *m = d->manifest;
    d->rooms = calloc(m->plan->count + 1, sizeof *d->rooms);
    if (!d->rooms)
        return fail(e, ERROR_MEMORY, "%s: out of memory", m->path);
    for (size_t room = 0; room < m->plan->count; room++)
        if (m->lines[room].state == ROOM_DONE)
            d->rooms[d->count++] = room;
    return 0;
}

/* ---- Values by room ---- */

static int add_array(struct data_set *d, double **values, const char *name, const char *units, size_t width,
                     struct error *e)
{
    const size_t extent[] = {d->count, width};
    struct sofa_variable *v;
    if (sofa_add_variable(&d->document, &v, name, width > 1 ? "MC" : "M", extent, e) ||
        (units && sofa_add_attribute(&v->attributes, "units", units, e)))
        return -1;
    *values = v->values;
    return 0;
}

static size_t width_of(const struct variation *v)
{
    return v->width > 1 ? v->width : 1;
}

/* Index of a value in its list; NaN: not in it. */
static double index_of(const struct variation *v, const cJSON *value)
{
    char *text = cJSON_PrintUnformatted(value);
    double index = NAN;
    for (size_t i = 0; text && i < v->value_count && isnan(index); i++) {
        cJSON *one = cJSON_Parse(v->values[i]);
        char *other = one ? cJSON_PrintUnformatted(one) : NULL;
        if (other && !strcmp(text, other))
            index = (double)i;
        cJSON_free(other);
        cJSON_Delete(one);
    }
    cJSON_free(text);
    return index;
}

static bool is_index(const struct variation *v)
{
    double number;
    for (size_t i = 0; i < v->value_count; i++)
        if (text_number(v->values[i], &number))
            return true;
    return false;
}

/* The texts of a list by index, as an attribute. */
static int describe_values(struct sofa_variable *of, const struct variation *v, struct error *e)
{
    struct growing_text text = {0};
    for (size_t i = 0; i < v->value_count; i++)
        growing_text_add(&text, "%s%s", i ? ", " : "", v->values[i]);
    char *whole = growing_text_take(&text, NULL);
    const int status = whole ? sofa_add_attribute(&of->attributes, "values_by_index", whole, e)
                             : fail(e, ERROR_MEMORY, "out of memory");
    free(whole);
    return status;
}

static const struct {
    const char *name, *group, *units;
} figures[] = {{"room", NULL, NULL},       {"rate", NULL, "hertz"},        {"seconds", NULL, "second"},
               {"volume", NULL, "metre3"}, {"low", "valid_band", "hertz"}, {"high", "valid_band", "hertz"}};
enum { FIGURES = sizeof figures / sizeof *figures };

/* The arrays of the document in order: frames, acoustic parameters, varied keys. */
static int add_arrays(struct data_set *d, struct error *e)
{
    const struct plan *plan = d->manifest->plan;
    double *values;
    char name[64];
    if (add_array(d, &values, "frames", NULL, 1, e))
        return -1;
    for (size_t i = 0; i < FIGURES; i++) {
        snprintf(name, sizeof name, "%s%s", figures[i].group ? "valid_" : "", figures[i].name);
        if (add_array(d, &values, name, figures[i].units, 1, e))
            return -1;
    }
    for (size_t i = 0; i < plan->variation_count; i++) {
        const struct variation *v = &plan->variations[i];
        if (add_array(d, &values, v->key, NULL, width_of(v), e) ||
            (is_index(v) && describe_values(&d->document.variables[d->document.variable_count - 1], v, e)))
            return -1;
    }
    return 0;
}

static void fill_row(struct data_set *d, size_t row, const cJSON *record)
{
    const struct plan *plan = d->manifest->plan;
    const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(record, "parameters");
    struct sofa_variable *to = d->document.variables;
    to++->values[row] = (double)frames_of(record);
    for (size_t i = 0; i < FIGURES; i++)
        to++->values[row] = number_of(
            figures[i].group ? cJSON_GetObjectItemCaseSensitive(record, figures[i].group) : record, figures[i].name);
    for (size_t i = 0; i < plan->variation_count; i++, to++) {
        const struct variation *v = &plan->variations[i];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(parameters, v->key);
        const size_t width = width_of(v);
        for (size_t k = 0; k < width; k++) {
            const cJSON *item = width > 1 ? cJSON_GetArrayItem(value, (int)k) : value;
            to->values[row * width + k] = is_index(v)            ? index_of(v, item)
                                          : cJSON_IsNumber(item) ? item->valuedouble
                                                                 : NAN;
        }
    }
}

static int fill_arrays(struct data_set *d, struct error *e)
{
    for (size_t row = 0; row < d->count; row++) {
        cJSON *record = record_of(d, row, e);
        size_t channels = 0;
        const cJSON *file;
        if (!record)
            return -1;
        cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(record, "files")) channels +=
            (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(file, "channels"));
        d->channels = channels > d->channels ? channels : d->channels;
        d->frames = frames_of(record) > d->frames ? frames_of(record) : d->frames;
        fill_row(d, row, record);
        cJSON_Delete(record);
    }
    return 0;
}

/* ---- Responses ---- */

/* Appends the channels of one file. */
static int read_file(const struct data_set *d, const cJSON *file, float *values, size_t *channel, struct error *e)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "file"));
    char *path = text_format("%s/%s", d->manifest->folder, name ? name : "");
    struct audio audio;
    int status = path ? audio_read(&audio, path, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(path);
    if (status)
        return -1;
    for (size_t c = 0; c < audio.channels && *channel < d->channels; c++, ++*channel)
        for (size_t i = 0; i < audio.frames && i < d->frames; i++)
            values[*channel * d->frames + i] = (float)audio.samples[c * audio.frames + i];
    audio_free(&audio);
    return 0;
}

static int read_row(void *context, size_t row, float *values, struct error *e)
{
    const struct data_set *d = context;
    cJSON *record = stop_check(e) ? NULL : record_of(d, row, e);
    const cJSON *file;
    size_t channel = 0;
    int status = record ? 0 : -1;
    memset(values, 0, d->channels * d->frames * sizeof *values);
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(record, "files")) if (!status) status =
        read_file(d, file, values, &channel, e);
    cJSON_Delete(record);
    return status;
}

/* Flushes a file, which then receives its permissions, or the folder in which it has been renamed;
 * some file systems do not flush folders. */
static int flush(const char *path, int mode, struct error *e)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool lost = file < 0 || (fsync(file) && errno != EINVAL && errno != ENOTSUP);
    const int status = lost ? fail(e, ERROR_OUTPUT, "%s: cannot flush to disk: %s", path, strerror(errno))
                            : output_part_keep_mode(file, mode, path, e);
    if (file >= 0)
        close(file);
    return status;
}

/* Creates a private file before the library opens it if it replaces a private one, which nobody
 * else may read. */
static int make_part(const char *part, int mode, struct error *e)
{
    const int file = mode == NO_MODE ? -1 : open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, PART_PRIVATE);
    if (file >= 0)
        close(file);
    return mode == NO_MODE || file >= 0 ? 0 : fail(e, ERROR_OUTPUT, "%s: cannot create: %s", part, strerror(errno));
}

/* Does not use output_file, because HDF5 refuses locked files; nobody else writes in the folder. */
int data_set_write_arrays(const char *folder, const char *path, const struct sofa_document *document,
                          const struct sofa_stream *stream, struct error *e)
{
    output_parts_clean(path); /* of a killed run */
    char *part = output_part_name(path);
    const int mode = output_part_mode(path);
    int status =
        part ? make_part(part, mode, e) || sofa_library.write_stream(part, document, stream, e) || flush(part, mode, e)
             : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (!status && rename(part, path))
        status = fail(e, ERROR_OUTPUT, "%s: cannot rename to its final name: %s", path, strerror(errno));
    else if (!status)
        status = flush(folder, NO_MODE, e);
    if (status && part)
        unlink(part);
    free(part);
    return status ? -1 : 0;
}

static int write_as(const struct data_set *d, const char *path, struct error *e)
{
    const struct sofa_stream responses = {.name = "response",
                                          .letters = "MRN",
                                          .extent = {d->count, d->channels, d->frames},
                                          .attributes = &d->attributes,
                                          .row = read_row,
                                          .context = (void *)d};
    return data_set_write_arrays(d->manifest->folder, path, &d->document, &responses, e);
}

int data_set_describe(struct sofa_attributes *file, struct sofa_attributes *responses, const struct plan *plan,
                      const char *dimensions, const char *beyond, struct error *e)
{
    for (size_t i = 0; i < ABOUT_TEXTS; i++)
        if (plan->about[i] && sofa_add_attribute(file, about_names[i], plan->about[i], e))
            return -1;
    return sofa_add_attribute(file, "title", path_name(plan->path), e) ||
                   sofa_add_attribute(file, "source", "aula " AULA_VERSION ", aula batch", e) ||
                   sofa_add_attribute(file, "dimensions", dimensions, e) ||
                   sofa_add_attribute(responses, "units",
                                      "1/m: Pa per source strength in Pa m; Pa if a source plays a signal", e) ||
                   sofa_add_attribute(responses, "beyond", beyond, e)
               ? -1
               : 0;
}

static int describe(struct data_set *d, struct error *e)
{
    return data_set_describe(&d->document.attributes, &d->attributes, d->manifest->plan,
                             "M finished rooms, R channels of their responses in the order of manifest.jsonl, "
                             "N samples, C coordinates",
                             "0 beyond `frames` samples and beyond the channels of a room", e);
}

int data_set_write(const struct manifest *m, struct error *e)
{
    struct data_set d = {.manifest = m};
    char *path = text_format("%s/rooms.nc", m->folder);
    int status = path ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", m->folder);
    if (!status) {
        status = list_rooms(&d, e);
        if (!status && d.count)
            status = add_arrays(&d, e) || fill_arrays(&d, e) || describe(&d, e) || write_as(&d, path, e);
    }
    for (size_t i = 0; i < d.attributes.count; i++) {
        free(d.attributes.list[i].name);
        free(d.attributes.list[i].text);
    }
    free(d.attributes.list);
    sofa_document_free(&d.document);
    free(d.rooms);
    free(path);
    return status ? -1 : 0;
}
