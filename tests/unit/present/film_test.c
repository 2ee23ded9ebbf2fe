/* SPDX-License-Identifier: MIT */
/* Films and maps by their numbers: what a pixel shows is what the solver has there. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "io/drawing/colour_map.h"
#include "present/film/colours.h"
#include "present/film/encoder.h"
#include "present/film/film.h"
#include "present/film/map.h"
#include "render/drives.h"
#include "render/render.h"
#include "render/simulate.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h>

static struct random chance;
static const struct solver_options on_cpu = {.engine = "cpu"};

/* An L, with a source in one of its arms and a receiver in the other, which do not see each other. */
#define CORNER                                                                                                         \
    "room: { corners = ( [0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0] ); height = 1.0;\n"    \
    "  walls: { default = \"m\"; }; };\n"                                                                              \
    "hybrid: { full = false; }; time: { duration = 0.05; };\n"                                                         \
    "sources: ( { name = \"S\"; position = [2.5, 0.5, 0.5]; } );\n"                                                    \
    "receivers: ( { name = \"R\"; position = [0.5, 2.5, 0.5]; } );\n"                                                  \
    "materials: { m = { impedance = 8.0; }; };\n"
static const char seven[] = CORNER "grid: { rate = 9000.0; scheme = \"7-point\"; precision = \"double\"; };\n";
static const char nineteen[] =
    CORNER "grid: { max_frequency = 900.0; scheme = \"19-point\"; precision = \"single\"; };\n";

struct filmed {
    struct room *room;
    struct model *model;
    struct film_wish wish;
    struct film *film;
};

static void open_room(struct filmed *f, const char *text)
{
    char *path = temporary_file(text);
    struct error e = {0};
    memset(f, 0, sizeof *f);
    must(room_read(&f->room, path, NULL, 0, &e), &e);
    must(model_make(&f->model, f->room, &e), &e);
    remove(path);
    free(path);
    f->wish =
        (struct film_wish){.axis = 2, .at = 0.5, .count = 1, .sound = 0.016, .speed = 0.02, .rate = 25.0, .top = NAN};
    f->wish.columns = 300;
    f->wish.path = scratch_path("f.png");
}

static void plan(struct filmed *f)
{
    struct error e = {0};
    must(film_plan(&f->film, &f->wish, f->model, &e), &e);
}

static void close_room(struct filmed *f)
{
    film_free(f->film);
    model_free(f->model);
    room_free(f->room);
}

/* Frames as they come, all of them. */
struct kept {
    size_t taps, count;
    float *values; /* [count][taps] */
    double time[512];
};

static int keep_frame(void *context, const struct film_frame *frame, struct error *e)
{
    struct kept *k = context;
    (void)e;
    assert_int_equal(frame->index, k->count);
    assert_true(k->count < 512);
    k->values = realloc(k->values, (k->count + 1) * k->taps * sizeof *k->values);
    assert_non_null(k->values);
    memcpy(k->values + k->count * k->taps, frame->values, k->taps * sizeof *k->values);
    k->time[k->count++] = frame->time;
    return 0;
}

static struct kept run(const struct filmed *f)
{
    struct kept k = {.taps = slice_sampler(f->film)->tap_count};
    const struct film_show show = {keep_frame, &k};
    struct film_cost cost;
    struct error e = {0};
    must(film_run(&cost, film_running(f->film), slice_sampler(f->film), &on_cpu, NULL, &show, &e), &e);
    return k;
}

/* One point through all steps in one block: taps[steps]. */
static double *run_alone(const struct filmed *f, uint64_t point, size_t steps)
{
    const struct film_run *r = film_running(f->film);
    struct channel_entry entry = {.point = point, .weight = 1.0};
    const struct channel tap = {&entry, 1};
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver;
    struct error e = {0};
    must(model_problem(&problem, &leapfrog, f->model, 0, 1, &e), &e);
    struct problem watched = problem;
    watched.taps = &tap;
    watched.tap_count = 1;
    double *drive = calloc(problem.drive_count * steps, sizeof *drive), *taps = calloc(steps, sizeof *taps);
    must(drives_make(drive, f->model, 0, &r->excitations[0], r->onset, steps, true, &e), &e);
    must(solver_open(&solver, &watched, &on_cpu, &e), &e);
    const struct block b = {.drive = drive, .drive_stride = steps, .taps = taps, .tap_stride = steps};
    must(solver_run(solver, steps, &b, &e), &e);
    solver_close(solver);
    model_problem_free(&problem);
    free(drive);
    return taps;
}

