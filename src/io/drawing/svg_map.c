/* SPDX-License-Identifier: MIT */
#include "io/drawing/svg_map.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/base64.h"
#include "io/drawing/colour_map.h"
#include "io/drawing/png_colours.h"
#include "io/drawing/svg_axis.h"
#include "io/text_stream.h"

enum { SHADES = 64, TICKS_MAX = 40 }; /* more shades only make a larger file */
static const double LEFT = 84.0, RIGHT = 800.0, HEIGHT = 320.0, BOTTOM = 58.0;
static const double SCALE_LEFT = 816.0, SCALE_WIDTH = 12.0;

/* <image> with the picture inside. */
static int embed(FILE *stream, const uint8_t *pixels, size_t columns, size_t rows, const struct svg_axis *x,
                 const struct svg_axis *y, struct error *e)
{
    uint32_t palette[SHADES];
    struct text_stream file;
    size_t length = 0;
    for (int i = 0; i < SHADES; i++)
        palette[i] = map_colour((double)i / (SHADES - 1));
    FILE *picture = text_stream_open(&file);
    if (!picture)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = png_indexed(picture, pixels, columns, rows, palette, SHADES, false, e);
    char *png = text_stream_close(&file, &length);
    if (!png && !status)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        fprintf(stream,
                "<image x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" preserveAspectRatio=\"none\" "
                "href=\"data:image/png;base64,",
                x->from, y->to, x->to - x->from, y->from - y->to);
        base64_write(stream, (const uint8_t *)png, length);
        fputs("\"/>\n", stream);
    }
    free(png);
    return status;
}

static int draw_values(FILE *stream, const struct svg_map *map, const struct svg_axis *x, const struct svg_axis *y,
                       struct error *e)
{
    uint8_t *pixels = malloc(map->columns * map->rows + 1);
    if (!pixels)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < map->columns * map->rows; i++) {
        const double share = (map->values[i] - map->low) / (map->high - map->low);
        pixels[i] = (uint8_t)lrint((SHADES - 1) * (share > 0.0 ? fmin(1.0, share) : 0.0));
    }
    const int status = embed(stream, pixels, map->columns, map->rows, x, y, e);
    free(pixels);
    return status;
}

static int draw_scale(FILE *stream, const struct svg_map *map, double top, struct error *e)
{
    const struct svg_axis across = {.from = SCALE_LEFT, .to = SCALE_LEFT + SCALE_WIDTH};
    const struct svg_axis up = svg_axis_make(map->low, map->high, top + HEIGHT, top, 7);
    uint8_t shades[SHADES];
    char label[32];
    double value;
    for (int i = 0; i < SHADES; i++)
        shades[i] = (uint8_t)(SHADES - 1 - i);
    if (embed(stream, shades, 1, SHADES, &across, &up, e))
        return -1;
    for (int i = 0; svg_axis_tick(&up, i, &value, label); i++)
        svg_text(stream, across.to + 6.0, svg_axis_place(&up, value) + 4.0, 12.0, "start", SVG_FAINT, label);
    svg_axis_power(&up, label);
    svg_text(stream, across.to + 6.0, top - 8.0, 12.0, "start", SVG_FAINT, label);
    if (map->value_label && *map->value_label) {
        fprintf(stream, "<g transform=\"translate(884 %.1f) rotate(-90)\">", top + 0.5 * HEIGHT);
        svg_text(stream, 0.0, 0.0, 13.0, "middle", SVG_INK, map->value_label);
        fputs("</g>\n", stream);
    }
    return 0;
}

/* 1, 2 and 5 times each power of ten within the limits, at their logarithms. */
static size_t decades(struct plot_tick ticks[TICKS_MAX], char labels[TICKS_MAX][16], double low, double high)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    size_t count = 0;
    for (double power = pow(10.0, floor(log10(low))); power <= high; power *= 10.0)
        for (int i = 0; i < 3 && count < TICKS_MAX; i++) {
            const double value = steps[i] * power;
            if (value < low * (1.0 - 1e-9) || value > high * (1.0 + 1e-9))
                continue;
            snprintf(labels[count], sizeof labels[count], "%g", value);
            ticks[count] = (struct plot_tick){log(value), labels[count]};
            count++;
        }
    return count;
}

static int draw(FILE *stream, const struct svg_map *map, struct error *e)
{
    const double top = map->title && *map->title ? 58.0 : 24.0;
    struct plot_tick ticks[TICKS_MAX];
    char labels[TICKS_MAX][16];
    const bool log_y = map->logarithmic;
    const struct svg_axis x = svg_axis_make(map->x_min, map->x_max, LEFT, RIGHT, 9);
    const struct svg_axis y =
        svg_axis_make(log_y ? log(map->y_min) : map->y_min, log_y ? log(map->y_max) : map->y_max, top + HEIGHT, top, 7);
    const struct svg_frame frame = {.x_label = map->x_label,
                                    .y_label = map->y_label,
                                    .y_ticks = ticks,
                                    .y_tick_count = log_y ? decades(ticks, labels, map->y_min, map->y_max) : 0};
    svg_begin(stream, map->title, top + HEIGHT + BOTTOM);
    svg_frame(stream, &frame, &x, &y);
    if (draw_values(stream, map, &x, &y, e) || draw_scale(stream, map, top, e))
        return -1;
    svg_end(stream);
    return 0;
}

int svg_map_text(char **text, const struct svg_map *map, struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    *text = NULL;
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = draw(stream, map, e);
    *text = text_stream_close(&page, NULL);
    if (*text && !status)
        return 0;
    free(*text);
    *text = NULL;
    return status ? status : fail(e, ERROR_MEMORY, "out of memory");
}

int svg_map(const char *path, const struct svg_map *map, struct error *e)
{
    char *text;
    if (svg_map_text(&text, map, e))
        return -1;
    const int status = output_file_text(path, text, e);
    free(text);
    return status;
}
