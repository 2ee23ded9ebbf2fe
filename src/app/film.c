/* SPDX-License-Identifier: MIT */
/* aula film: makes a film of the sound field in a room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/picture.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/source.h"
#include "base/file.h"
#include "base/text.h"
#include "present/film/encoder.h"
#include "present/film/film.h"
#include "present/film/plane.h"

struct film_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    const char *source, *plane, *size;
    bool together, walls, levels;
    double milliseconds;
    double speed; /* ms of sound per second of film */
    double fps;
    double top, span; /* Pa or dB; dB; top NaN: automatic */
    double pulse;     /* Hz */
    int strip;        /* pictures in one PNG; 0: a film */
};

/* Checks name, kind and size of the film before any work. */
static int check_options(struct film_wish *w, const struct film_options *o, struct error *e)
{
    const struct film_encoder *encoder;
    size_t size[2] = {0, 0};
    *w = (struct film_wish){.walls = o->walls,
                            .axis = 2,
                            .at = NAN,
                            .sound = 1e-3 * o->milliseconds,
                            .speed = 1e-3 * o->speed,
                            .rate = o->fps,
                            .levels = o->levels,
                            .top = o->top,
                            .span = o->span,
                            .edge = o->pulse,
                            .strip = (size_t)o->strip,
                            .no_clobber = o->output.no_clobber};
    if (o->walls && o->plane)
        return fail(e, ERROR_USAGE, "--walls and --plane exclude each other; remove one of them");
    if (o->strip > FILM_STRIP_MAX)
        return fail(e, ERROR_USAGE, "--frames %d: at most %d pictures are supported; use fewer", o->strip,
                    FILM_STRIP_MAX);
    if (o->strip && (o->fps > 0.0 || o->speed > 0.0))
        return fail(e, ERROR_USAGE, "--frames: the pictures are spaced evenly over --ms; remove --fps and --speed");
    if ((o->plane && plane_parse(&w->axis, &w->at, o->plane, e)) || (o->size && picture_size_parse(size, o->size, e)))
        return -1;
    if (o->span > 0.0 && !o->levels)
        return fail(e, ERROR_USAGE, "--dynamic-range: applies only to levels; add --levels");
    w->columns = size[0];
    w->rows = size[1];
    if (o->output.path && !strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o -: a film cannot go to standard output; use -o FILM.webm");
    return o->output.path && !o->strip ? film_encoder_find(&encoder, o->output.path, e) : 0;
}

/* Whether the film is written as one PNG per frame. */
static bool is_of_frames(const char *path, const struct film_wish *w)
{
    const char *suffix = strrchr(path, '.');
    return !w->strip && suffix && !strcasecmp(suffix, film_png.suffix);
}

/* Without -o, a film is named ROOM.webm and a strip ROOM.png. */
static int name_output(char **path, const struct room *room, const struct film_wish *w, const struct film_options *o,
                       struct error *e)
{
    char given[QUOTED];
    char *stem = path_stem(room->path);
    *path = !stem            ? NULL
            : o->output.path ? text_copy(o->output.path)
                             : text_format("%s.%s", stem, w->strip ? "png" : "webm");
    free(stem);
    if (!*path)
        return fail(e, ERROR_MEMORY, "out of memory");
    const char *suffix = strrchr(*path, '.');
    if (w->strip && (!suffix || strcasecmp(suffix, film_png.suffix) != 0))
        return fail(e, ERROR_USAGE, "-o %s: --frames writes a PNG; use a name that ends in .png", quoted(given, *path));
    const bool of_frames = is_of_frames(*path, w); /* film_plan finds their number later */
    char *first = of_frames ? film_frame_name(*path, 0, 0) : text_copy(*path);
    const char *checked = first;
    const int status = first ? picture_names_check(room, &checked, 1, o->output.no_clobber && !of_frames, e)
                             : fail(e, ERROR_MEMORY, "out of memory");
    free(first);
    return status;
}

static int choose_sources(struct film_wish *w, const struct room *room, const struct film_options *o, struct error *e)
{
    if (!room->source_count)
        return fail(e, ERROR_INPUT, "%s: the room has no source, so there is no sound to show; add `sources`",
                    room->path);
    if (o->together && o->source)
        return fail(e, ERROR_USAGE, "--all-sources and --source exclude each other; remove one of them");
    w->count = o->together ? room->source_count : 1;
    return o->source ? find_source(room, o->source, &w->first, e) : 0;
}

/* A film shows the field on the grid itself, which no frequency map corrects, hence PURPOSE_TOGETHER. */
static int make_model(struct model **m, const struct room *room, const struct film_wish *w, struct error *e)
{
    const struct grid_use use = {.purpose = PURPOSE_TOGETHER, .first = w->first, .count = w->count};
    return model_make_for(m, room, &use, e);
}

static void describe(const struct film_wish *w, const struct film *f, const struct film_options *o)
{
    size_t size[2], window[2];
    film_size(f, size, window);
    if (w->strip)
        say(o->common.quiet, "%s: %zu pictures %.4g ms apart, %zu x %zu pixels, %zu grid points", w->path, w->strip,
            1e3 * w->sound / (double)w->strip, size[0], size[1], slice_sampler(f)->tap_count);
    else
        say(o->common.quiet,
            "%s: %zu frames at %g per second, %zu x %zu pixels, %zu grid points; %.4g ms of sound, %.4g ms per "
            "second of film",
            w->path, film_frames(f), w->rate, size[0], size[1], slice_sampler(f)->tap_count, 1e3 * w->sound,
            1e3 * w->speed);
}

static int film_room(const struct film_options *o, struct film_wish *w, const struct model *m, struct error *e)
{
    struct film *f;
    struct film_cost cost;
    struct progress progress;
    char took[32];
    const struct watch watch = {.look = progress_look, .context = &progress};
    if (film_plan(&f, w, m, e))
        return -1;
    if (is_of_frames(w->path, w) && frame_names_check(m->room, w->path, film_frames(f), o->output.no_clobber, e)) {
        film_free(f);
        return -1;
    }
    setup_watch_stop();
    describe(w, f, o);
    progress_start(&progress, w->path, o->common.quiet);
    const int status = film_make(f, &cost, &o->choice, &watch, e);
    progress_end(&progress);
    if (!status)
        say_more(&o->common, "%zu steps in %s by %s/%s", cost.steps, say_duration(took, cost.seconds), cost.engine,
                 cost.kernel);
    film_free(f);
    return status;
}

static int film(void *options, struct error *e)
{
    const struct film_options *o = options;
    struct film_wish wish;
    struct room *room = NULL;
    struct model *model = NULL;
    char *path = NULL;
    if (check_options(&wish, o, e))
        return -1;
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = read_named_room(&room, &o->common, NULL, e) || choose_sources(&wish, room, o, e) ||
                 name_output(&path, room, &wish, o, e) || setup_start_engine(&o->choice) ||
                 make_model(&model, room, &wish, e);
    wish.path = path;
    if (!status) {
        if (!o->common.quiet)
            say_lines("note", model->notes, model->note_count);
        say_lines("warning", model->warnings, model->warning_count);
        say_engines_passed_over(&o->choice, &o->common);
        status = film_room(o, &wish, model, e);
    }
    setup_watch_stop();
    say_phases(&o->common);
    model_free(model);
    room_free(room);
    free(path);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    struct film_options *o = options;
    return processes_run(o, &o->choice, film, e);
}

#define ROW(name, kind, member, argument, meaning)                                                                     \
    {                                                                                                                  \
        name, 0, kind, OPTION_AT(OWN, film_options, member), argument, meaning                                         \
    }
static const struct option_row plane =
    ROW("plane", OPTION_TEXT, plane, "AXIS=M", "show this plane, such as z=1.2 (default: z, through the source)");
static const struct option_row walls =
    ROW("walls", OPTION_FLAG, walls, NULL, "show the pressure on all walls, seen from outside and above");
static const struct option_row milliseconds =
    ROW("ms", OPTION_NUMBER, milliseconds, "N", "show N ms of sound (default: twice the time across the room)");
static const struct option_row speed = ROW(
    "speed", OPTION_NUMBER, speed, "N", "show N ms of sound per second of film (default: for a film of 10 s, GIF 6 s)");
static const struct option_row fps =
    ROW("fps", OPTION_NUMBER, fps, "N", "show N frames per second (default: 25, GIF 12.5)");
static const struct option_row size =
    ROW("size", OPTION_TEXT, size, "WxH",
        "set the size in pixels (default: 960 wide, GIF 640, and as high as the room needs)");
static const struct option_row levels =
    ROW("levels", OPTION_FLAG, levels, NULL, "show levels in dB re 20 uPa instead of pressure");
static const struct option_row top =
    ROW("color-max", OPTION_NUMBER, top, "N", "set the pressure (Pa) or level (dB) of the strongest colour");
static const struct option_row span = ROW("dynamic-range", OPTION_NUMBER, span, "DB",
                                          "set the range of the colour scale of --levels in dB (default: 50)");
static const struct option_row pulse =
    ROW("pulse", OPTION_NUMBER, pulse, "HZ",
        "set the upper edge of the pulse that replaces an impulse, in Hz (default: the valid band's)");
static const struct option_row strip =
    ROW("frames", OPTION_COUNT, strip, "N", "write one PNG with N pictures, evenly spaced in time, instead of a film");
static const struct option_row source =
    ROW("source", OPTION_TEXT, source, "NAME", "choose the source (default: the first)");
static const struct option_row together = ROW("all-sources", OPTION_FLAG, together, NULL, "play all sources together");

static const struct option_row *const options[] = {
    &option_output,  &option_set,
    &plane,          &walls,
    &levels,         &milliseconds,
    &speed,          &fps,
    &size,           &top,
    &span,           &pulse,
    &strip,          &source,
    &together,       &option_engine,
    &option_kernel,  &option_threads,
    &option_parts,   &option_device,
    &option_devices, &option_through_host,
    &option_no_tune, &option_no_clobber,
    &option_quiet,   &option_verbose,
    &option_help,    NULL,
};

const struct command command_film = {
    .name = "film",
    .synopsis = "ROOM.cfg [-o FILM.webm] [--plane z=1.2 | --walls] [--set KEY=VALUE ...]",
    .meaning = "make a film of the sound in a room, on a plane or on the walls",
    .details =
        "FILM.webm and FILM.gif need the program ffmpeg. FILM.png does not; it stands for one picture per frame,\n"
        "FILM_0000.png and so on. --frames shows several instants in one picture.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct film_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct film_options, choice),
               [GROUP_OUTPUT] = offsetof(struct film_options, output)},
    .defaults = &(const struct film_options){.top = NAN},
    .many_processes = true,
    .run = run,
};
