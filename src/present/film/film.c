/* SPDX-License-Identifier: MIT */
#include "present/film/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/drawing/drawing.h"
#include "present/film/canvas.h"
#include "present/film/encoder.h"
#include "solver/schemes/isotropic19/isotropic19.h"

enum { FRAMES_MAX = 100000, NOTES = 7, NOTE = 96, PALETTE = FILM_COLOURS + DRAWING_COLOURS };
static const double RATE = 25.0, RATE_GIF = 12.5, RATE_MOST = 240.0, SPAN = 50.0, REFERENCE = 20e-6;
static const double EDGE_LEAST = 1.0 /* Hz */, STEPS_MOST = 1e9;
static const size_t WIDTH_GIF = 640;

struct film {
    const struct model *m;
    struct film_wish wish;
    struct film_run run;
    struct slice_sampler sampler;
    struct canvas canvas;
    struct film_colours colours;
    const struct film_encoder *encoder; /* NULL: a strip, which is a single PNG */
    void *state;                        /* the encoder's */
    uint32_t palette[PALETTE];
    char *texts[1 + PAPER_LINES_MAX];
    char note_text[NOTES][NOTE];
    struct png_note notes[NOTES];
};

static double longest_side(const struct film_view *v)
{
    return fmax(v->size[0], fmax(v->size[1], v->size[2]));
}

static bool is_gif(const struct film *f)
{
    return f->encoder == &film_gif;
}

/* Hz: frequency limit of the raw field. Responses of a mapped grid reach further, but films show the field itself. */
static double valid_frequency(const struct model *m)
{
    const struct grid *g = &m->grid;
    return g->mapped ? fmin(g->valid_frequency, g->rate * isotropic19_valid_frequency(m->room->output.dispersion))
                     : g->valid_frequency;
}

/* Rounds to 1, 2, 3 or 5 times a power of ten. */
static double rounded(double value)
{
    const double power = pow(10.0, floor(log10(value)));
    const double share = value / power;
    return power * (share < 1.5 ? 1.0 : share < 2.5 ? 2.0 : share < 4.0 ? 3.0 : share < 7.5 ? 5.0 : 10.0);
}

static int view_of(struct film_view *v, const struct film_wish *w, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    *v = (struct film_view){.walls = w->walls, .across = w->axis == 0 ? 1 : 0, .up = w->axis == 2 ? 1 : 2, .at = w->at};
    for (int i = 0; i < 3; i++) {
        v->size[i] = room->sized_by_points ? m->grid.size[i] : room->size[i];
        v->lower[i] = room->lower[i];
    }
    if (w->walls)
        return slice_sampler_find_walls(v, m, e);
    if (isnan(v->at))
        v->at = room->sources[w->first].position[w->axis];
    const double low = v->lower[w->axis], high = low + v->size[w->axis];
    if (!(v->at >= low && v->at <= high))
        return fail(e, ERROR_USAGE, "--plane %c=%g: outside the room, which spans %c from %g to %g m", 'x' + w->axis,
                    v->at, 'x' + w->axis, low, high);
    return 0;
}

/* Sets the steps between frames and the number of frames, then the speed and duration that whole steps allow. */
static int plan_times(struct film *f, const struct film_view *v, struct error *e)
{
    struct film_wish *w = &f->wish;
    const struct model *m = f->m;
    const double diagonal = hypot(v->size[0], hypot(v->size[1], v->size[2]));
    if (!(w->rate > 0.0))
        w->rate = is_gif(f) ? RATE_GIF : RATE;
    if (!(w->rate <= RATE_MOST))
        return fail(e, ERROR_USAGE, "--fps %g: at most %g frames per second are supported; use a lower rate", w->rate,
                    RATE_MOST);
    if (!(w->sound > 0.0))
        w->sound = FILM_CROSSINGS * diagonal / m->grid.sound_speed;
    if (!(w->speed > 0.0))
        w->speed = w->sound / (is_gif(f) ? FILM_SECONDS_GIF : FILM_SECONDS);
    const double step = w->strip ? w->sound / (double)w->strip : w->speed / w->rate;
    const double steps = fmax(1.0, rint(step * m->grid.rate)), frames = floor(w->sound * m->grid.rate / steps + 1e-6);
    if (!(steps * (frames + 1.0) <= STEPS_MOST))
        return fail(e, ERROR_USAGE, "--ms %g: %.3g time steps exceed the limit of %g; use a shorter duration",
                    1e3 * w->sound, steps * (frames + 1.0), STEPS_MOST);
    if (!w->strip && !(frames + 1.0 <= FRAMES_MAX))
        return fail(e, ERROR_USAGE, "--speed %g: %.0f frames exceed the limit of %d; shorten --ms or raise --speed",
                    1e3 * w->speed, frames + 1.0, FRAMES_MAX);
    f->run.every = (size_t)steps;
    f->run.begin = w->strip ? f->run.every : 0;
    f->run.frames = w->strip ? w->strip : 1 + (size_t)frames;
    w->speed = steps * w->rate / m->grid.rate;
    w->sound = steps * (double)(w->strip ? w->strip : f->run.frames - 1) / m->grid.rate;
    return 0;
}

