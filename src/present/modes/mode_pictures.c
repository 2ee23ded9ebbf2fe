/* SPDX-License-Identifier: MIT */
#include "present/modes/mode_pictures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/output_set.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/band_filter.h"
#include "io/drawing/png_colours.h"
#include "present/film/canvas.h"
#include "present/film/run.h"
#include "present/modes/mode_sums.h"
#include "render/drives.h"

static const double EARS = 1.2;                    /* m above the floor */
static const double SHORTEST = 0.6, LONGEST = 1.5; /* s of the run */
static const double STOP = 1.3;                    /* of the low-pass, over the highest frequency */
static const double FRAME_RATE = 4.0;              /* frames a second, over the highest frequency */

struct album {
    const struct room_modes *modes;
    struct film_view view;
    struct canvas canvas;
    struct slice_sampler sampler;
    struct film_run run;
    struct low_pass pass;
    struct excitation excitation;
    struct mode_sums sums;
    struct film_colours colours;
    float *values; /* [tap_count] */
};

static int place_plane(struct album *a, const struct mode_pictures_wish *w, struct error *e)
{
    const struct room *room = &a->modes->grid_room;
    const double *lower = room->lower, *size = room->size;
    double at = w->at;
    if (isnan(at))
        at = lower[w->axis] + (w->axis == 2 ? fmin(EARS, 0.5 * size[2]) : 0.5 * size[w->axis]);
    if (!(at >= lower[w->axis] && at <= lower[w->axis] + size[w->axis]))
        return fail(e, ERROR_USAGE, "--plane %c=%g: outside the room, which spans %c from %g to %g m", 'x' + w->axis,
                    at, 'x' + w->axis, lower[w->axis], lower[w->axis] + size[w->axis]);
    a->view = (struct film_view){.across = w->axis == 0 ? 1 : 0, .up = w->axis == 2 ? 1 : 2, .at = at};
    memcpy(a->view.lower, lower, sizeof a->view.lower);
    memcpy(a->view.size, size, sizeof a->view.size);
    return canvas_lay_out(&a->canvas, &a->view, 1, 1, true, 0, 0, e) ||
                   slice_sampler_make(&a->sampler, a->modes->run, &a->canvas.view, e)
               ? -1
               : 0;
}

/* A low-passed impulse, so that a few frames of each period hold all of the field. */
static int plan_run(struct album *a, struct error *e)
{
    const struct room_modes *r = a->modes;
    const double rate = r->run->grid.rate;
    double longest = SHORTEST;
    for (size_t i = 0; i < r->count; i++)
        longest = fmin(LONGEST, fmax(longest, r->modes[i].t60));
    const size_t every = (size_t)fmax(1.0, floor(rate / (FRAME_RATE * r->to)));
    const double top = r->to / rate, stop = STOP * top;
    if (low_pass_between(&a->pass, top, stop, e))
        return -1;
    a->excitation = (struct excitation){.samples = a->pass.taps,
                                        .length = 2 * a->pass.half + 1,
                                        .onset = a->pass.half,
                                        .is_response = true,
                                        .gain = 1.0};
    a->run = (struct film_run){.model = r->run,
                               .count = 1,
                               .excitations = &a->excitation,
                               .onset = a->pass.half + drives_lead(r->run, 0, 1),
                               .every = every,
                               .begin = a->pass.half + 1,
                               .frames = 1 + (size_t)(longest * rate / (double)every)};
    return 0;
}

static int take_frame(void *context, const struct film_frame *frame, struct error *e)
{
    struct album *a = context;
    (void)e;
    mode_sums_add(&a->sums, frame->values);
    return 0;
}

static int follow(struct album *a, const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    const struct room_modes *r = a->modes;
    struct film_cost cost;
    const struct film_show show = {take_frame, a};
    double complex *exponents = malloc((r->count + 1) * sizeof *exponents);
    if (!exponents)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r->count; i++)
        exponents[i] = (double)a->run.every * r->modes[i].exponent;
    const int status = mode_sums_make(&a->sums, exponents, r->count, a->sampler.tap_count, a->run.frames, e) ||
                       film_run(&cost, &a->run, &a->sampler, choice, watch, &show, e) || mode_sums_solve(&a->sums, e);
    free(exponents);
    return status ? -1 : 0;
}

