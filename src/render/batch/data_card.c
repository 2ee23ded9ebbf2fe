/* SPDX-License-Identifier: MIT */
/* README.md of a data set: front matter in YAML, which Hugging Face reads, and a description of what the rooms are. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "render/batch/loader_files.h"
#include "render/batch/part_file.h"
#include "render/batch/responses.h"

enum { CARD_MAX = 1 << 24 };
static const char mark[] = "<!-- aula batch wrote this file and replaces it as long as nobody edits it: ";
static const char mark_end[] = " -->\n";

/* Values of all responses or rooms. */
struct values {
    double *list; /* [count] */
    size_t count, room;
};

enum figure { VOLUME, T30, LENGTH, RATE, VALID_LOW, VALID_HIGH, FIGURES };
static const struct {
    const char *name, *unit;
} figures[FIGURES] = {
    [VOLUME] = {"volume", "m³"},
    [T30] = {"T30, mean of the octaves of 500 Hz and 1 kHz", "s"},
    [LENGTH] = {"length of a response", "s"},
    [RATE] = {"sample rate", "Hz"},
    [VALID_LOW] = {"valid from", "Hz"},
    [VALID_HIGH] = {"valid up to", "Hz"},
};

struct split_count {
    const char *name;
    size_t rooms, responses;
};

struct card {
    const struct manifest *manifest;
    struct responses responses;
    struct values values[FIGURES];
    struct split_count *splits; /* [split_count] */
    size_t split_count;
    size_t count;
    struct growing_text text;
};

/* ---- Counts and ranges ---- */