/* The tap of a place of the plane. */
static uint32_t tap_at(const struct filmed *f, double x, double y)
{
    const struct slice_sampler *s = slice_sampler(f->film);
    const size_t column = (size_t)(x / 3.0 * (double)s->columns), row = (size_t)((3.0 - y) / 3.0 * (double)s->rows);
    assert_true(column < s->columns && row < s->rows);
    return s->nearest[row * s->columns + column];
}

static void check_behind_corner(const char *text)
{
    struct filmed f;
    open_room(&f, text);
    plan(&f);
    struct kept k = run(&f);
    const struct film_run *r = film_running(f.film);
    const uint32_t tap = tap_at(&f, 0.5, 2.5);
    assert_true(tap != SCREEN_NONE);
    double *alone = run_alone(&f, slice_sampler(f.film)->entries[tap].point, r->onset + r->frames * r->every + 1);
    const double c = f.model->grid.sound_speed, pulse = (double)(r->excitations[0].length / 2) / f.model->grid.rate;
    const double way = hypot(1.5, 0.5) + hypot(0.5, 1.5);        /* around the corner at (1, 1) */
    const double direct = film_run_peak(r) / (4.0 * M_PI * way); /* were there no corner */
    double early = 0.0, late = 0.0;
    assert_int_equal(k.count, film_frames(f.film));
    for (size_t i = 0; i < k.count; i++) {
        const double p = (double)k.values[i * k.taps + tap], t = k.time[i];
        assert_true(p == (double)(float)alone[r->onset + r->begin + i * r->every]); /* bit for bit */
        assert_true(fabs(t - (double)(r->begin + i * r->every) / f.model->grid.rate) <= 1e-12);
        double *most = t < way / c - pulse ? &early : &late;
        *most = fmax(*most, fabs(p));
    }
    print_message("of the direct sound so far away: %.2g before sound can come around the corner, %.2g after\n",
                  early / direct, late / direct);
    assert_true(early <= 1e-4 * direct); /* a grid lets a little run ahead */
    assert_true(late >= 0.1 * direct);
    free(alone);
    free(k.values);
    close_room(&f);
}

static void behind_a_corner_a_film_shows_what_the_solver_has_there(void **state)
{
    (void)state;
    check_behind_corner(seven);
    check_behind_corner(nineteen);
}

static void a_receiver_on_a_point_of_the_plane_hears_its_pixel(void **state)
{
    struct filmed f;
    struct simulation s;
    struct error e = {0};
    (void)state;
    open_room(&f, seven);
    const double *at = f.model->receivers[0].position;
    plan(&f);
    struct kept k = run(&f);
    const struct film_run *r = film_running(f.film);
    const struct length length = {.steps = r->onset + r->frames * r->every + 1, .seconds = 0.05};
    must(simulate(&s, f.model, 0, 1, r->excitations, r->onset, &length, &on_cpu, NULL, &e), &e);
    /* the receiver is between points: by its weights, all of which but those of other planes are in the film */
    const struct slice_sampler *sampler = slice_sampler(f.film);
    const struct channel *channel = &f.model->receivers[0].channel;
    double worst = 0.0, peak = 0.0;
    for (size_t i = 0; i < k.count; i++) {
        const double heard = s.traces.samples[r->onset + r->begin + i * r->every];
        double sum = 0.0, all = 0.0;
        for (size_t n = 0; n < channel->count; n++)
            for (size_t t = 0; t < sampler->tap_count; t++)
                if (sampler->entries[t].point == channel->entries[n].point) {
                    sum += channel->entries[n].weight * (double)k.values[i * k.taps + t];
                    all += channel->entries[n].weight;
                }
        peak = fmax(peak, fabs(heard));
        worst = fmax(worst, fabs(heard - sum / all));
    }
    print_message("receiver at (%g, %g, %g): %.2g of its peak away\n", at[0], at[1], at[2], worst / peak);
    assert_true(worst <= 0.15 * peak); /* the planes above and below are left out */
    traces_free(&s.traces);
    free(k.values);
    close_room(&f);
}

