/* SPDX-License-Identifier: MIT */
/* All responses in one HDF5 file, which is a netCDF-4 file as well: a row for each, with the numbers of its columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "dsp/measure/metrics_table.h"
#include "io/audio_file.h"
#include "render/batch/data_set.h"
#include "render/batch/loader_files.h"
#include "render/batch/record_octaves.h"
#include "render/batch/responses.h"

/* Texts by index. */
struct words {
    char **list;
    size_t count, last;
};

struct hdf5 {
    struct responses responses;
    size_t rows, channels, frames; /* channels, frames: maximum */
    struct words *words;           /* [column_count] */
    struct sofa_document document;
    struct sofa_attributes attributes; /* of the responses */
    struct audio audio;                /* of the file `loaded` */
    char *loaded;
};

/* ---- Size ---- */

static int count_rows(struct hdf5 *h, struct error *e)
{
    bool more = true;
    while (more) {
        if (responses_next(&h->responses, &more, e))
            return -1;
        if (!more)
            break;
        const size_t frames = (size_t)responses_value(&h->responses, "frames")->number;
        h->rows++;
        h->channels = h->responses.channels > h->channels ? h->responses.channels : h->channels;
        h->frames = frames > h->frames ? frames : h->frames;
    }
    return 0;
}

/* ---- Arrays ---- */

static double index_of(struct words *w, const char *text, struct error *e)
{
    if (w->last < w->count && !strcmp(w->list[w->last], text))
        return (double)w->last;
    for (w->last = 0; w->last < w->count; w->last++)
        if (!strcmp(w->list[w->last], text))
            return (double)w->last;
    return lines_add(&w->list, &w->count, e, "%s", text) ? NAN : (double)w->last;
}

static int add_array(struct hdf5 *h, const char *name, const char *letters, size_t width, struct error *e)
{
    const size_t extent[] = {h->rows, width};
    struct sofa_variable *v;
    return sofa_add_variable(&h->document, &v, name, letters, extent, e);
}

/* The columns but JSON, then the parameters by octave. */
static int add_arrays(struct hdf5 *h, struct error *e)
{
    const struct responses *r = &h->responses;
    const size_t octaves[] = {METRICS_OCTAVES};
    struct sofa_variable *v;
    for (size_t i = 0; i < r->column_count; i++)
        if (!r->columns[i].is_json && add_array(h, r->columns[i].name, "M", 1, e))
            return -1;
    for (size_t i = 0; i < band_metric_count; i++)
        if (metric_in_data_sets(&band_metrics[i]) && add_array(h, band_metrics[i].name, "MF", METRICS_OCTAVES, e))
            return -1;
    if (sofa_add_variable(&h->document, &v, "octave", "F", octaves, e) ||
        sofa_add_attribute(&v->attributes, "units", "hertz", e))
        return -1;
    for (size_t b = 0; b < METRICS_OCTAVES; b++)
        v->values[b] = record_octave_hertz(b);
    return 0;
}

static int fill_row(struct hdf5 *h, size_t row, struct error *e)
{
    const struct responses *r = &h->responses;
    struct sofa_variable *to = h->document.variables;
    cJSON *metrics = NULL;
    e->code = ERROR_NONE;
    for (size_t i = 0; i < r->column_count; i++) {
        if (r->columns[i].is_json)
            metrics = cJSON_Parse(r->values[i].text);
        else if (r->columns[i].kind == COLUMN_TEXT)
            to++->values[row] = index_of(&h->words[i], r->values[i].text, e);
        else
            to++->values[row] = r->values[i].number;
    }
    for (size_t i = 0; i < band_metric_count; i++) {
        if (!metric_in_data_sets(&band_metrics[i]))
            continue;
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            to->values[row * METRICS_OCTAVES + b] = record_octave(metrics, band_metrics[i].name, b);
        to++;
    }
    cJSON_Delete(metrics);
    return e->code == ERROR_NONE ? 0 : -1;
}