/* By default the strongest colour is the peak of the direct sound at a quarter of the longest side, at least 1 m. */
static void plan_colours(struct film *f, const struct film_view *v)
{
    struct film_wish *w = &f->wish;
    const double pressure = film_run_peak(&f->run) / (4.0 * M_PI * fmax(1.0, longest_side(v) / 4.0));
    if (isnan(w->top))
        w->top = w->levels ? 5.0 * ceil(4.0 * log10(pressure / REFERENCE)) : rounded(pressure);
    if (!(w->span > 0.0))
        w->span = SPAN;
    film_colours_make(&f->colours, !w->levels, w->levels ? w->top - w->span : -w->top, w->top);
    f->run.window = w->levels ? 1.0 / w->edge : 0.0;
    memcpy(f->palette, f->colours.colour, sizeof f->colours.colour);
    for (int i = 0; i < DRAWING_COLOURS; i++)
        f->palette[FILM_COLOURS + i] = drawing_light(i);
}

/* "A: Ricker pulse up to 1500 Hz", or a reference to the signal of the room file. */
static char *signal_text(const struct film *f)
{
    const struct room *room = f->m->room;
    bool pulse = true;
    for (size_t i = 0; i < f->run.count; i++)
        pulse = pulse && room->sources[f->run.first + i].signal == SIGNAL_IMPULSE;
    const char *name = f->run.count > 1 ? "all sources" : room->sources[f->run.first].name;
    return pulse ? text_format("%s: Ricker pulse up to %.0f Hz", name, f->wish.edge)
                 : text_format("%s: signal from the room file", name);
}

static int write_texts(struct film *f, struct error *e)
{
    const struct film_wish *w = &f->wish;
    const struct grid *g = &f->m->grid;
    char *stem = path_stem(f->m->room->path), *signal = signal_text(f);
    const char *what = w->levels ? "level" : "pressure";
    if (stem && signal) {
        f->texts[0] = w->walls ? text_format("%s: %s on the walls", stem, what)
                               : text_format("%s: %s at %c = %.4g m", stem, what, 'x' + w->axis, f->sampler.at);
        f->texts[1] = text_format("%s; grid spacing %.3g mm, valid up to %.0f Hz", signal, 1e3 * g->spacing,
                                  valid_frequency(f->m));
        char *pace = w->strip ? text_copy("") : text_format("%.3g ms of sound per second", 1e3 * w->speed);
        char *mean = w->levels ? text_format("%smean-square level, time constant %.2g ms, re 20 uPa",
                                             w->strip ? "" : "; ", 1e3 * f->run.window)
                               : text_copy("");
        f->texts[2] = pace && mean ? text_format("%s%s", pace, mean) : NULL;
        free(pace);
        free(mean);
    }
    free(stem);
    free(signal);
    for (size_t i = 0; i < 1 + PAPER_LINES_MAX; i++)
        if (!f->texts[i])
            return fail(e, ERROR_MEMORY, "out of memory");
    f->canvas.title = f->texts[0];
    for (size_t i = 0; i < PAPER_LINES_MAX; i++)
        f->canvas.lines[i] = f->texts[i + 1];
    f->canvas.colours = &f->colours;
    f->canvas.unit = w->levels ? "dB" : "Pa";
    return 0;
}

static void note(struct film *f, size_t i, const char *key, const char *format, double value)
{
    snprintf(f->note_text[i], NOTE, format, value);
    f->notes[i] = (struct png_note){key, f->note_text[i]};
}

/* PNG text chunks that let a reader convert colours back to values. */
static void write_notes(struct film *f)
{
    note(f, 0, "low", "%.9g", f->colours.low);
    note(f, 1, "high", "%.9g", f->colours.high);
    note(f, 2, f->wish.levels ? "levels" : "pressure", f->wish.levels ? "dB re %.0f uPa" : "Pa", 20.0);
    note(f, 3, f->wish.walls ? "walls" : "plane", "%.9g", f->wish.walls ? 1.0 : f->sampler.at);
    note(f, 4, "step", "%.9g", 1.0 / f->m->grid.rate);
    note(f, 5, "window_left", "%.0f", f->canvas.window[0].x);
    note(f, 6, "window_top", "%.0f", f->canvas.window[0].y);
}

/* Panels per row of a strip: fewer for wide views. */
static size_t panels_across(const struct film_wish *w, const struct film_view *v)
{
    const double wide =
        w->walls ? 4.0 / 3.0 * (v->box[2] - v->box[0]) / (v->box[3] - v->box[1]) : v->size[v->across] / v->size[v->up];
    if (w->strip < 3)
        return wide > 2.0 ? 1 : w->strip;
    return wide > 3.0 ? 1 : wide > 0.8 ? 2 : w->strip < 5 ? w->strip : 4;
}

