/* SPDX-License-Identifier: MIT */
/* aula synth: plays the instruments and the score of a room file and writes the sound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/checkpoints.h"
#include "app/cmd.h"
#include "app/outputs.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/file.h"
#include "base/output_set.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/spectrogram.h"
#include "io/drawing/svg_map.h"
#include "render/synth/session.h"
#include "render/synth/take_file.h"

/* ---- The picture of a piece: its spectrogram ---- */

enum { COLUMNS = 480, ROWS = 200 };
static const double RANGE = 70.0;              /* dB */
static const double LOWEST = 30.0;             /* Hz */
static const double WINDOW = 0.08;             /* s: resolves semitones above about 300 Hz, and single strokes */
static const double REFERENCE_PRESSURE = 2e-5; /* Pa */

/* Converts levels of a sine's amplitude to levels of its root mean square re `reference`. */
static void scale(double *level, double reference)
{
    for (size_t i = 0; i < COLUMNS * ROWS; i++)
        level[i] -= 10.0 * log10(2.0) + 20.0 * log10(reference);
}

static int picture_of_piece(struct output_set *set, const char *path, const struct session *s, const struct take *take,
                            struct error *e)
{
    char *text = NULL;
    const bool air = take->air.channels > 0;
    const struct response *r = air ? &take->air : &take->pickups;
    const double highest = fmin(0.5 * r->rate, air ? s->output.air.valid_frequency : s->output.pickups.valid_frequency);
    const struct spectrogram_settings settings = {.columns = COLUMNS,
                                                  .rows = ROWS,
                                                  .lowest = fmin(LOWEST, 0.1 * highest),
                                                  .highest = highest,
                                                  .logarithmic = true,
                                                  .window = WINDOW};
    double *level = malloc(COLUMNS * ROWS * sizeof *level);
    char *stem = path_stem(s->room->path);
    char *title = stem ? text_format("%s: %s \"%s\", to %.0f Hz", stem, air ? "receiver" : "pickup",
                                     air ? s->room->receivers[0].name : s->room->pickups[0].name, highest)
                       : NULL;
    int status = level && title ? spectrogram_make(level, &settings, r->samples, r->frames, r->rate, e)
                                : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        scale(level, air ? REFERENCE_PRESSURE : 1.0);
        const double peak = spectrogram_peak(level, COLUMNS * ROWS),
                     top = isfinite(peak) ? 5.0 * ceil(peak / 5.0) : 0.0;
        const struct svg_map map = {.title = title,
                                    .x_label = "time, s",
                                    .y_label = "frequency, Hz",
                                    .value_label = air ? "level, dB re 20 µPa" : "level, dB re 1 m/s",
                                    .values = level,
                                    .columns = COLUMNS,
                                    .rows = ROWS,
                                    .x_max = (double)r->frames / r->rate,
                                    .y_min = settings.lowest,
                                    .y_max = highest,
                                    .logarithmic = true,
                                    .low = top - RANGE,
                                    .high = top};
        status = svg_map_text(&text, &map, e) || output_set_text(set, path, text, e) ? -1 : 0;
    }
    free(text);
    free(level);
    free(title);
    free(stem);
    return status;
}

struct synth_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct checkpoint_options checkpoint;
    bool instruments_alone;
};

struct work {
    struct room *room;
    struct session session;
    struct take take;
    struct sound_names *names; /* [file_count] */
    size_t file_count;
    struct checkpoint *checkpoint; /* NULL: none */
    bool suggested;                /* whether checkpoints were suggested */
};