/* The texts of an array by index, unless they are too many for an attribute; metadata.parquet has them in any case. */
static int describe_words(struct hdf5 *h, size_t column, struct error *e)
{
    const struct words *w = &h->words[column];
    struct sofa_variable *v = &h->document.variables[column];
    struct growing_text text = {0};
    for (size_t i = 0; i < w->count; i++)
        growing_text_add(&text, "%s%s", i ? "\n" : "", w->list[i]);
    size_t length;
    char *whole = growing_text_take(&text, &length);
    int status = whole ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && length < SOFA_TEXT_MAX)
        status = sofa_add_attribute(&v->attributes, "values_by_index", whole, e);
    free(whole);
    return status;
}

static int fill_arrays(struct hdf5 *h, struct error *e)
{
    bool more = true;
    for (size_t row = 0; row < h->rows; row++)
        if (responses_next(&h->responses, &more, e) || fill_row(h, row, e))
            return -1;
    if (responses_next(&h->responses, &more, e)) /* back to the first */
        return -1;
    for (size_t i = 0; i < h->responses.column_count; i++) /* JSON is the last column */
        if (h->responses.columns[i].kind == COLUMN_TEXT && !h->responses.columns[i].is_json && describe_words(h, i, e))
            return -1;
    return 0;
}

/* ---- Responses ---- */

static int load(struct hdf5 *h, struct error *e)
{
    const struct responses *r = &h->responses;
    if (h->loaded && !strcmp(h->loaded, r->file))
        return 0;
    char *path = text_format("%s/%s", r->manifest->folder, r->file);
    audio_free(&h->audio);
    free(h->loaded);
    h->loaded = text_copy(r->file);
    const int status = path && h->loaded ? audio_read(&h->audio, path, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(path);
    return status;
}

/* The library asks for the rows in order. */
static int read_row(void *context, size_t row, float *values, struct error *e)
{
    struct hdf5 *h = context;
    const struct responses *r = &h->responses;
    bool more;
    (void)row;
    memset(values, 0, h->channels * h->frames * sizeof *values);
    if (responses_next(&h->responses, &more, e) || load(h, e))
        return -1;
    for (size_t c = 0; c < r->channels && r->first + c < h->audio.channels; c++)
        for (size_t i = 0; i < h->audio.frames && i < h->frames; i++)
            values[c * h->frames + i] = (float)h->audio.samples[(r->first + c) * h->audio.frames + i];
    return 0;
}

static int describe(struct hdf5 *h, struct error *e)
{
    return data_set_describe(&h->document.attributes, &h->attributes, h->responses.manifest->plan,
                             "M responses in the order of metadata.parquet, R channels, N samples, F octaves",
                             "0 beyond `frames` samples and beyond the `channels` of a response", e);
}

static void close_hdf5(struct hdf5 *h)
{
    for (size_t i = 0; h->words && i < h->responses.column_count; i++)
        lines_free(h->words[i].list, h->words[i].count);
    free(h->words);
    responses_close(&h->responses);
    for (size_t i = 0; i < h->attributes.count; i++) {
        free(h->attributes.list[i].name);
        free(h->attributes.list[i].text);
    }
    free(h->attributes.list);
    sofa_document_free(&h->document);
    audio_free(&h->audio);
    free(h->loaded);
}

int loader_hdf5_write(const struct manifest *m, struct error *e)
{
    struct hdf5 h = {.rows = 0};
    char *path = text_format("%s/responses.h5", m->folder);
    int status = path ? responses_open(&h.responses, m, e) : fail(e, ERROR_MEMORY, "out of memory");
    h.words = status ? NULL : calloc(h.responses.column_count, sizeof *h.words);
    if (!status && !h.words)
        status = fail(e, ERROR_MEMORY, "out of memory");
    status = status || count_rows(&h, e) ? -1 : 0;
    if (!status && h.rows) {
        const struct sofa_stream stream = {.name = "response",
                                           .letters = "MRN",
                                           .extent = {h.rows, h.channels, h.frames},
                                           .attributes = &h.attributes,
                                           .row = read_row,
                                           .context = &h};
        status = add_arrays(&h, e) || fill_arrays(&h, e) || describe(&h, e) ||
                 data_set_write_arrays(m->folder, path, &h.document, &stream, e);
    }
    close_hdf5(&h);
    free(path);
    return status ? -1 : 0;
}
