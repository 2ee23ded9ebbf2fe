/* SPDX-License-Identifier: MIT */
#include "present/report/plots.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/spectrogram.h"
#include "io/drawing/colour_map.h"
#include "present/report/chart.h"
#include "present/report/crossover_plot.h"

static const double HEIGHT = 190.0;     /* of a plot, units */
static const double LEVEL_RANGE = 60.0; /* dB that a plot of levels shows */
static const double LOWEST = 16.0;      /* Hz */
static const double WINDOW = 0.04;      /* s: of a spectrogram */

static int finish(struct chart *c, int status, const char *label, FILE *stream, struct error *e)
{
    if (status) {
        chart_free(c);
        return status;
    }
    return chart_finish(c, label, stream, e);
}

/* `count` equidistant values, to be freed by the caller. */
static double *rising(size_t count, double first, double step, struct error *e)
{
    double *x = malloc((count + 1) * sizeof *x);
    if (!x)
        fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; x && i < count; i++)
        x[i] = first + (double)i * step;
    return x;
}

int plot_waveform(FILE *stream, const struct plotted *p, const char *name, struct error *e)
{
    const struct audio *a = &p->subject->recording.audio;
    const double found = p->subject->channel[p->channel].peak, peak = found > 0.0 ? found : 1.0;
    const struct chart_settings s = {.name = name,
                                     .x_label = "time, s",
                                     .y_label = "amplitude",
                                     .x_max = (double)a->frames / a->rate,
                                     .y_min = -1.05 * peak,
                                     .y_max = 1.05 * peak,
                                     .height = HEIGHT};
    struct chart c = {0};
    double *x = rising(a->frames, 0.0, 1.0 / a->rate, e);
    int status = !x || chart_open(&c, &s, e) ? -1 : 0;
    if (!status)
        status = chart_curve(&c, x, p->samples, a->frames, DRAWING_SERIES, 1.0, e);
    free(x);
    return finish(&c, status, "Waveform", stream, e);
}

bool plotted_has_decay(const struct plotted *p, size_t band)
{
    const double *curve = p->subject->curves + (p->channel * METRICS_BANDS + band) * CURVE_POINTS;
    return isfinite(curve[0]) && isfinite(curve[1]);
}

/* s: time at which the longest curve reaches the bottom of the plot. */
static double decay_time(const struct plotted *p)
{
    size_t max = 8;
    for (size_t b = 0; b < METRICS_BANDS; b++) {
        const double *curve = p->subject->curves + (p->channel * METRICS_BANDS + b) * CURVE_POINTS;
        for (size_t i = max; i < CURVE_POINTS; i++)
            if (curve[i] >= -LEVEL_RANGE)
                max = i;
    }
    return (double)(max + 1) * p->subject->curve_step;
}

int plot_decays(FILE *stream, const struct plotted *p, const char *name, struct error *e)
{
    const struct chart_settings s = {.name = name,
                                     .x_label = "time after the direct sound, s",
                                     .y_label = "level, dB",
                                     .x_max = decay_time(p),
                                     .y_min = -LEVEL_RANGE,
                                     .y_max = 0.0,
                                     .height = HEIGHT};
    struct chart c = {0};
    double *x = rising(CURVE_POINTS, 0.0, p->subject->curve_step, e);
    int status = !x || chart_open(&c, &s, e) ? -1 : 0;
    for (size_t b = 0; !status && b < METRICS_BANDS; b++)
        if (plotted_has_decay(p, b))
            status = chart_curve(&c, x, p->subject->curves + (p->channel * METRICS_BANDS + b) * CURVE_POINTS,
                                 CURVE_POINTS, b == METRICS_BROAD ? DRAWING_INK : DRAWING_SERIES + (int)b,
                                 b == METRICS_BROAD ? 2.2 : 1.5, e);
    free(x);
    return finish(&c, status, "Energy decay curves in octave bands", stream, e);
}

double plotted_reference(const struct recording *r, const struct spectrum *spectrum)
{
    const double free_field = 1.0 / (4.0 * M_PI * 10.0);
    double max = 0.0;
    if (r->calibrated)
        return 20.0 * log10(free_field / fabs(r->scale));
    for (size_t k = 0; k < spectrum->count; k++)
        max = fmax(max, spectrum->power[k]);
    return 10.0 * log10(max);
}

static double level_of(const struct plotted *p, double power)
{
    return 10.0 * log10(power) - p->reference;
}