static int lay_out(struct film *f, const struct film_view *v, struct error *e)
{
    const struct film_wish *w = &f->wish;
    const size_t windows = w->strip ? w->strip : 1;
    const size_t width = w->columns ? w->columns : is_gif(f) ? WIDTH_GIF : 0;
    return canvas_lay_out(&f->canvas, v, windows, w->strip ? panels_across(w, v) : 1, false, width, w->rows, e);
}

static int plan(struct film *f, struct error *e)
{
    struct film_wish *w = &f->wish;
    const struct model *m = f->m;
    struct film_view view;
    const double valid = valid_frequency(m);
    if (!(w->edge > 0.0))
        w->edge = valid;
    if (w->edge < EDGE_LEAST)
        return fail(e, ERROR_USAGE, "--pulse %g: the pulse would last %.2g s; use at least %g Hz", w->edge,
                    6.5 / w->edge, EDGE_LEAST);
    if (w->edge > 1.0001 * valid) {
        const bool by_frequency = m->room->grid.max_frequency > 0.0;
        const double asked = by_frequency ? m->room->grid.max_frequency : m->grid.rate;
        return fail(e, ERROR_USAGE,
                    "--pulse %g: the grid is valid up to %.0f Hz only; use a lower frequency or --set grid.%s=%.0f",
                    w->edge, floor(valid), by_frequency ? "max_frequency" : "rate", ceil(asked * w->edge / valid));
    }
    if (view_of(&view, w, m, e) || film_run_excite(&f->run, w->edge, e) || plan_times(f, &view, e))
        return -1;
    plan_colours(f, &view);
    if (lay_out(f, &view, e) || slice_sampler_make(&f->sampler, m, &f->canvas.view, e) || write_texts(f, e) ||
        canvas_draw(&f->canvas, m, &f->sampler, e))
        return -1;
    write_notes(f);
    return 0;
}

int film_plan(struct film **out, struct film_wish *w, const struct model *m, struct error *e)
{
    struct film *f = *out = calloc(1, sizeof *f);
    if (!f)
        return fail(e, ERROR_MEMORY, "out of memory");
    f->m = m;
    f->wish = *w;
    f->run = (struct film_run){.model = m, .first = w->first, .count = w->count};
    if ((!w->strip && film_encoder_find(&f->encoder, w->path, e)) || plan(f, e)) {
        film_free(f);
        *out = NULL;
        return -1;
    }
    *w = f->wish;
    return 0;
}

void film_free(struct film *f)
{
    if (!f)
        return;
    if (f->encoder && f->state)
        f->encoder->close(f->state);
    film_run_free(&f->run);
    slice_sampler_free(&f->sampler);
    canvas_free(&f->canvas);
    for (size_t i = 0; i < 1 + PAPER_LINES_MAX; i++)
        free(f->texts[i]);
    free(f);
}

size_t film_frames(const struct film *f)
{
    return f->run.frames;
}

const struct slice_sampler *slice_sampler(const struct film *f)
{
    return &f->sampler;
}

const struct film_run *film_running(const struct film *f)
{
    return &f->run;
}

const struct film_colours *film_scale(const struct film *f)
{
    return &f->colours;
}

void film_size(const struct film *f, size_t size[2], size_t window[2])
{
    size[0] = f->canvas.columns;
    size[1] = f->canvas.rows;
    window[0] = (size_t)f->canvas.window[0].x;
    window[1] = (size_t)f->canvas.window[0].y;
}

static int show(void *context, const struct film_frame *frame, struct error *e)
{
    struct film *f = context;
    const size_t window = f->wish.strip ? frame->index : 0;
    char text[32];
    snprintf(text, sizeof text, "%.1f ms", 1e3 * frame->time);
    if (!window)
        canvas_begin(&f->canvas);
    canvas_show(&f->canvas, window, &f->sampler, &f->colours, frame->values);
    if (stop_check(e) || canvas_write(&f->canvas, window, text, e))
        return -1;
    if (window + 1 < f->wish.strip)
        return 0;
    canvas_lay_over(&f->canvas);
    if (stop_check(e))
        return -1;
    return f->encoder ? f->encoder->frame(f->state, f->canvas.picture, frame->time, e)
                      : png_colours(f->wish.path, f->wish.no_clobber, f->canvas.picture, f->canvas.columns,
                                    f->canvas.rows, f->notes, NOTES, e);
}

int film_make(struct film *f, struct film_cost *cost, const struct solver_options *choice, const struct watch *watch,
              struct error *e)
{
    const struct film_format format = {.path = f->wish.path,
                                       .no_clobber = f->wish.no_clobber,
                                       .columns = f->canvas.columns,
                                       .rows = f->canvas.rows,
                                       .frames = f->run.frames,
                                       .rate = f->wish.rate,
                                       .palette = f->palette,
                                       .palette_count = PALETTE,
                                       .notes = f->notes,
                                       .note_count = NOTES};
    const struct film_show shown = {show, f};
    if (f->encoder && f->encoder->open(&f->state, &format, e))
        return -1;
    if (film_run(cost, &f->run, &f->sampler, choice, watch, &shown, e))
        return -1;
    return f->encoder ? f->encoder->commit(f->state, e) : 0;
}
