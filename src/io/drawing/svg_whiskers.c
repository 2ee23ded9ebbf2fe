/* SPDX-License-Identifier: MIT */
#include "io/drawing/svg_whiskers.h"

#include <math.h>
#include <stdlib.h>

#include "io/drawing/svg_axis.h"
#include "io/text_stream.h"

static const double LEFT = 84.0, RIGHT = 876.0; /* of the plot area */
static const double PLOT_HEIGHT = 170.0, TITLE_HEIGHT = 48.0, LABEL_HEIGHT = 60.0;
static const double WIDEST_BOX = 36.0;

static void take(double limits[2], double value)
{
    if (!isfinite(value))
        return;
    limits[0] = fmin(limits[0], value);
    limits[1] = fmax(limits[1], value);
}

static void limits_of(double limits[2], const struct whisker_panel *panel)
{
    limits[0] = INFINITY;
    limits[1] = -INFINITY;
    for (size_t i = 0; i < panel->count; i++) {
        const struct whiskers *w = &panel->list[i];
        const double values[] = {w->middle, w->box[0], w->box[1], w->whisker[0], w->whisker[1]};
        for (size_t k = 0; k < 5 && isfinite(w->middle); k++)
            take(limits, values[k]);
    }
    if (!(limits[0] <= limits[1])) {
        limits[0] = 0.0;
        limits[1] = 1.0;
    }
    double space = 0.05 * (limits[1] - limits[0]);
    if (!(space > 0.0))
        space = fabs(limits[0]) > 0.0 ? 0.1 * fabs(limits[0]) : 1.0;
    limits[0] -= space;
    limits[1] += space;
}

static void draw_whiskers(FILE *stream, const struct whiskers *w, double at, double width, const struct svg_axis *y)
{
    const double middle = svg_axis_place(y, w->middle), half = 0.5 * width;
    if (!isfinite(w->middle))
        return;
    if (isfinite(w->whisker[0]) && isfinite(w->whisker[1])) {
        const double low = svg_axis_place(y, w->whisker[0]), high = svg_axis_place(y, w->whisker[1]);
        fprintf(stream, "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fh%.1fM%.1f %.1fh%.1f\" stroke=\"%s\" fill=\"none\"/>\n", at,
                low, high, at - 0.5 * half, low, half, at - 0.5 * half, high, half, SVG_FAINT);
    }
    if (isfinite(w->box[0]) && isfinite(w->box[1])) {
        const double low = svg_axis_place(y, w->box[0]), high = svg_axis_place(y, w->box[1]);
        fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#cfe3f4\" stroke=\"%s\"/>\n",
                at - half, high, width, fmax(0.5, low - high), svg_colour(0));
    }
    fprintf(stream, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"%s\" stroke-width=\"2.4\" fill=\"none\"/>\n", at - half,
            middle, width, svg_colour(0));
}

static int draw_panel(FILE *stream, const struct whisker_panel *panel, double top)
{
    const double from = top + TITLE_HEIGHT + PLOT_HEIGHT, to = top + TITLE_HEIGHT;
    const double pitch = (RIGHT - LEFT) / (double)(panel->count ? panel->count : 1);
    double limits[2];
    limits_of(limits, panel);
    struct plot_tick *ticks = calloc(panel->count + 1, sizeof *ticks);
    if (!ticks)
        return -1;
    for (size_t i = 0; i < panel->count; i++)
        ticks[i] = (struct plot_tick){(double)i + 0.5, panel->labels[i]};
    const struct svg_axis x = svg_axis_make(0.0, (double)panel->count, LEFT, RIGHT, 9),
                          y = svg_axis_make(limits[0], limits[1], from, to, 5);
    const struct svg_frame frame = {
        .x_label = panel->x_label, .y_label = panel->y_label, .x_ticks = ticks, .x_tick_count = panel->count};
    svg_text(stream, LEFT, top + 16.0, 14.0, "start", SVG_INK, panel->title);
    svg_text(stream, LEFT, top + 34.0, 12.0, "start", SVG_FAINT, panel->note);
    svg_frame(stream, &frame, &x, &y);
    for (size_t i = 0; i < panel->count; i++)
        draw_whiskers(stream, &panel->list[i], svg_axis_place(&x, ticks[i].at), fmin(WIDEST_BOX, 0.6 * pitch), &y);
    free(ticks);
    return 0;
}

char *svg_whiskers_text(const char *title, const char *legend, const struct whisker_panel *panels, size_t panel_count)
{
    const double pitch = TITLE_HEIGHT + PLOT_HEIGHT + LABEL_HEIGHT;
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    int status = 0;
    if (!stream)
        return NULL;
    svg_begin(stream, title, 84.0 + (double)panel_count * pitch);
    svg_text(stream, 24.0, 58.0, 13.0, "start", SVG_FAINT, legend);
    for (size_t i = 0; i < panel_count; i++)
        status = draw_panel(stream, &panels[i], 76.0 + (double)i * pitch) || status;
    svg_end(stream);
    char *text = text_stream_close(&page, NULL);
    if (status) {
        free(text);
        return NULL;
    }
    return text;
}