/* |p| over the largest. */
static void take_values(struct album *a, size_t mode)
{
    const double complex *sums = a->sums.sums + mode * a->sums.points;
    double largest = 0.0;
    for (size_t i = 0; i < a->sums.points; i++)
        largest = fmax(largest, cabs(sums[i]));
    for (size_t i = 0; i < a->sums.points; i++)
        a->values[i] = largest > 0.0 ? (float)(cabs(sums[i]) / largest) : 0.0F;
}

static char *title_of(const struct album *a, size_t mode)
{
    const struct room_mode *m = &a->modes->modes[mode];
    char *stem = path_stem(a->modes->grid_room.path), *title = NULL;
    if (stem && m->has_order)
        title = text_format("%s: mode %zu (%d,%d,%d), %.2f Hz, T60 %.3g s", stem, mode + 1, m->order[0], m->order[1],
                            m->order[2], m->frequency, m->t60);
    else if (stem)
        title = text_format("%s: mode %zu, %.2f Hz, T60 %.3g s", stem, mode + 1, m->frequency, m->t60);
    free(stem);
    return title;
}

static int draw(struct album *a, size_t mode, struct output_set *set, const char *folder, struct error *e)
{
    const struct room_mode *m = &a->modes->modes[mode];
    char *path = text_format("%s/mode_%02zu_%.1fHz.png", folder, mode + 1, m->frequency), *title = title_of(a, mode);
    char *line = text_format("|p| over its maximum on the plane %c = %.4g m%s", "xyz"[3 - a->view.across - a->view.up],
                             a -> view.at, m->resolved ? "" : "; not resolved");
    struct output_file *file = NULL;
    int status = path && title && line ? stop_check(e) : fail(e, ERROR_MEMORY, "out of memory");
    a->canvas.title = title;
    a->canvas.lines[0] = line;
    a->canvas.window[0].colours = &a->colours;
    a->canvas.window[0].unit = "";
    free(a->canvas.overlay);
    free(a->canvas.picture);
    a->canvas.overlay = a->canvas.picture = NULL;
    if (!status)
        status = canvas_draw(&a->canvas, a->modes->model, &a->sampler, e);
    if (!status) {
        take_values(a, mode);
        canvas_begin(&a->canvas);
        canvas_show(&a->canvas, 0, &a->sampler, &a->colours, a->values);
        canvas_lay_over(&a->canvas);
        file = output_set_add(set, path, e);
        status = file ? png_colours_put(file, a->canvas.picture, a->canvas.columns, a->canvas.rows, NULL, 0, e) : -1;
    }
    free(path);
    free(title);
    free(line);
    return status;
}

static int draw_all(size_t *drawn, struct album *a, const struct mode_pictures_wish *w, struct error *e)
{
    struct output_set set = {.no_clobber = w->no_clobber};
    const size_t count = a->modes->count < MODE_PICTURES_MAX ? a->modes->count : MODE_PICTURES_MAX;
    int status = 0;
    film_colours_make(&a->colours, false, 0.0, 1.0);
    a->values = malloc((a->sampler.tap_count + 1) * sizeof *a->values);
    if (!a->values)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (mkdir(w->folder, 0777) && errno != EEXIST)
        return errno == ENOENT
                   ? fail(e, ERROR_OUTPUT, "--plot %s: its parent folder does not exist; create it (mkdir -p %s)",
                          w->folder, w->folder)
                   : fail(e, ERROR_OUTPUT, "--plot %s: cannot make the folder: %s", w->folder, strerror(errno));
    for (size_t i = 0; i < count && !status; i++)
        status = draw(a, i, &set, w->folder, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    *drawn = count;
    return status;
}

int mode_pictures(size_t *drawn, const struct room_modes *r, const struct mode_pictures_wish *w,
                  const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    struct album a = {.modes = r};
    *drawn = 0;
    if (!r->count)
        return 0;
    const int status =
        place_plane(&a, w, e) || plan_run(&a, e) || follow(&a, choice, watch, e) || draw_all(drawn, &a, w, e);
    free(a.values);
    mode_sums_free(&a.sums);
    low_pass_free(&a.pass);
    slice_sampler_free(&a.sampler);
    canvas_free(&a.canvas);
    return status ? -1 : 0;
}