static int add_value(struct values *v, double value, struct error *e)
{
    if (!isfinite(value))
        return 0;
    if (v->count == v->room) {
        const size_t room = 2 * v->room + 64;
        double *longer = realloc(v->list, room * sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        v->list = longer;
        v->room = room;
    }
    v->list[v->count++] = value;
    return 0;
}

static double number(const struct card *c, const char *name)
{
    const struct response_value *value = responses_value(&c->responses, name);
    return value ? value->number : NAN;
}

static void count_split(struct card *c, bool is_new_room)
{
    for (size_t i = 0; i < c->split_count; i++)
        if (!strcmp(c->splits[i].name, c->responses.split)) {
            c->splits[i].rooms += is_new_room;
            c->splits[i].responses++;
        }
}

static int add_response(struct card *c, bool is_new_room, struct error *e)
{
    const double rate = number(c, "rate");
    count_split(c, is_new_room);
    c->count++;
    if (is_new_room && add_value(&c->values[VOLUME], number(c, "volume"), e))
        return -1;
    return add_value(&c->values[T30], number(c, "t30_mid"), e) ||
                   add_value(&c->values[LENGTH], number(c, "frames") / rate, e) ||
                   add_value(&c->values[RATE], rate, e) ||
                   add_value(&c->values[VALID_LOW], number(c, "valid_low"), e) ||
                   add_value(&c->values[VALID_HIGH], number(c, "valid_high"), e)
               ? -1
               : 0;
}

static int compare(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static int gather(struct card *c, struct error *e)
{
    const struct plan *plan = c->manifest->plan;
    bool more = true;
    c->split_count = plan->split_count ? plan->split_count : 1;
    c->splits = calloc(c->split_count, sizeof *c->splits);
    if (!c->splits)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < c->split_count; i++)
        c->splits[i].name = plan->split_count ? plan->splits[i].name : plan_split(plan, "");
    if (responses_open(&c->responses, c->manifest, e))
        return -1;
    for (size_t before = SIZE_MAX; more; before = c->responses.room)
        if (responses_next(&c->responses, &more, e) || (more && add_response(c, c->responses.room != before, e)))
            return -1;
    for (size_t i = 0; i < FIGURES; i++)
        if (c->values[i].count)
            qsort(c->values[i].list, c->values[i].count, sizeof *c->values[i].list, compare);
    return 0;
}

/* ---- Front matter ---- */

/* A text in quotes, as both JSON and YAML have it. */
static void put_quoted(struct growing_text *to, const char *text)
{
    cJSON *item = cJSON_CreateString(text);
    char *quoted_text = item ? cJSON_PrintUnformatted(item) : NULL;
    if (quoted_text)
        growing_text_add(to, "%s", quoted_text);
    to->lost = to->lost || !quoted_text;
    cJSON_free(quoted_text);
    cJSON_Delete(item);
}

/* Names of licences in the list of Hugging Face are those of SPDX in lower case. */
static void put_licence(struct growing_text *to, const char *licence)
{
    const size_t length = licence ? strlen(licence) : 0;
    bool is_short = length > 0 && length < 40;
    for (size_t i = 0; i < length; i++)
        is_short = is_short && (isalnum((unsigned char)licence[i]) || strchr("-.+", licence[i]));
    if (!licence)
        return;
    growing_text_add(to, "license: ");
    if (!is_short) {
        growing_text_add(to, "other\nlicense_name: ");
        put_quoted(to, licence);
    }
    for (size_t i = 0; i < length && is_short; i++)
        growing_text_add(to, "%c", tolower((unsigned char)licence[i]));
    growing_text_add(to, "\n");
}

static const char *size_category(size_t count)
{
    return count < 1000      ? "n<1K"
           : count < 10000   ? "1K<n<10K"
           : count < 100000  ? "10K<n<100K"
           : count < 1000000 ? "100K<n<1M"
                             : "1M<n<10M";
}

/* The files of a split. A loader tells the kind of a set from the suffix that most files have, hence the sounds beside the
 * table that names them. */
static void put_split_files(struct card *c, const char *split)
{
    const struct plan *plan = c->manifest->plan;
    struct growing_text *to = &c->text;
    growing_text_add(to, "  - split: %s\n    path:\n", split);
    if (plan->files == PLAN_WEBDATASET || plan->files == PLAN_PARQUET)
        growing_text_add(to, "    - " LOADER_FOLDER "/%s-*.%s\n", split,
                         plan->files == PLAN_PARQUET ? "parquet" : "tar");
    else if (plan->split_count)
        growing_text_add(to, "    - metadata.%sset.parquet\n    - rooms/0000/*.wav\n", split);
    else
        growing_text_add(to, "    - metadata.parquet\n    - rooms/0000/*.wav\n");
}

static void put_configs(struct card *c)
{
    const struct plan *plan = c->manifest->plan;
    struct growing_text *to = &c->text;
    const bool is_folder = plan->files != PLAN_WEBDATASET && plan->files != PLAN_PARQUET;
    if (plan->files == PLAN_SOFA)
        return;
    growing_text_add(to, "configs:\n- config_name: default\n");
    if (is_folder && plan->split_count) {
        growing_text_add(to, "  metadata_filenames:\n");
        for (size_t i = 0; i < c->split_count; i++)
            growing_text_add(to, "  - metadata.%sset.parquet\n", c->splits[i].name);
    }
    growing_text_add(to, "  data_files:\n");
    for (size_t i = 0; i < c->split_count; i++)
        if (c->splits[i].responses)
            put_split_files(c, c->splits[i].name);
}

/* Types of the JSON of archives, because a loader takes a column for empty whose first values are missing. */
static void put_features(struct card *c)
{
    static const char *const types[] = {[COLUMN_WHOLE] = "int64", [COLUMN_REAL] = "float64", [COLUMN_TEXT] = "string"};
    const struct responses *r = &c->responses;
    if (c->manifest->plan->files != PLAN_WEBDATASET)
        return;
    growing_text_add(&c->text,
                     "dataset_info:\n  features:\n  - name: wav\n    dtype: audio\n  - name: json\n    struct:\n");
    for (size_t i = 0; i < r->column_count; i++) {
        growing_text_add(&c->text, "    - name: ");
        put_quoted(&c->text, r->columns[i].name);
        growing_text_add(&c->text, "\n      dtype: %s\n", types[r->columns[i].kind]);
    }
    growing_text_add(&c->text, "  - name: __key__\n    dtype: string\n  - name: __url__\n    dtype: string\n");
}

static void put_front_matter(struct card *c)
{
    const struct plan *plan = c->manifest->plan;
    char *stem = path_stem(plan->path);
    growing_text_add(&c->text, "---\n");
    put_licence(&c->text, plan->about[ABOUT_LICENCE]);
    growing_text_add(&c->text, "pretty_name: ");
    put_quoted(&c->text, stem ? stem : "");
    growing_text_add(&c->text,
                     "\ntags:\n- audio\n- acoustics\n- room-impulse-response\n- synthetic\nsize_categories:\n- %s\n",
                     size_category(c->count));
    put_configs(c);
    put_features(c);
    growing_text_add(&c->text, "---\n\n# %s\n\n", stem ? stem : "");
    free(stem);
}

/* ---- Text ---- */

static void put_list(struct growing_text *to, size_t count, const char *(*name)(const struct plan *, size_t),
                     const struct plan *plan)
{
    enum { NAMED = 12 };
    for (size_t i = 0; i < count && i < NAMED; i++)
        growing_text_add(to, "%s`%s`", i ? ", " : "", name(plan, i));
    if (count > NAMED)
        growing_text_add(to, " and %zu more", count - NAMED);
}

static const char *base_name(const struct plan *plan, size_t i)
{
    return plan->base_names[i];
}

static const char *varied_key(const struct plan *plan, size_t i)
{
    return plan->variations[i].key;
}

static void put_what(struct card *c)
{
    const struct plan *plan = c->manifest->plan;
    struct growing_text *to = &c->text;
    growing_text_add(to, "Simulated impulse responses of rooms.\n%zu responses of %zu rooms.\n", c->count,
                     c->manifest->done);
    growing_text_add(to, "`aula batch` (aula " AULA_VERSION ") computed them from the plan `%s` with the seed %llu.\n",
                     path_name(plan->path), (unsigned long long)plan->seed);
    growing_text_add(to, "Base room%s: ", plan->base_count > 1 ? "s" : "");
    if (plan->generated)
        growing_text_add(to, "one of its own for each room, furnished by rules");
    else
        put_list(to, plan->base_count, base_name, plan);
    growing_text_add(to, ".\n");
    if (plan->variation_count) {
        growing_text_add(to, "The plan varies ");
        put_list(to, plan->variation_count, varied_key, plan);
        growing_text_add(to, ".\n");
    }
    growing_text_add(to,
                     "`batch.json` holds the plan, the base rooms with all settings, and checksums of their files.\n");
}

static void put_counts(struct card *c)
{
    struct growing_text *to = &c->text;
    growing_text_add(to, "\n## Counts and ranges\n\n| split | rooms | responses |\n|---|---|---|\n");
    for (size_t i = 0; i < c->split_count; i++)
        growing_text_add(to, "| %s | %zu | %zu |\n", c->splits[i].name, c->splits[i].rooms, c->splits[i].responses);
    if (c->manifest->plan->split_count)
        growing_text_add(to, "\nNo base room is in two splits.\n");
    growing_text_add(to, "\n| parameter | unit | lowest | median | highest |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < FIGURES; i++) {
        const struct values *v = &c->values[i];
        char lowest[PLAIN_TEXT], median[PLAIN_TEXT], highest[PLAIN_TEXT];
        if (v->count)
            growing_text_add(to, "| %s | %s | %s | %s | %s |\n", figures[i].name, figures[i].unit,
                             text_plain(lowest, v->list[0], 4), text_plain(median, v->list[v->count / 2], 4),
                             text_plain(highest, v->list[v->count - 1], 4));
    }
    if (c->values[T30].count < c->count)
        growing_text_add(to, "\n%zu of %zu responses have no T30 in a valid octave.\n", c->count - c->values[T30].count,
                         c->count);
}

static void put_validity(struct card *c)
{
    growing_text_add(
        &c->text, "\n## Where the responses are valid\n\n"
                  "Each response is valid from `valid_low` to `valid_high`, in Hz.\n"
                  "The parameters with `_mid` are means over the octaves of 500 Hz and 1 kHz that lie in this band.\n"
                  "A parameter is missing if neither does, or if the response is too short to measure it.\n"
                  "Samples are pressures per source strength in 1/m, or in Pa if a source plays a signal.\n");
}

static void put_files(struct card *c)
{
    static const char *const texts[PLAN_FILES] = {
        [PLAN_WAV] = ("`rooms/` holds the responses as WAV files; several omnidirectional receivers share a file.\n"
                      "`metadata.parquet` has a row for each response, with its file and its channels.\n"),
        [PLAN_SOFA] = "`rooms/` holds the responses as SOFA files.\n",
        [PLAN_NETCDF] = "`rooms.nc` holds all responses, by room.\n",
        [PLAN_HDF5] = "`responses.h5` holds all responses, in the order of `metadata.parquet`.\n",
        [PLAN_WEBDATASET] = "`data/` holds the responses as tar archives of WAV and JSON files.\n",
        [PLAN_PARQUET] = "`data/` holds the responses as Parquet tables with a column `audio` of WAV files.\n"};
    growing_text_add(&c->text,
                     "\n## Files\n\n%s`manifest.jsonl` and `manifest.csv` have a row for each room, with checksums.\n",
                     texts[c->manifest->plan->files]);
    if (c->manifest->plan->files != PLAN_SOFA)
        growing_text_add(&c->text,
                         "\n    from datasets import load_dataset\n    responses = load_dataset(\"FOLDER\")\n");
}

static void put_about(struct card *c)
{
    static const char *const titles[ABOUT_TEXTS] = {[ABOUT_LICENCE] = "Licence",
                                                    [ABOUT_AUTHOR] = "Authors",
                                                    [ABOUT_ORGANISATION] = "Organisation",
                                                    [ABOUT_CITATION] = "Please cite"};
    const struct plan *plan = c->manifest->plan;
    growing_text_add(&c->text, "\n## Licence and citation\n\n");
    for (size_t i = 0; i < ABOUT_TEXTS; i++)
        if (plan->about[i])
            growing_text_add(&c->text, "- %s: %s\n", titles[i], plan->about[i]);
    if (!plan->about[ABOUT_LICENCE])
        growing_text_add(&c->text, "The plan states no licence; ask the authors for permission.\n");
}

/* ---- File ---- */

static void seal(char checksum[CHECKSUM_TEXT], const char *text, size_t length)
{
    struct sha256 sum;
    sha256_start(&sum);
    sha256_add(&sum, text, length);
    sha256_finish(&sum, checksum);
}

/* Whether the last line is ours and the text above it is as it was written. */
static bool is_ours(const char *text)
{
    const char *line = NULL;
    char checksum[CHECKSUM_TEXT], *expected;
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
        line = at;
    if (!line)
        return false;
    seal(checksum, text, (size_t)(line - text));
    expected = text_format("%s%s%s", mark, checksum, mark_end);
    const bool is = expected && !strcmp(line, expected);
    free(expected);
    return is;
}

static int write_card(const struct card *c, const char *text, struct error *e)
{
    struct part_file part;
    int status = part_file_open(&part, c->manifest->folder, "README.md", e);
    const struct byte_sink sink = part_file_sink(&part);
    status = status || sink.put(sink.context, text, strlen(text), e) || part_file_commit(&part, e) ? -1 : 0;
    part_file_close(&part);
    return status;
}

int data_card_write(bool *kept, const struct manifest *m, struct error *e)
{
    struct card c = {.manifest = m};
    struct error ignored;
    char *path = text_format("%s/README.md", m->folder), *old = NULL, *text = NULL, checksum[CHECKSUM_TEXT];
    int status = path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    *kept = !status && !access(path, F_OK) && (file_read_text(path, CARD_MAX, &old, &ignored) || !is_ours(old));
    if (!status && !*kept)
        status = gather(&c, e);
    if (!status && !*kept) {
        put_front_matter(&c);
        put_what(&c);
        put_counts(&c);
        put_validity(&c);
        put_files(&c);
        put_about(&c);
        growing_text_add(&c.text, "\n");
        seal(checksum, c.text.text ? c.text.text : "", c.text.length);
        growing_text_add(&c.text, "%s%s%s", mark, checksum, mark_end);
        text = growing_text_take(&c.text, NULL);
        if (!text)
            status = fail(e, ERROR_MEMORY, "out of memory");
        else if (!old || strcmp(old, text) != 0)
            status = write_card(&c, text, e);
    }
    free(text);
    free(old);
    free(path);
    free(c.text.text);
    for (size_t i = 0; i < FIGURES; i++)
        free(c.values[i].list);
    free(c.splits);
    responses_close(&c.responses);
    return status;
}

void data_card_remove(const struct manifest *m)
{
    struct error ignored;
    char *path = text_format("%s/README.md", m->folder), *old = NULL;
    if (path && !access(path, F_OK) && !file_read_text(path, CARD_MAX, &old, &ignored) && is_ours(old))
        unlink(path);
    free(old);
    free(path);
}
