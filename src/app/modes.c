/* SPDX-License-Identifier: MIT */
/* aula modes: finds the modes of a room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/modes_text.h"
#include "app/picture.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/output_set.h"
#include "base/text.h"
#include "present/film/plane.h"
#include "present/modes/mode_pictures.h"
#include "render/modes/room_modes.h"

struct modes_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    const char *folder, *plane;
    double to; /* Hz */
};

static const double TO = 200.0; /* Hz */

static int check_options(struct mode_pictures_wish *w, const struct modes_options *o, struct error *e)
{
    *w = (struct mode_pictures_wish){.folder = o->folder, .axis = 2, .at = NAN, .no_clobber = o->output.no_clobber};
    if (o->plane && !o->folder)
        return fail(e, ERROR_USAGE, "--plane: applies only to pictures; add --plot DIR");
    if (o->plane && plane_parse(&w->axis, &w->at, o->plane, e))
        return -1;
    const char *suffix = o->output.path ? strrchr(o->output.path, '.') : NULL;
    if (o->output.path && (!suffix || strcasecmp(suffix, ".csv") != 0))
        return fail(e, ERROR_USAGE, "-o %s: modes are written as CSV; use a name that ends in .csv", o->output.path);
    return 0;
}

static int write_csv(const struct room_modes *r, const struct modes_options *o, struct error *e)
{
    struct output_set set = {.no_clobber = o->output.no_clobber};
    char *text = modes_csv(r);
    int status = text ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = output_set_text(&set, o->output.path, text, e) || output_set_commit(&set, e) ? -1 : 0;
    output_set_discard(&set);
    free(text);
    return status;
}

static int find(struct room_modes *r, const struct room *room, const struct modes_options *o, struct error *e)
{
    struct progress progress;
    const struct watch watch = {.look = progress_look, .context = &progress};
    progress_start(&progress, o->common.arguments[0], o->common.quiet);
    const int status = room_modes_find(r, room, o->to > 0.0 ? o->to : TO, &o->choice, &watch, e);
    progress_end(&progress);
    return status;
}

static int draw(const struct room_modes *r, const struct mode_pictures_wish *w, const struct modes_options *o,
                struct error *e)
{
    struct progress progress;
    const struct watch watch = {.look = progress_look, .context = &progress};
    size_t drawn;
    progress_start(&progress, w->folder, o->common.quiet);
    const int status = mode_pictures(&drawn, r, w, &o->choice, &watch, e);
    progress_end(&progress);
    if (!status)
        say(o->common.quiet, "%s: %zu pictures of %zu modes", w->folder, drawn, r->count);
    return status;
}

static int report(const struct room_modes *r, const struct modes_options *o, struct error *e)
{
    char **lines = NULL;
    size_t count = 0;
    say_engines_passed_over(&o->choice, &o->common);
    const int status = room_modes_doubts(&lines, &count, r, e);
    say_lines("warning", r->model->warnings, r->model->warning_count);
    say_lines("warning", lines, count);
    lines_free(lines, count);
    say_more(&o->common, "%zu steps of a grid of %.4g m; response of %.3g s at %zu places", r->steps, r->spacing.metres,
             r->seconds, r->place_count);
    return status;
}

static int modes(void *options, struct error *e)
{
    const struct modes_options *o = options;
    struct room_modes found = {.count = 0};
    struct mode_pictures_wish pictures;
    struct room *room = NULL;
    if (check_options(&pictures, o, e))
        return -1;
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = read_named_room(&room, &o->common, NULL, e) ? -1 : 0;
    if (!status && o->output.path)
        status = picture_names_check(room, &o->output.path, 1, o->output.no_clobber, e);
    if (!status)
        status = setup_start_engine(&o->choice) || find(&found, room, o, e) ? -1 : 0;
    setup_watch_stop();
    if (!status && o->folder)
        status = draw(&found, &pictures, o, e);
    if (!status && o->output.path)
        status = write_csv(&found, o, e);
    if (!status)
        status = report(&found, o, e);
    if (!status && o->common.json)
        status = modes_print_json(&found, e);
    else if (!status)
        modes_print(&found);
    say_phases(&o->common);
    room_modes_free(&found);
    room_free(room);
    return status;
}

static int run(void *options, struct error *e)
{
    struct modes_options *o = options;
    return processes_run(o, &o->choice, modes, e);
}

static const struct option_row to = {
    "to", 0, OPTION_POSITIVE, OPTION_AT(OWN, modes_options, to), "HZ", "find the modes up to HZ (default: 200)"};

static const struct option_row plot = {
    "plot",      0,
    OPTION_TEXT, OPTION_AT(OWN, modes_options, folder),
    "DIR",       "draw the pressure of each mode over a plane as PNG in the folder DIR"};
static const struct option_row plane = {"plane",     0,
                                        OPTION_TEXT, OPTION_AT(OWN, modes_options, plane),
                                        "AXIS=M",    "draw this plane (default: z=1.2, above the floor)"};

static const struct option_row *const options[] = {
    &option_output,
    &option_set,
    &to,
    &plot,
    &plane,
    &option_json,
    &option_engine,
    &option_kernel,
    &option_threads,
    &option_parts,
    &option_device,
    &option_devices,
    &option_through_host,
    &option_no_tune,
    &option_no_clobber,
    &option_quiet,
    &option_verbose,
    &option_help,
    NULL,
};

const struct command command_modes = {
    .name = "modes",
    .synopsis = "ROOM.cfg [--to HZ] [-o MODES.csv] [--plot DIR] [--set KEY=VALUE ...]",
    .meaning = "find the modes of a room: frequency, T60, order and level at sources and receivers",
    .details = "One wave run on a grid of its own, whose spacing meets the sizes of the room. Levels are in dB re the\n"
               "loudest place of each mode.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct modes_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct modes_options, choice),
               [GROUP_OUTPUT] = offsetof(struct modes_options, output)},
    .many_processes = true,
    .run = run,
};