static double lightness(uint32_t colour) /* relative luminance, IEC 61966-2-1 */
{
    static const double share[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += share[i] * pow((double)(colour >> (16 - 8 * i) & 255u) / 255.0, 2.2);
    return sum;
}

static void colours_turn_back_into_values(void **state)
{
    (void)state;
    for (int diverging = 0; diverging < 2; diverging++) {
        struct film_colours c;
        const double low = diverging ? -0.03 : 20.0, high = diverging ? 0.03 : 70.0,
                     step = (high - low) / (FILM_COLOURS - 1);
        film_colours_make(&c, diverging, low, high);
        for (int i = 0; i < FILM_COLOURS; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(c.colour[i], c.colour[k]);
        for (int i = 0; i < 1000; i++) {
            const double value = random_uniform(&chance, low, high);
            assert_true(fabs(film_colour_value(&c, film_colour(&c, value)) - value) <= 0.5001 * step);
        }
        assert_true(film_colour_value(&c, film_colour(&c, 2.0 * high)) == high);
        assert_true(film_colour_value(&c, film_colour(&c, low - 5.0 * high)) == low);
        assert_true(isnan(film_colour_value(&c, 0x123456)));
    }
    assert_int_equal(diverging_colour(0.0), diverging_colour(NAN));
    assert_int_equal(diverging_colour(-1.0), 0x3b4cc0); /* Moreland's ends: 59, 76, 192 and 180, 4, 38 */
    assert_int_equal(diverging_colour(1.0), 0xb40426);
    assert_int_equal(diverging_colour(0.0), 0xdddddd);
    for (int i = 1; i <= 50; i++) /* lightness falls to both sides */
        for (int sign = -1; sign < 2; sign += 2)
            assert_true(lightness(diverging_colour(sign * i / 50.0)) <
                        lightness(diverging_colour(sign * (i - 1) / 50.0)));
}

/* A PNG as 0xRRGGBB, which the caller frees. */
static uint32_t *read_png(const char *path, size_t size[2])
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    uint8_t *bytes = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(bytes);
    assert_true(png_image_finish_read(&image, NULL, bytes, 0, NULL));
    size[0] = image.width;
    size[1] = image.height;
    uint32_t *pixels = malloc(size[0] * size[1] * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < size[0] * size[1]; i++)
        pixels[i] = (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    free(bytes);
    return pixels;
}

static void pixels_of_the_frames_are_the_field(void **state)
{
    struct filmed f;
    struct film_cost cost;
    struct error e = {0};
    size_t size[2], window[2], got[2], shown = 0, wrong = 0;
    (void)state;
    open_room(&f, seven);
    f.wish.top = 0.02;
    plan(&f);
    struct kept k = run(&f);
    const struct slice_sampler *s = slice_sampler(f.film);
    film_size(f.film, size, window);
    must(film_make(f.film, &cost, &on_cpu, NULL, &e), &e);
    for (size_t i = 0; i < k.count; i++) {
        char *name = film_frame_name(f.wish.path, i, k.count);
        uint32_t *pixels = read_png(name, got);
        assert_true(got[0] == size[0] && got[1] == size[1]);
        for (size_t at = 0; at < s->columns * s->rows; at++) {
            if (s->nearest[at] == SCREEN_NONE)
                continue;
            const size_t column = at % s->columns, row = at / s->columns;
            const uint32_t colour = pixels[(window[1] + row) * size[0] + window[0] + column];
            const double value = film_colour_value(film_scale(f.film), colour);
            const double field =
                fmin(0.02, fmax(-0.02, (double)slice_sampler_value(s, k.values + i * k.taps, column, row)));
            if (isnan(value))
                continue; /* an edge, a mark or a name over it */
            wrong += !(fabs(value - field) <= 0.5001 * 0.04 / (FILM_COLOURS - 1));
            shown++;
        }
        free(pixels);
        remove(name);
        free(name);
    }
    /* five ninths of the window are air; a little is under edges and marks */
    const double share = (double)shown / (double)(k.count * s->columns * s->rows);
    print_message("%.3f of the window decodes, %zu of %zu pixels wrong\n", share, wrong, shown);
    assert_true(wrong <= shown / 500); /* rims of marks and names may have a colour of the scale */
    assert_true(share > 0.42 && share < 5.0 / 9.0 + 0.01);
    struct stat none;
    char *beyond = film_frame_name(f.wish.path, k.count, k.count);
    assert_int_not_equal(stat(beyond, &none), 0);
    free(beyond);
    free(k.values);
    close_room(&f);
    assert_scratch_empty();
}

static void a_plane_shows_air_where_there_is_air(void **state)
{
    (void)state;
    for (int corners = 0; corners < 2; corners++) {
        struct filmed f;
        open_room(&f, corners ? nineteen : seven);
        plan(&f);
        const struct slice_sampler *s = slice_sampler(f.film);
        const double edge = 1.01 * f.model->grid.spacing;
        for (size_t at = 0; at < s->columns * s->rows; at++) {
            const double x = 3.0 * ((double)(at % s->columns) + 0.5) / (double)s->columns,
                         y = 3.0 * ((double)(s->rows - at / s->columns) - 0.5) / (double)s->rows;
            const double depth = 1.0 - fmin(x, y); /* > 0: in the L */
            if (fabs(depth) < edge || x < edge || y < edge || x > 3.0 - edge || y > 3.0 - edge)
                continue;
            assert_int_equal(s->nearest[at] != SCREEN_NONE, depth > 0.0);
        }
        close_room(&f);
    }
}

static void walls_show_the_air_before_them(void **state)
{
    (void)state;
    for (int corners = 0; corners < 2; corners++) {
        struct filmed f;
        open_room(&f, corners ? nineteen : seven);
        f.wish.walls = true;
        plan(&f);
        const struct slice_sampler *s = slice_sampler(f.film);
        const struct grid *g = &f.model->grid;
        size_t shown = 0;
        for (size_t at = 0; at < s->columns * s->rows; at++)
            shown += s->nearest[at] != SCREEN_NONE;
        assert_true(shown > s->columns * s->rows / 4);
        for (size_t i = 0; i < s->tap_count; i++) {
            const uint64_t point = s->entries[i].point;
            const size_t index[3] = {point % g->points[0], point / g->points[0] % g->points[1],
                                     point / g->points[0] / g->points[1]};
            int air = 0;
            if (corners) { /* some of the eight voxels around it are air, and some are not */
                for (size_t n = 0; n < 8; n++)
                    air += voxel_set_is_air(f.model->voxels.set, index[0] - (n & 1), index[1] - (n >> 1 & 1),
                                            index[2] - (n >> 2));
                assert_true(air > 0 && air < 8);
                continue;
            }
            assert_true(voxel_set_is_air(f.model->voxels.set, index[0], index[1], index[2]));
            for (int side = 0; side < FACES; side++)
                air += voxel_set_face(f.model->voxels.set, index[0], index[1], index[2], side) != NULL;
            assert_true(air > 0);
        }
        struct kept k = run(&f);
        double peak = 0.0;
        for (size_t i = 0; i < k.taps; i++)
            peak = fmax(peak, fabs((double)k.values[(k.count - 1) * k.taps + i]));
        assert_true(peak > 0.0);
        free(k.values);
        close_room(&f);
    }
}

/* The mean of a sine's square over many periods is half the square of its peak. */
static void levels_are_those_of_the_mean_square(void **state)
{
    struct filmed f;
    (void)state;
    open_room(&f, seven);
    f.wish.levels = true;
    plan(&f);
    struct kept k = run(&f);
    const struct film_run *r = film_running(f.film);
    const uint32_t tap = tap_at(&f, 1.5, 0.5);
    const size_t steps = r->onset + r->frames * r->every + 1;
    double *alone = run_alone(&f, slice_sampler(f.film)->entries[tap].point, steps), square = 0.0;
    const double keep = exp(-1.0 / (r->window * f.model->grid.rate));
    size_t frame = 0;
    for (size_t n = 0; n < steps && frame < k.count; n++) {
        square = keep * square + (1.0 - keep) * alone[n] * alone[n];
        if (n != r->onset + r->begin + frame * r->every)
            continue;
        const double level = 10.0 * log10(square / (20e-6 * 20e-6) + 1e-30);
        assert_true(fabs((double)k.values[frame * k.taps + tap] - level) <= 1e-4);
        frame++;
    }
    assert_int_equal(frame, k.count);
    free(alone);
    free(k.values);
    close_room(&f);
}

static void write_text(const char *path, const char *text)
{
    scratch_write(path, text, strlen(text));
}

static void assert_text(const char *path, const char *text)
{
    char *bytes;
    scratch_read(path, &bytes);
    assert_string_equal(bytes, text);
    free(bytes);
}

/* Its picture and its table change together, or stay. */
static void check_files_of_map(const struct map *map, const struct room *room)
{
    char *picture = text_copy(scratch_path("m.png")), *csv = text_copy(scratch_path("m.csv")),
         *nowhere = text_copy(scratch_path("none/m.csv")), *bytes;
    struct error e = {0};
    struct stat none;
    assert_true(picture && csv && nowhere);
    write_text(picture, "older");
    assert_int_not_equal(map_write(map, room, &(struct map_files){.picture = picture, .csv = nowhere}, &e), 0);
    assert_int_equal(e.code, ERROR_OUTPUT);
    assert_text(picture, "older");
    remove(picture);
    write_text(csv, "mine");
    const struct map_files kept = {.picture = picture, .csv = csv, .no_clobber = true};
    assert_int_not_equal(map_write(map, room, &kept, &e), 0);
    assert_int_equal(e.code, ERROR_OUTPUT);
    assert_text(csv, "mine");
    assert_int_not_equal(stat(picture, &none), 0);
    must(map_write(map, room, &(struct map_files){.picture = picture, .csv = csv}, &e), &e);
    scratch_read(csv, &bytes);
    assert_memory_equal(bytes, "x,y,z,band,", 11);
    free(bytes);
    assert_int_equal(stat(picture, &none), 0);
    remove(picture);
    remove(csv);
    free(picture);
    free(csv);
    free(nowhere);
}

/* Another program's file, which comes after the first steps. */
struct comer {
    const char *path;
    bool came;
};

static bool come(void *context, size_t done, size_t total, double speed)
{
    struct comer *c = context;
    (void)speed;
    if (!c->came) {
        assert_true(done < total / 4);
        write_text(c->path, "mine");
    }
    c->came = true;
    return true;
}

static void a_file_that_comes_during_a_film_is_kept_where_that_is_asked_for(void **state)
{
    static const struct {
        const char *film, *comes;
        size_t strip;
    } cases[] = {{"f.png", "f_0005.png", 0}, {"s.png", "s.png", 2}, {"f.gif", "f.gif", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct filmed f;
        struct film_cost cost;
        struct error e = {0};
        if (strstr(cases[i].film, ".gif") && film_gif.missing())
            continue;
        char *film = text_copy(scratch_path(cases[i].film)), *comes = text_copy(scratch_path(cases[i].comes));
        struct comer comer = {.path = comes};
        const struct watch watch = {.look = come, .context = &comer};
        assert_true(film && comes);
        open_room(&f, seven);
        f.wish.path = film;
        f.wish.strip = cases[i].strip;
        f.wish.no_clobber = true;
        plan(&f);
        assert_int_not_equal(film_make(f.film, &cost, &on_cpu, &watch, &e), 0);
        assert_int_equal(e.code, ERROR_OUTPUT);
        assert_true(comer.came);
        assert_text(comes, "mine");
        remove(comes);
        close_room(&f);
        for (size_t k = 0; k < 5 && !cases[i].strip; k++) { /* frames before it are complete, and stay */
            char *frame = film_frame_name(film, k, 9);
            remove(frame);
            free(frame);
        }
        assert_scratch_empty();
        free(film);
        free(comes);
    }
}

static void a_map_has_the_figures_of_receivers_there(void **state)
{
    static const char text[] =
        "room: { size = [2.0, 1.5, 1.2]; walls: { default = \"m\"; }; };\n"
        "hybrid: { full = false; }; grid: { max_frequency = 600.0; }; time: { duration = 0.4; };\n"
        "sources: ( { name = \"S\"; position = [0.4, 0.5, 0.6]; } );\n"
        "receivers: ( { position = [1.5, 0.375, 0.6]; }, { position = [0.5, 1.125, 0.6]; } );\n"
        "output: { rate = \"grid\"; };\n"
        "materials: { m = { impedance = 40.0; }; };\n";
    struct filmed f;
    struct map map = {0};
    struct rendering r;
    struct error e = {0};
    (void)state;
    open_room(&f, text);
    const struct map_wish w = {.axis = 2, .at = 0.6, .spacing = 1.0};
    must(map_make(&map, &w, f.room, &on_cpu, NULL, &e), &e);
    assert_int_equal(map.place_count, 4); /* 2 x 2: rint(1.5) is 2 */
    must(render_sources(&r, f.model, 0, 1, &on_cpu, NULL, &e), &e);
    for (size_t c = 0; c < 2; c++) {
        struct metrics m;
        const struct metrics_settings s = {.valid_low = RESPONSE_HIGH_PASS,
                                           .valid_high = map.valid_high,
                                           .calibrated = true,
                                           .scale = 1.0,
                                           .noiseless = true,
                                           .delay = r.response.band.delay[0]};
        must(
            metrics_measure(&m, r.response.samples + c * r.response.frames, r.response.frames, r.response.rate, &s, &e),
            &e);
        const size_t place = c ? 2 : 1;
        for (int i = 0; i < 3; i++)
            assert_true(fabs(map.places[place][i] - f.room->receivers[c].position[i]) <= 1e-12);
        for (size_t b = 0; b < METRICS_OCTAVES; b++) {
            const struct metrics_band *mine = &map.metrics[place].band[b], *his = &m.band[b];
            assert_int_equal(mine->validity, his->validity);
            assert_true(isnan(his->c80) ? isnan(mine->c80) : fabs(mine->c80 - his->c80) <= 1e-6);
            assert_true(isnan(his->g) ? isnan(mine->g) : fabs(mine->g - his->g) <= 1e-6);
            assert_true(isnan(his->t30.time) ? isnan(mine->t30.time) : fabs(mine->t30.time - his->t30.time) <= 1e-6);
        }
        assert_true(isfinite(m.band[map.band].g));
    }
    check_files_of_map(&map, f.room);
    rendering_free(&r);
    map_free(&map);
    close_room(&f);
    assert_scratch_empty();
}

int main(void)
{
    chance = random_cases("film");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_a_corner_a_film_shows_what_the_solver_has_there),
        cmocka_unit_test(a_receiver_on_a_point_of_the_plane_hears_its_pixel),
        cmocka_unit_test(colours_turn_back_into_values),
        cmocka_unit_test_teardown(pixels_of_the_frames_are_the_field, scratch_empty),
        cmocka_unit_test(a_plane_shows_air_where_there_is_air),
        cmocka_unit_test(walls_show_the_air_before_them),
        cmocka_unit_test(levels_are_those_of_the_mean_square),
        cmocka_unit_test_teardown(a_file_that_comes_during_a_film_is_kept_where_that_is_asked_for, scratch_empty),
        cmocka_unit_test_teardown(a_map_has_the_figures_of_receivers_there, scratch_empty),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
