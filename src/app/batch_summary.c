/* SPDX-License-Identifier: MIT */
#include "app/batch_summary.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/say.h"
#include "base/output_file.h"
#include "base/text.h"
#include "io/drawing/svg_axis.h"
#include "io/drawing/svg_whiskers.h"
#include "render/batch/record_octaves.h"

enum { SUMMARY_FILES = 3, COLUMN = 7 };

static int no_memory(const char *folder, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", folder);
}

static void octave_text(char text[16], size_t octave)
{
    const double hertz = record_octave_hertz(octave);
    snprintf(text, 16, hertz < 1000.0 ? "%g" : "%gk", hertz < 1000.0 ? hertz : 1e-3 * hertz);
}

/* ---- The plot ---- */

/* Whether all octaves that have rooms have enough of them for percentiles. */
static bool has_percentiles(const struct summary_parameter *p)
{
    for (size_t b = 0; b < p->octaves; b++)
        if (p->cell[b].spread.count && isnan(p->cell[b].spread.low))
            return false;
    return true;
}

static void fill_panel(struct whiskers list[METRICS_OCTAVES], const struct summary_parameter *p)
{
    const double scale = p->metric->text.scale;
    const bool percentiles = has_percentiles(p);
    for (size_t b = 0; b < p->octaves; b++) {
        const struct spread *s = &p->cell[b].spread;
        list[b] = (struct whiskers){
            .middle = scale * s->mean,
            .box = {scale * (s->mean - s->deviation), scale * (s->mean + s->deviation)},
            .whisker = {scale * (percentiles ? s->low : s->minimum), scale * (percentiles ? s->high : s->maximum)}};
    }
}

/* Texts and values of a panel. */
struct panel_data {
    struct whiskers list[METRICS_OCTAVES];
    char *line; /* summary_line, cut where its second part begins */
    char *title;
    char unit[40];
};

static void panel_data_free(struct panel_data *data)
{
    free(data->line);
    free(data->title);
}

static int make_panel(struct whisker_panel *panel, struct panel_data *data, const struct summary *s,
                      const struct summary_parameter *p)
{
    data->line = summary_line(s, p);
    if (!data->line)
        return -1;
    char *shares = strstr(data->line, "; ");
    if (shares)
        *shares = '\0';
    data->title = text_format("%s%s", data->line, has_percentiles(p) ? "" : " (whiskers to the extremes)");
    snprintf(data->unit, sizeof data->unit, *p->metric->text.unit ? "%s / %s" : "%s", p->metric->symbol,
             p->metric->text.unit);
    fill_panel(data->list, p);
    *panel = (struct whisker_panel){.title = data->title,
                                    .note = shares ? shares + 2 : NULL,
                                    .x_label = "octave / Hz",
                                    .y_label = data->unit,
                                    .list = data->list,
                                    .count = METRICS_OCTAVES};
    return data->title ? 0 : -1;
}

static char *summary_svg(const struct summary *s)
{
    static const char legend[] =
        "line: mean over the rooms; box: standard deviation; whiskers: 2.5 to 97.5 % of the rooms";
    char octaves[METRICS_OCTAVES][16];
    const char *labels[METRICS_OCTAVES];
    struct panel_data *data = calloc(s->parameter_count + 1, sizeof *data);
    struct whisker_panel *panels = calloc(s->parameter_count + 1, sizeof *panels);
    char *title = text_format("%s: %zu of %zu rooms", s->plan, s->done, s->rooms);
    int status = data && panels && title ? 0 : -1;
    size_t count = 0;
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        octave_text(octaves[b], b);
        labels[b] = octaves[b];
    }
    for (size_t i = 0; i < s->parameter_count && !status; i++)
        if (s->parameters[i].octaves > 1) {
            status = make_panel(&panels[count], &data[count], s, &s->parameters[i]);
            panels[count++].labels = labels;
        }
    char *text = status ? NULL : svg_whiskers_text(title, legend, panels, count);
    for (size_t i = 0; data && i < count; i++)
        panel_data_free(&data[i]);
    free(data);
    free(panels);
    free(title);
    return text;
}

/* ---- Files ---- */

static int write_files(const char *folder, int place, char *const texts[SUMMARY_FILES], struct error *e)
{
    static const char *const suffixes[SUMMARY_FILES] = {"csv", "json", "svg"};
    struct output_file files[SUMMARY_FILES] = {{0}}, *list[SUMMARY_FILES];
    int status = 0;
    for (size_t i = 0; i < SUMMARY_FILES && !status; i++) {
        char *path = text_format("%s/summary.%s", folder, suffixes[i]);
        list[i] = &files[i];
        status = !path ? no_memory(folder, e)
                       : output_file_open_in(&files[i], place, path, e) || output_file_put(&files[i], texts[i], e);
        free(path);
    }
    if (!status)
        status = output_files_commit(list, SUMMARY_FILES, e);
    for (size_t i = 0; i < SUMMARY_FILES; i++)
        output_file_discard(&files[i]);
    return status ? -1 : 0;
}

int batch_summary_write(const struct summary *s, const char *folder, struct error *e)
{
    char *texts[SUMMARY_FILES] = {summary_csv(s), summary_json(s), summary_svg(s)};
    const int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = texts[0] && texts[1] && texts[2] ? 0 : no_memory(folder, e);
    if (!status)
        status = place < 0 ? fail(e, ERROR_OUTPUT, "%s: cannot open the folder", folder)
                           : write_files(folder, place, texts, e);
    if (place >= 0)
        close(place);
    for (size_t i = 0; i < SUMMARY_FILES; i++)
        free(texts[i]);
    return status;
}