/* Names the files NAME_RECEIVER, except the one of the omni receivers and pickups. */
static int name_files(struct work *w, const struct synth_options *o, struct error *e)
{
    const size_t count = take_file_count(&w->session);
    const bool alone = o->output.path && !strcmp(o->output.path, STANDARD_STREAM) && count == 1;
    w->names = calloc(count + 1, sizeof *w->names);
    if (!w->names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (; w->file_count < count; w->file_count++) {
        const struct receiver *only = take_file_receiver(&w->session, w->file_count);
        if (sound_names_make(&w->names[w->file_count], o->output.path, w->room->path,
                             only && !alone ? only->name : NULL, e))
            return -1;
    }
    return 0;
}

/* Checks that a file can be written and can hold the sound: FLAC has fewer formats, channels and rates than WAV. */
static int check_file(const struct work *w, size_t file, const struct synth_options *o, struct error *e)
{
    struct room *room = w->room;
    struct take_file f;
    const struct sound_names *names = &w->names[file];
    const char *const outputs[OUTPUTS] = {names->sound, names->json, o->output.plot};
    if (take_file_make(&f, &w->session, file, e))
        return -1;
    const size_t channels = f.count;
    take_file_free(&f);
    if (outputs_settle_format(room, &o->common, o->output.format, names->sound, channels,
                              room->output.rate > 0.0 ? room->output.rate : w->session.rate, e) ||
        outputs_keep_inputs(room, outputs, e))
        return -1;
    return outputs_check(outputs, file ? OUTPUT_PLOT : OUTPUTS, o->output.no_clobber, e) ||
                   outputs_warn_of_other(names, e)
               ? -1
               : 0;
}

static int check_outputs(const struct work *w, const struct synth_options *o, struct error *e)
{
    if (plot_check_name(o->output.plot, e))
        return -1;
    if (o->common.json && !w->names[0].json)
        return fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    for (size_t i = 0; i < w->file_count; i++)
        if (check_file(w, i, o, e))
            return -1;
    return 0;
}

static void describe(const struct work *w, const struct synth_options *o)
{
    const struct session *s = &w->session;
    if (s->model)
        say(o->common.quiet, "%s: %zu x %zu x %zu points of %.4g m at %.6g Hz, %s precision; valid up to %.0f Hz",
            w->room->path, s->model->grid.points[0], s->model->grid.points[1], s->model->grid.points[2],
            s->model->grid.spacing, s->rate, precision_names[w->room->grid.precision], s->model->grid.valid_frequency);
    else
        say(o->common.quiet, "%s: instruments without a room, %.6g steps per second", w->room->path, s->rate);
    if (!o->common.quiet) {
        say_lines("note", s->score.remarks, s->score.remark_count);
        if (s->model)
            say_lines("note", s->model->notes, s->model->note_count);
        say_lines("note", s->ensemble->notes, s->ensemble->note_count);
    }
    if (s->model)
        say_lines("warning", s->model->warnings, s->model->warning_count);
    say_lines("warning", s->ensemble->warnings, s->ensemble->warning_count);
    say_lines("warning", s->warnings, s->warning_count);
}

static const char *pickup_units(const struct room *room)
{
    size_t wind = 0;
    for (size_t i = 0; i < room->pickup_count; i++)
        wind += room->instruments[room->pickups[i].instrument].type == INSTRUMENT_WIND;
    return !wind ? "m/s" : wind == room->pickup_count ? "Pa" : "m/s or Pa";
}

static void say_written(const struct take_written *f, const struct work *w, const struct synth_options *o)
{
    const char *said = output_said(f->names->sound), *json = f->names->json;
    const size_t air = f->part.air, pickups = f->part.count - air, frames = f->audio.frames;
    const bool velocity = f->part.receiver && f->part.receiver->kind == RECEIVER_VELOCITY;
    double peak = 0.0;
    for (size_t n = 0; n < f->audio.channels * frames; n++)
        peak = fmax(peak, fabs(f->audio.samples[n]));
    if (f->written.gain != 1.0)
        say(false, "warning: %s: the peak exceeded full scale, so the whole file was scaled by %.6g (%.2f dB)", said,
            f->written.gain, 20.0 * log10(f->written.gain));
    say_faint(said, w->room->output.format, peak, "--set output.normalise=peak");
    say(o->common.quiet, "%s: %zu channel%s (%zu of air in %s, %zu pickup%s in %s) of %.3g s at %.6g Hz, %s%s%s", said,
        f->audio.channels, f->audio.channels == 1 ? "" : "s", air, velocity ? "m/s" : "Pa", pickups,
        pickups == 1 ? "" : "s", pickup_units(w->room), (double)frames / f->audio.rate, f->audio.rate,
        format_names[w->room->output.format], json ? "; described in " : "", json ? json : "");
}

/* Prints the document of --json: the JSON of the file, or a list of them for several files. */
static void print_json(const struct take_written *files, size_t count)
{
    printf("%s", count > 1 ? "{\"files\": [\n" : "");
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? ",\n" : "", files[i].text);
    printf("%s", count > 1 ? "\n]}\n" : "\n");
}

/* All files and the picture are complete before the first takes its name. */
static int write_files(const struct work *w, const double gain[2], const struct synth_options *o, struct error *e)
{
    struct output_set set = {.no_clobber = o->output.no_clobber};
    struct take_written *files = calloc(w->file_count + 1, sizeof *files);
    int status = files ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->file_count && !status; i++) {
        status = take_file_write(&set, &files[i], &w->session, &w->take, i, &w->names[i], gain, e);
    }
    if (!status && o->output.plot)
        status = picture_of_piece(&set, o->output.plot, &w->session, &w->take, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    for (size_t i = 0; i < w->file_count && !status; i++)
        say_written(&files[i], w, o);
    if (!status && o->common.json)
        print_json(files, w->file_count);
    for (size_t i = 0; i < w->file_count && files; i++)
        take_written_free(&files[i]);
    free(files);
    return status;
}

