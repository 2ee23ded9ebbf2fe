/* SPDX-License-Identifier: MIT */
/* Maps as pictures and as CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output_set.h"
#include "base/text.h"
#include "io/drawing/png_colours.h"
#include "io/text_stream.h"
#include "present/film/canvas.h"
#include "present/film/map.h"

struct sheet {
    const struct map *map;
    struct model *m;
    struct canvas canvas;
    struct slice_sampler sampler;
    struct film_colours colours[MAP_FIGURES_MAX];
    char *captions[MAP_FIGURES_MAX], *texts[1 + PAPER_LINES_MAX];
    float *values; /* [place_count + 1], NaN at the end */
};

/* The cell of a pixel. If its receiver is not in air, the nearest of its eight neighbours that is. */
static uint32_t cell_at(const struct map *map, double across, double up)
{
    const double at[2] = {(across - map->place[0]) / map->step[0], (up - map->place[1]) / map->step[1]};
    uint32_t best = (uint32_t)map->place_count;
    double least = INFINITY; /* index past the last receiver: grey */
    for (int i = 0; i < 9; i++) {
        const double x = rint(at[0]) + i % 3 - 1, y = rint(at[1]) + i / 3 - 1;
        if (x < 0.0 || y < 0.0 || x >= (double)map->count[0] || y >= (double)map->count[1])
            continue;
        const uint32_t index = map->index[(size_t)y * map->count[0] + (size_t)x];
        const double distance = hypot(x - at[0], y - at[1]);
        if (index != SCREEN_NONE && distance < least) {
            least = distance;
            best = index;
        }
    }
    return best;
}

/* Makes each pixel show the receiver of its cell instead of the grid point of the sampler. */
static void show_cells(struct slice_sampler *s, const struct map *map, const struct film_view *v)
{
    s->lattice[0] = 0;
    for (size_t row = 0; row < s->rows; row++)
        for (size_t column = 0; column < s->columns; column++) {
            uint32_t *nearest = &s->nearest[row * s->columns + column];
            if (*nearest != SCREEN_NONE)
                *nearest = cell_at(map, v->lower[v->across] + ((double)column + 0.5) / v->scale,
                                   v->lower[v->up] + ((double)(s->rows - row) - 0.5) / v->scale);
        }
}

static void range_of(double range[3], const struct map *map, size_t metric)
{
    size_t count = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    range[2] = 0.0;
    for (size_t i = 0; i < map->place_count; i++) {
        const double value = map_value(map, metric, i);
        if (!isfinite(value))
            continue;
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
        range[2] += value;
        count++;
    }
    range[2] = count ? range[2] / (double)count : NAN;
    if (!count)
        range[0] = range[1] = 0.0;
}

/* Caption and colour scale of one parameter. The scale covers its range, and one printed digit if it is constant. */
static void plan_window(struct sheet *s, size_t i)
{
    const struct map *map = s->map;
    const struct metric *metric = map->wish.metric[i];
    const struct metric_format *format = &metric->text;
    const char *unit = format->unit ? format->unit : "";
    const bool single = metric >= single_metrics && metric < single_metrics + single_metric_count;
    double range[3];
    range_of(range, map, i);
    const double least = pow(10.0, -(double)format->decimals);
    if (range[1] - range[0] < least) {
        range[0] -= 0.5 * least;
        range[1] += 0.5 * least;
    }
    film_colours_make(&s->colours[i], false, range[0], range[1]);
    char band[32] = "";
    if (!single)
        snprintf(band, sizeof band, ", %.0f Hz", map->wish.band);
    unsigned found;
    const char *mark = map_doubtful(map, i, &found) ? " (?)" : "";
    s->captions[i] = isfinite(range[2]) ? text_format("%s%s: mean %.*f%s%s%s", metric->symbol, band, format->decimals,
                                                      range[2], *unit ? " " : "", unit, mark)
                                        : text_format("%s%s: not measured", metric->symbol, band);
    s->canvas.window[i].caption = s->captions[i];
    s->canvas.window[i].colours = &s->colours[i];
    s->canvas.window[i].unit = unit;
}

