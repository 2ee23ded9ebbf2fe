/* SPDX-License-Identifier: MIT */
/* aula calibrate: finds the absorption of a room's materials from measured responses. */
#include "app/calibrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/source.h"
#include "base/file.h"
#include "base/text.h"

enum { TEXT_MAX = 4 << 20 };

static int read_all(struct room_calibration *c, const struct calibrate_options *o, struct error *e)
{
    char setting[64];
    const char *settings[] = {setting};
    snprintf(setting, sizeof setting, "grid.max_frequency=%.17g", o->waves_to);
    if (room_read(&c->room, o->common.arguments[0], settings, o->waves_to > 0.0 ? 1 : 0, e) ||
        room_calibration_check(c->room, e))
        return -1;
    if (o->output.path && output_keeps_inputs(c->room, o->output.path, false, e))
        return -1;
    if (o->source && find_source(c->room, o->source, &c->forward.source, e))
        return -1;
    return calibrate_data_read(&c->data, o, c->room, e);
}

static int compute(struct room_calibration *c, const struct calibrate_options *o, struct error *e)
{
    struct progress progress;
    const struct watch watch = {.look = progress_look, .context = &progress};
    progress_start(&progress, "calibrating", o->common.quiet);
    const int status = room_calibration_run(c, &o->choice, &watch, e);
    progress_end(&progress);
    return status;
}

static int write_room(const struct room_calibration *c, const struct calibrate_options *o, struct error *e)
{
    struct output_file file = {.path = NULL};
    char *text = NULL, *changed = NULL;
    int status = file_read_text(o->common.arguments[0], TEXT_MAX, &text, e);
    if (!status && !(changed = room_calibration_text(c, text, o->output.path, e)))
        status = -1;
    if (!status)
        status = output_file_open(&file, o->output.path, e);
    if (!status) {
        file.no_clobber = o->output.no_clobber;
        status = output_file_put(&file, changed, e) || output_file_commit(&file, e) ? -1 : 0;
    }
    output_file_discard(&file);
    free(text);
    free(changed);
    return status;
}

static int check_output(const struct calibrate_options *o, struct error *e)
{
    if (!o->output.path)
        return 0;
    if (!strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o -: standard output has the table; write the room to a file");
    return outputs_check(&o->output.path, 1, o->output.no_clobber, e);
}

static int run(void *options, struct error *e)
{
    const struct calibrate_options *o = options;
    struct room_calibration *c = calloc(1, sizeof *c);
    bool use[CALIBRATE_PARAMETERS];
    if (!c)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->wish = (struct calibrate_wish){.free = o->free, .use = o->use, .octaves = o->octaves};
    int status = (o->use && calibrate_parse_use(use, o->use, e)) || check_output(o, e) || read_all(c, o, e) ||
                         compute(c, o, e) || (o->output.path && write_room(c, o, e))
                     ? -1
                     : 0;
    if (!status) {
        say_lines("warning", c->warnings, c->warning_count);
        status = o->common.json ? calibrate_print_json(c, o->output.path, e) : calibrate_print_table(c);
    }
    if (!status && o->output.path)
        say(o->common.quiet, "%s: the room with %zu calibrated materials", o->output.path, c->task.materials);
    room_calibration_free(c);
    free(c);
    return status;
}

#define OWN(member) OPTION_AT(OWN, calibrate_options, member)

static const struct option_row receiver = {
    "receiver",     0,
    OPTION_SETTING, OPTION_AT(COMMON, common_options, settings),
    "NAME=FILE",    "take FILE as measured at this receiver of the room; repeatable"};
static const struct option_row table = {
    "table",    0,          OPTION_TEXT,
    OWN(table), "FILE.csv", "take parameters from a table with the columns receiver, octave and t20, t30, edt or c80"};
static const struct option_row hold_out = {
    "hold-out",    0,      OPTION_TEXT,
    OWN(hold_out), "LIST", "compare these receivers with the calibrated room without fitting them"};
static const struct option_row free_materials = {
    "free",    0,      OPTION_TEXT,
    OWN(free), "LIST", "calibrate these materials (default: those with absorption that cover 1 % of the surface)"};
static const struct option_row use = {"use",    0,      OPTION_TEXT,
                                      OWN(use), "LIST", "fit these of t20, t30, edt and c80 (default: t20)"};
static const struct option_row octaves = {
    "octaves",    0,      OPTION_TEXT,
    OWN(octaves), "LIST", "calibrate these octaves, in Hz, such as 250,500 (default: all that were measured)"};
static const struct option_row waves_to = {
    "waves-to",    0,    OPTION_NUMBER,
    OWN(waves_to), "HZ", "set grid.max_frequency: octaves above have rays (default: as the room file says)"};
static const struct option_row source = {"source",    0,      OPTION_TEXT,
                                         OWN(source), "NAME", "choose the source (default: the first)"};

static const struct option_row *const options[] = {
    &receiver,      &table,          &hold_out,       &free_materials, &use,
    &octaves,       &waves_to,       &source,         &option_output,  &option_engine,
    &option_kernel, &option_threads, &option_device,  &option_no_tune, &option_no_clobber,
    &option_json,   &option_quiet,   &option_verbose, &option_help,    NULL,
};

const struct command command_calibrate = {
    .name = "calibrate",
    .synopsis = "ROOM.cfg [MEASURED.wav] [--receiver NAME=FILE ...] [--table FILE.csv] [-o CALIBRATED.cfg]",
    .meaning = "find the absorption of a room's materials from measured responses, with intervals",
    .details = "Channels of MEASURED.wav belong to the receivers by their names, else in their order. The table shows\n"
               "what the data tell: where the interval is the prior's, they tell nothing of that material.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 2,
    .options_size = sizeof(struct calibrate_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct calibrate_options, choice),
               [GROUP_OUTPUT] = offsetof(struct calibrate_options, output)},
    .run = run,
};