/* Levels of the bins from `first` on, and the highest of them in *top. */
static double *levels(const struct plotted *p, size_t first, size_t count, double *top, struct error *e)
{
    double *level = malloc((count + 1) * sizeof *level);
    *top = -INFINITY;
    if (!level)
        fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; level && i < count; i++) {
        level[i] = level_of(p, p->spectrum.power[first + i]);
        *top = fmax(*top, level[i]);
    }
    if (!isfinite(*top))
        *top = 0.0;
    return level;
}

static const char *level_label(const struct plotted *p)
{
    return p->subject->recording.calibrated ? "dB re free field at 10 m" : "dB re maximum";
}

/* Hz: upper end of the frequency axes, a little beyond the valid band. */
static double highest(const struct plotted *p)
{
    const struct recording *r = &p->subject->recording;
    return fmin(0.5 * r->audio.rate, fmax(1.3 * r->valid_high, 4.0 * LOWEST));
}

static int smooth_curve(struct chart *c, const struct plotted *p, double low, double high, struct error *e)
{
    enum { POINTS = 300 };
    double x[POINTS], y[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = low * pow(high / low, (double)i / (POINTS - 1));
        y[i] = level_of(p, spectrum_smooth(&p->spectrum, x[i], 1.0 / 6.0));
    }
    return chart_curve(c, x, y, POINTS, DRAWING_SERIES + 1, 2.0, e);
}

int plot_response(FILE *stream, const struct plotted *p, const char *name, struct error *e)
{
    const double high = highest(p), step = p->spectrum.step;
    const size_t first = (size_t)ceil(LOWEST / step);
    const size_t last = (size_t)fmin(floor(high / step), (double)(p->spectrum.count - 1));
    const size_t count = last > first ? last - first : 0;
    double top, *y = levels(p, first, count, &top, e), *x = rising(count, (double)first * step, step, e);
    const struct chart_settings s = {.name = name,
                                     .x_label = "frequency, Hz",
                                     .y_label = level_label(p),
                                     .x_min = LOWEST,
                                     .x_max = high,
                                     .y_min = 5.0 * ceil(top / 5.0) - LEVEL_RANGE,
                                     .y_max = 5.0 * ceil(top / 5.0) + 5.0,
                                     .octaves = true,
                                     .height = HEIGHT};
    struct chart c = {0};
    int status = !x || !y || chart_open(&c, &s, e) ? -1 : 0;
    if (!status)
        status = chart_curve(&c, x, y, count, DRAWING_SERIES, 0.7, e) || smooth_curve(&c, p, LOWEST, high, e);
    if (!status && p->subject->recording.described)
        chart_mark(&c, p->subject->recording.valid_high, "valid up to here");
    if (!status)
        chart_mark(&c, crossover_of(p->subject), "waves | rays");
    if (!status && p->schroeder < 0.7 * p->subject->recording.valid_high)
        chart_mark(&c, p->schroeder, "Schroeder");
    free(x);
    free(y);
    return finish(&c, status ? -1 : 0, "Frequency response", stream, e);
}

static void mark_mode(struct chart *c, const struct mode *mode)
{
    static const int colours[] = {
        [MODE_AXIAL] = DRAWING_SERIES + 1, [MODE_TANGENTIAL] = DRAWING_SERIES + 3, [MODE_OBLIQUE] = DRAWING_SERIES + 5};
    static const double lengths[] = {[MODE_AXIAL] = 22.0, [MODE_TANGENTIAL] = 15.0, [MODE_OBLIQUE] = 8.0};
    const double at = chart_x(c, mode->frequency);
    drawing_move(c->drawing, at, c->bottom);
    drawing_line(c->drawing, at, c->bottom - lengths[mode->kind]);
    drawing_stroke(c->drawing, colours[mode->kind], 2.0);
}

/* Labels the axial modes with their indices as far as there is space. */
static void name_modes(struct chart *c, const struct mode *modes, size_t count)
{
    double free_from = c->left;
    for (size_t i = 0; i < count; i++) {
        char text[48];
        const double at = chart_x(c, modes[i].frequency);
        snprintf(text, sizeof text, "%d%s%d%s%d", modes[i].number[0], modes[i].number[0] > 9 ? "," : "",
                 modes[i].number[1], modes[i].number[1] > 9 ? "," : "", modes[i].number[2]);
        const double half = 0.5 * svg_text_width(text, 10.0);
        if (modes[i].kind != MODE_AXIAL || at - half < free_from || at + half > c->right + 6.0)
            continue;
        drawing_text(c->drawing, at, c->top - 3.0, 10.0, "middle", DRAWING_FAINT, text);
        drawing_move(c->drawing, at, c->top);
        drawing_line(c->drawing, at, c->bottom);
        drawing_stroke_dashed(c->drawing, DRAWING_GRID, 1.0);
        free_from = at + half + 3.0;
    }
}