static int play(struct work *w, const struct synth_options *o, struct error *e)
{
    struct looking looking = {.options = &o->checkpoint, .quiet = o->common.quiet, .suggested = &w->suggested};
    const struct watch watch = {checkpoints_look, &looking, w->checkpoint, true};
    const struct session *s = &w->session;
    char took[32];
    progress_start(&looking.progress, "piece", o->common.quiet);
    int status = take_make(&w->take, s, &o->choice, &watch, e);
    progress_end(&looking.progress);
    if (status && e->code == ERROR_STOPPED && !w->checkpoint) {
        const struct error reason = *e;
        fail(e, ERROR_STOPPED, "%.300s; no files were written", reason.message);
    }
    if (status)
        return -1;
    const struct block_outcome *outcome = &w->take.outcome;
    if (*w->take.plan.passed_over)
        say(o->common.quiet, "note: cannot use engine %s", w->take.plan.passed_over);
    say_more(&o->common, "%zu steps in %s on %s/%s, %.3g times real time", s->output.length.steps,
             say_duration(took, outcome->seconds), w->take.plan.engine, w->take.plan.kernel,
             (double)s->output.length.steps / s->rate / outcome->seconds);
    say_lines("warning", w->take.warnings, w->take.warning_count);
    if (outcome->audit.balanced)
        say_more(&o->common, "energy residual %.1e", outcome->energy_residual);
    return 0;
}

static int check_parts(const struct session *s, const struct synth_options *o, struct error *e)
{
    if (s->model || (o->choice.parts.count < 2 && o->choice.device_count < 2 && !o->choice.parts.transport))
        return 0;
    return fail(e, ERROR_USAGE, "%s: instruments without a room have no grid to split; remove --parts and --devices",
                o->common.arguments[0]);
}

static int synth(void *options, struct error *e)
{
    const struct synth_options *o = options;
    struct work w = {0};
    double gain[2];
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = checkpoints_check(&o->checkpoint, e) || read_named_room(&w.room, &o->common, o->output.format, e) ||
                 session_make(&w.session, w.room, o->instruments_alone, e) || check_parts(&w.session, o, e) ||
                 name_files(&w, o, e) || check_outputs(&w, o, e) || session_check(&w.session, &o->choice, e) ||
                 checkpoints_open(&w.checkpoint, &o->checkpoint, o->checkpoint.folder ? session_text(&w.session) : NULL,
                                  &o->common, e);
    if (!status) {
        describe(&w, o);
        say_engines_passed_over(&o->choice, &o->common);
        status = play(&w, o, e);
    }
    if (!status) {
        take_gains(gain, &w.take, w.room);
        status = write_files(&w, gain, o, e);
    }
    if (!status && w.checkpoint && !fflush(stdout) && !ferror(stdout)) {
        stop_no_more_by_sigterm(); /* the outputs are complete; the run must not be restarted */
        checkpoint_remove(w.checkpoint);
    }
    if (status && e->code == ERROR_STOPPED)
        checkpoints_tell(w.checkpoint, &o->checkpoint, e);
    checkpoint_close(w.checkpoint);
    setup_watch_stop();
    say_phases(&o->common);
    take_free(&w.take);
    session_free(&w.session);
    for (size_t i = 0; i < w.file_count; i++)
        sound_names_free(&w.names[i]);
    free(w.names);
    room_free(w.room);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    struct synth_options *o = options;
    return processes_run(o, &o->choice, synth, e);
}

static const struct option_row alone = {
    "dry",       0,
    OPTION_FLAG, OPTION_AT(OWN, synth_options, instruments_alone),
    NULL,        "play only the instruments, through their pickups, without room and air"};

static const struct option_row *const options[] = {
    &option_output,  &option_set,        &option_format, &alone,         &option_plot,    &option_engine,
    &option_kernel,  &option_threads,    &option_parts,  &option_device, &option_devices, &option_through_host,
    &option_no_tune, &option_no_clobber, &option_json,   &option_quiet,  &option_verbose, &option_checkpoint,
    &option_every,   &option_resume,     &option_help,   NULL,
};

const struct command command_synth = {
    .name = "synth",
    .synopsis = "PIECE.cfg [-o NAME.wav] [--dry] [--plot NAME.svg] [--set KEY=VALUE ...]",
    .meaning = "play instruments in the air of a room and write the sound as a WAV file",
    .details =
        "PIECE.cfg is a room file with `instruments` and a `score` (events, or a MIDI or CSV file). The output has "
        "one\n"
        "channel per omni receiver (Pa), then one per pickup (m/s; Pa of a wind instrument). Every other receiver has\n"
        "its own file NAME_RECEIVER.wav, as in aula render. NAME.json describes a file; `aula synth NAME.json` plays\n"
        "it again. --plot draws the spectrogram of the first channel. aula info --keys lists every key;\n"
        "rooms/instruments.cfg has the presets.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct synth_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct synth_options, choice),
               [GROUP_OUTPUT] = offsetof(struct synth_options, output),
               [GROUP_CHECKPOINT] = offsetof(struct synth_options, checkpoint)},
    .many_processes = true,
    .run = run,
};