/* ---- Tables ---- */

static int label_width(const struct summary *s)
{
    size_t width = 12;
    for (size_t k = 0; k < s->key_count; k++)
        width = strlen(s->keys[k].name) > width ? strlen(s->keys[k].name) : width;
    return (int)width;
}

static void print_numbers(const char *label, int width, const struct summary_parameter *p, size_t offset)
{
    printf("  %-*s", width, label);
    for (size_t b = 0; b < p->octaves; b++) {
        double value;
        memcpy(&value, (const char *)&p->cell[b].spread + offset, sizeof value);
        if (isfinite(value))
            printf("%*.*f ", COLUMN, p->metric->text.decimals, p->metric->text.scale * value);
        else
            printf("%*s ", COLUMN, "-");
    }
    puts("");
}

/* Shares in %, with the sign of the correlation, and * where they are larger than chance
 * explains. */
static void print_shares(const struct summary *s, int width, const struct summary_parameter *p, size_t k)
{
    printf("  %-*s", width, s->keys[k].name);
    for (size_t b = 0; b < p->octaves; b++) {
        const struct summary_effect *effect = &p->cell[b].effects[k];
        const char *sign = !(fabs(effect->correlation) > 0.0) || effect->share < 0.005 ? ""
                           : effect->correlation < 0.0                                 ? "-"
                                                                                       : "+";
        char text[32] = "- ";
        if (effect->gap == EFFECT_KNOWN)
            snprintf(text, sizeof text, "%s%.0f%s", sign, 100.0 * effect->share,
                     summary_stands_out(s, effect) ? "*" : " ");
        printf("%*s", COLUMN + 1, text);
    }
    puts("");
}

static bool has_rooms(const struct summary_parameter *p)
{
    for (size_t b = 0; b < p->octaves; b++)
        if (p->cell[b].spread.count)
            return true;
    return false;
}

static void print_table(const struct summary *s, int width, const struct summary_parameter *p)
{
    static const struct {
        const char *label;
        size_t offset;
    } rows[] = {{"mean", offsetof(struct spread, mean)},      {"deviation", offsetof(struct spread, deviation)},
                {"2.5 %", offsetof(struct spread, low)},      {"97.5 %", offsetof(struct spread, high)},
                {"lowest", offsetof(struct spread, minimum)}, {"highest", offsetof(struct spread, maximum)}};
    char head[64];
    snprintf(head, sizeof head, *p->metric->text.unit ? "%s (%s)" : "%s", p->metric->symbol, p->metric->text.unit);
    printf("\n%-*s", width + 2, head);
    for (size_t b = 0; b < p->octaves && p->octaves > 1; b++) {
        char text[16];
        octave_text(text, b);
        printf("%*s ", COLUMN, text);
    }
    puts("");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        print_numbers(rows[i].label, width, p, rows[i].offset);
    printf("  %-*s", width, "rooms");
    for (size_t b = 0; b < p->octaves; b++)
        printf("%*zu ", COLUMN, p->cell[b].spread.count);
    puts("");
    for (size_t k = 0; k < s->key_count; k++)
        if (!s->keys[k].constant)
            print_shares(s, width, p, k);
}

/* ---- Notes ---- */

/* Over all parameters and octaves. */
static void say_gaps(const struct summary *s, bool quiet)
{
    bool partly = false, few = false, shares = false;
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves; b++) {
            const struct summary_cell *cell = &s->parameters[i].cell[b];
            partly = partly || cell->partly;
            few = few || (cell->spread.count && cell->spread.count < SPREAD_PERCENTILES_LEAST);
            for (size_t k = 0; k < s->key_count; k++)
                shares = shares || (cell->spread.count && cell->effects[k].gap == EFFECT_FEW);
        }
    if (partly)
        say(quiet, "note: rooms in which an octave is valid only in part, or not at all, are left out of it");
    if (few)
        say(quiet, "note: percentiles need %d rooms; the lowest and the highest value stand alone",
            SPREAD_PERCENTILES_LEAST);
    if (shares)
        say(quiet, "note: shares of the variance need %d rooms, and %d for each choice of a key", SPREAD_SHARES_LEAST,
            SPREAD_ROOMS_A_CHOICE);
}

static void say_constant(const struct summary *s, bool quiet)
{
    for (size_t k = 0; k < s->key_count && s->done; k++)
        if (s->keys[k].constant)
            say(quiet, "note: %s has the same value in all finished rooms", s->keys[k].name);
}

int batch_summary_print(const struct summary *s, const char *folder, bool quiet, struct error *e)
{
    const int width = label_width(s);
    char **lines = NULL;
    size_t count = 0;
    printf("%zu of %zu rooms%s\n", s->done, s->rooms,
           s->several ? "; a room counts with the mean over its sources and receivers" : "");
    for (size_t i = 0; i < s->parameter_count; i++) {
        char *line = summary_line(s, &s->parameters[i]);
        if (!line)
            return no_memory(folder, e);
        puts(line);
        free(line);
    }
    for (size_t i = 0; i < s->parameter_count; i++)
        if (has_rooms(&s->parameters[i]))
            print_table(s, width, &s->parameters[i]);
    if (s->key_count)
        puts("\nRows of keys are shares of the variance in %: + and - give the direction, * marks shares larger than "
             "chance.");
    say_constant(s, quiet);
    say_gaps(s, quiet);
    if (summary_doubts(&lines, &count, s, folder, e))
        return -1;
    say_lines("warning", lines, count);
    lines_free(lines, count);
    say(quiet, "wrote %s/summary.csv, summary.json and summary.svg", folder);
    return 0;
}