int plot_modes(FILE *stream, const struct plotted *p, const struct mode *modes, size_t count, const char *name,
               struct error *e)
{
    const double step = p->spectrum.step, low = 0.6 * modes[0].frequency, high = 1.06 * modes[count - 1].frequency;
    const size_t first = (size_t)ceil(low / step);
    const size_t last = (size_t)fmin(floor(high / step), (double)(p->spectrum.count - 1));
    const size_t points = last > first ? last - first : 0;
    double top, *y = levels(p, first, points, &top, e), *x = rising(points, (double)first * step, step, e);
    const struct chart_settings s = {.name = name,
                                     .x_label = "frequency, Hz",
                                     .y_label = level_label(p),
                                     .x_min = low,
                                     .x_max = high,
                                     .y_min = 5.0 * ceil(top / 5.0) - 50.0,
                                     .y_max = 5.0 * ceil(top / 5.0) + 5.0,
                                     .height = HEIGHT};
    struct chart c = {0};
    int status = !x || !y || chart_open(&c, &s, e) ? -1 : 0;
    if (!status) {
        name_modes(&c, modes, count);
        status = chart_curve(&c, x, y, points, DRAWING_SERIES, 1.5, e);
        for (size_t i = 0; i < count; i++)
            mark_mode(&c, &modes[i]);
    }
    free(x);
    free(y);
    return finish(&c, status, "Frequency response with room modes", stream, e);
}

static void draw_scale(struct chart *c)
{
    enum { STEPS = 64 };
    uint32_t pixels[STEPS];
    for (int i = 0; i < STEPS; i++)
        pixels[i] = map_colour(1.0 - (i + 0.5) / STEPS);
    drawing_image(c->drawing, c->right + 10.0, c->top, 8.0, c->bottom - c->top, pixels, 1, STEPS);
    drawing_text(c->drawing, c->right + 22.0, c->top + 9.0, 11.0, "start", DRAWING_FAINT, "0 dB");
    drawing_text(c->drawing, c->right + 22.0, c->bottom, 11.0, "start", DRAWING_FAINT, "−60");
}

int plot_spectrogram(FILE *stream, const struct plotted *p, const char *name, struct error *e)
{
    enum { PICTURE_COLUMNS = 300, PICTURE_ROWS = 120, SHADES = 48 };
    const struct audio *a = &p->subject->recording.audio;
    const double high = highest(p);
    const struct chart_settings s = {.name = name,
                                     .x_label = "time, s",
                                     .y_label = "frequency, Hz",
                                     .x_max = (double)a->frames / a->rate,
                                     .y_max = high,
                                     .height = HEIGHT,
                                     .margin = 40.0};
    const struct spectrogram_settings levels = {
        .columns = PICTURE_COLUMNS, .rows = PICTURE_ROWS, .highest = high, .window = WINDOW};
    struct chart c = {0};
    double *level = malloc(PICTURE_COLUMNS * PICTURE_ROWS * sizeof *level);
    uint32_t *pixels = malloc(PICTURE_COLUMNS * PICTURE_ROWS * sizeof *pixels);
    int status = level && pixels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = spectrogram_make(level, &levels, p->samples, a->frames, a->rate, e) || chart_open(&c, &s, e);
    if (!status) {
        const double loudest = spectrogram_peak(level, PICTURE_COLUMNS * PICTURE_ROWS);
        for (size_t i = 0; i < PICTURE_COLUMNS * PICTURE_ROWS; i++) /* few shades keep the picture small */
            pixels[i] = map_colour(round(SHADES * (1.0 + (level[i] - loudest) / LEVEL_RANGE)) / SHADES);
        drawing_image(c.drawing, c.left, c.top, c.right - c.left, c.bottom - c.top, pixels, PICTURE_COLUMNS,
                      PICTURE_ROWS);
        draw_scale(&c);
    }
    free(level);
    free(pixels);
    return finish(&c, status ? -1 : 0, "Spectrogram", stream, e);
}