static int plan_sheet(struct sheet *s, size_t columns, size_t rows, struct error *e)
{
    const struct map *map = s->map;
    const struct room *room = s->m->room;
    const struct map_wish *w = &map->wish;
    struct film_view view = {.across = w->axis == 0 ? 1 : 0, .up = w->axis == 2 ? 1 : 2, .at = w->at};
    for (int i = 0; i < 3; i++) {
        view.size[i] = room->sized_by_points ? s->m->grid.size[i] : room->size[i];
        view.lower[i] = room->lower[i];
    }
    const bool flat = view.size[view.across] > 3.0 * view.size[view.up];
    const size_t across = w->figure_count == 1 || flat ? 1 : 2;
    if (canvas_lay_out(&s->canvas, &view, w->figure_count, across, true, columns, rows, e) ||
        slice_sampler_make(&s->sampler, s->m, &s->canvas.view, e))
        return -1;
    show_cells(&s->sampler, map, &s->canvas.view);
    for (size_t i = 0; i < w->figure_count; i++)
        plan_window(s, i);
    char *stem = path_stem(room->path);
    s->texts[0] = stem ? text_format("%s: %c = %.4g m", stem, 'x' + w->axis, w->at) : NULL;
    s->texts[1] =
        text_format("source %s; %zu receivers, spacing %.3g x %.3g m, responses of %.3g s",
                    room->sources[w->source].name, map->place_count, map->step[0], map->step[1], map->seconds);
    s->texts[2] = text_format("valid band %.0f to %.0f Hz; grey: not measured", map->valid_low, map->valid_high);
    free(stem);
    for (size_t i = 0; i < 1 + PAPER_LINES_MAX + w->figure_count; i++)
        if (!(i <= PAPER_LINES_MAX ? s->texts[i] : s->captions[i - 1 - PAPER_LINES_MAX]))
            return fail(e, ERROR_MEMORY, "out of memory");
    s->canvas.title = s->texts[0];
    for (size_t i = 0; i < PAPER_LINES_MAX; i++)
        s->canvas.lines[i] = s->texts[i + 1];
    return canvas_draw(&s->canvas, s->m, &s->sampler, e);
}

static int fill_sheet(struct sheet *s, struct output_file *file, struct error *e)
{
    const struct map *map = s->map;
    s->values = calloc(map->place_count + 1, sizeof *s->values);
    if (!s->values)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->values[map->place_count] = NAN;
    canvas_begin(&s->canvas);
    for (size_t i = 0; i < map->wish.figure_count; i++) {
        for (size_t k = 0; k < map->place_count; k++)
            s->values[k] = (float)map_value(map, i, k);
        canvas_show(&s->canvas, i, &s->sampler, &s->colours[i], s->values);
    }
    canvas_lay_over(&s->canvas);
    char low[32], high[32];
    snprintf(low, sizeof low, "%.9g", s->colours[0].low);
    snprintf(high, sizeof high, "%.9g", s->colours[0].high);
    const struct png_note notes[] = {{"low", low}, {"high", high}, {"figure", map->wish.metric[0]->name}};
    return png_colours_put(file, s->canvas.picture, s->canvas.columns, s->canvas.rows, notes, 3, e);
}

static int add_picture(struct output_set *set, const struct map *map, const struct room *room,
                       const struct map_files *files, struct error *e)
{
    struct sheet s = {.map = map};
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = map->wish.source, .count = 1};
    struct output_file *file = output_set_add(set, files->picture, e);
    int status = file && !model_make_for(&s.m, room, &use, e) ? 0 : -1;
    if (!status)
        status = plan_sheet(&s, files->columns, files->rows, e) || fill_sheet(&s, file, e) ? -1 : 0;
    for (size_t i = 0; i < MAP_FIGURES_MAX; i++)
        free(s.captions[i]);
    for (size_t i = 0; i < 1 + PAPER_LINES_MAX; i++)
        free(s.texts[i]);
    free(s.values);
    slice_sampler_free(&s.sampler);
    canvas_free(&s.canvas);
    model_free(s.m);
    return status;
}

/* Same digits as aula metrics --csv. */
static void write_number(FILE *stream, double value)
{
    fputc(',', stream);
    if (!isnan(value))
        fprintf(stream, "%.9g", value);
}

static void write_rows(FILE *stream, const struct map *map)
{
    fputs("x,y,z,band", stream);
    for (size_t f = 0; f < band_metric_count; f++)
        if (!band_metrics[f].optional)
            fprintf(stream, ",%s", band_metrics[f].name);
    fputs(",sti,doubtful\n", stream);
    for (size_t i = 0; i < map->place_count; i++)
        for (size_t b = 0; b < METRICS_BANDS; b++) {
            const struct metrics_band *band = &map->metrics[i].band[b];
            if (band->validity == METRICS_OUTSIDE)
                continue;
            fprintf(stream, "%.15g,%.15g,%.15g,", map->places[i][0], map->places[i][1], map->places[i][2]);
            if (b == METRICS_BROAD)
                fputs("broad", stream);
            else
                fprintf(stream, "%.0f", band->centre);
            for (size_t f = 0; f < band_metric_count; f++)
                if (!band_metrics[f].optional)
                    write_number(stream, metric_of_band(&band_metrics[f], band));
            write_number(stream, map->metrics[i].sti);
            fprintf(stream, ",%s\n", doubt_names(doubts_of(&map->doubts, band)));
        }
}

static int add_csv(struct output_set *set, const struct map *map, const char *path, struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    write_rows(stream, map);
    char *text = text_stream_close(&page, NULL);
    const int status = text ? output_set_text(set, path, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

int map_write(const struct map *map, const struct room *room, const struct map_files *files, struct error *e)
{
    struct output_set set = {.no_clobber = files->no_clobber};
    int status = files->picture ? add_picture(&set, map, room, files, e) : 0;
    if (!status && files->csv)
        status = add_csv(&set, map, files->csv, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    return status;
}
