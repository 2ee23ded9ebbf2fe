/* SPDX-License-Identifier: MIT */
/* aula calibrate: finds the absorption of a room's materials from measured responses. */
#include "app/calibrate.h"

#include <math.h>
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
#include "render/calibrate/room_text.h"
#include "render/render.h"
#include "room/grid/reverberation.h"

enum { MOST_RAYS = 20000, TEXT_MAX = 4 << 20 };

/* s: of the measured decays, and of Eyring's at the prior. */
static double longest_decay(const struct calibration *c)
{
    double longest = 0.0, estimated = 0.0, times[2];
    for (size_t k = 0; k < c->task.octaves; k++) {
        double absorbing = 0.0;
        for (size_t i = 0; i < c->data.count; i++) {
            const struct metrics_band *band = &c->data.measured[i].metrics.band[c->task.octave[k]];
            longest = fmax(longest, fmax(band->t20.time, fmax(band->t30.time, band->edt.time)));
        }
        for (size_t w = 0; w < c->room->material_count; w++)
            absorbing += c->model->space.area[w] * wall_admittance_absorption(&c->model->walls[w].material,
                                                                              octave_band_centre[c->task.octave[k]]);
        reverberation_times(&times[0], &times[1], c->model, absorbing, octave_band_centre[c->task.octave[k]]);
        estimated = isfinite(times[1]) ? fmax(estimated, 0.8 * times[1]) : estimated;
    }
    return fmax(longest, fmin(estimated, 3.0 * longest));
}

static int prepare(struct calibration *c, struct error *e)
{
    struct calibrate_options *o = c->o;
    char setting[64];
    const char *settings[] = {setting};
    snprintf(setting, sizeof setting, "grid.max_frequency=%.17g", o->waves_to);
    if (room_read(&c->room, o->common.arguments[0], settings, o->waves_to > 0.0 ? 1 : 0, e) ||
        render_is_possible(c->room, e))
        return -1;
    if (c->room->from_sidecar)
        return fail(e, ERROR_INPUT, "%s: is the JSON of a render; calibrate the room file", c->room->path);
    if (o->output.path && output_keeps_inputs(c->room, o->output.path, false, e))
        return -1;
    if (o->source && find_source(c->room, o->source, &c->forward.source, e))
        return -1;
    if (calibrate_data_read(&c->data, o, c->room, e) || model_make(&c->model, c->room, e))
        return -1;
    return calibrate_choose_materials(c, e) || calibrate_choose_octaves(c, e) ? -1 : 0;
}

static int compute(struct calibration *c, struct error *e)
{
    calibrate_fill_task(c);
    c->forward.room = c->room;
    c->forward.model = c->model;
    c->forward.task = &c->task;
    c->forward.rays = c->room->hybrid.rays < MOST_RAYS ? c->room->hybrid.rays : MOST_RAYS;
    c->forward.choice = &c->o->choice;
    c->watch = (struct watch){.look = progress_look, .context = &c->progress};
    c->forward.watch = &c->watch;
    progress_start(&c->progress, "calibrating", c->o->common.quiet);
    int status = calibrate_room_open(&c->forward, longest_decay(c), e) ||
                         calibrate_run(&c->result, &c->task, calibrate_room_forward, &c->forward, e)
                     ? -1
                     : 0;
    progress_end(&c->progress);
    double at[OCTAVE_BANDS][CALIBRATE_MATERIALS];
    for (size_t k = 0; k < c->task.octaves; k++)
        memcpy(at[k], c->result.posterior[k].value, sizeof at[k]);
    return status ? -1 : calibrate_room_set(&c->forward, (const double(*)[CALIBRATE_MATERIALS])at, e);
}

/* The text must read as a room with these materials. */
static int check_text(const struct calibration *c, const char *text, struct error *e)
{
    struct room *again;
    if (room_read_text(&again, c->o->output.path, text, NULL, 0, e))
        return -1;
    int status = 0;
    for (size_t m = 0; m < c->task.materials && !status; m++) {
        const struct material *wanted = &c->room->materials[c->forward.material[m]], *found = NULL;
        for (size_t i = 0; i < again->material_count; i++)
            found = strcmp(again->materials[i].name, wanted->name) ? found : &again->materials[i];
        for (size_t b = 0; b < OCTAVE_BANDS && !status; b++)
            if (!found || !(fabs(found->absorption[b] - wanted->absorption[b]) <= 1e-4))
                status =
                    fail(e, ERROR_INPUT,
                         "%s: cannot replace the absorption of %s there; copy its definition from the included file "
                         "into the group materials, or leave out -o and copy the table",
                         c->room->path, wanted->name);
    }
    room_free(again);
    return status;
}

static int write_room(const struct calibration *c, struct error *e)
{
    struct calibrate_definition definitions[CALIBRATE_MATERIALS];
    struct output_file file = {.path = NULL};
    char *text = NULL, *changed = NULL, remark[128] = "by aula calibrate, in the octaves of";
    for (size_t k = 0; k < c->task.octaves; k++) {
        char octave[16];
        snprintf(remark + strlen(remark), sizeof remark - strlen(remark), " %s",
                 calibrate_octave_text(octave, c->task.octave[k]));
    }
    snprintf(remark + strlen(remark), sizeof remark - strlen(remark), " Hz");
    for (size_t m = 0; m < c->task.materials; m++)
        definitions[m] = (struct calibrate_definition){&c->room->materials[c->forward.material[m]], remark};
    int status = file_read_text(c->o->common.arguments[0], TEXT_MAX, &text, e);
    if (!status && !(changed = calibrate_room_text(text, definitions, c->task.materials, e)))
        status = -1;
    if (!status)
        status = check_text(c, changed, e) || output_file_open(&file, c->o->output.path, e) ? -1 : 0;
    if (!status) {
        file.no_clobber = c->o->output.no_clobber;
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
    struct calibrate_options *o = options;
    struct calibration *c = calloc(1, sizeof *c);
    struct calibrate_findings f = {.options = o};
    if (!c)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->o = o;
    if (!o->use)
        o->use = "t20";
    int status =
        calibrate_parse_use(c->use, o->use, e) || check_output(o, e) || prepare(c, e) || compute(c, e) ? -1 : 0;
    if (!status) {
        f.room = &c->forward;
        f.data = &c->data;
        f.task = &c->task;
        f.result = &c->result;
        memcpy(f.use, c->use, sizeof f.use);
        status = calibrate_warn(&f, e) || (o->output.path && write_room(c, e)) ? -1 : 0;
    }
    if (!status) {
        say_lines("warning", f.warnings, f.warning_count);
        status = o->common.json ? calibrate_print_json(&f, e) : calibrate_print_table(&f, e);
    }
    if (!status && o->output.path)
        say(o->common.quiet, "%s: the room with %zu calibrated materials", o->output.path, c->task.materials);
    lines_free(f.warnings, f.warning_count);
    calibrate_result_free(&c->result);
    calibrate_room_free(&c->forward);
    calibrate_data_free(&c->data);
    model_free(c->model);
    room_free(c->room);
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
