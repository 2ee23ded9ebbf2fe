/* SPDX-License-Identifier: MIT */
/* aula render: computes the responses of a room file and writes them as sound files with JSON beside them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/checkpoints.h"
#include "app/cmd.h"
#include "app/outputs.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/render_files.h"
#include "app/run_time.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/source.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/doubts.h"
#include "render/hybrid_response.h"
#include "render/kept_run.h"
#include "render/pick_parts.h"
#include "render/write.h"

#define RESIDUAL_WORST 1e-2 /* energy residual relative to the energy supplied, above which a response is wrong */

static void free_work(struct work *w)
{
    for (size_t i = 0; w->jobs && i < w->job_count; i++) {
        render_files_free(&w->jobs[i], w->file_count);
        rendering_free(&w->jobs[i].rendering);
    }
    free(w->jobs);
    checkpoint_close(w->checkpoint);
    sofa_files_free(&w->sofa);
    model_free(w->model);
    room_free(w->room);
}

static int plan_jobs(struct work *w, const struct render_options *o, struct error *e)
{
    const struct room *room = w->room;
    size_t only = 0;
    if (o->together && o->source)
        return fail(e, ERROR_USAGE, "--all-sources and --source exclude each other; remove one of them");
    if (o->source && find_source(room, o->source, &only, e))
        return -1;
    w->job_count = o->together || o->source ? 1 : room->source_count;
    w->file_count = room_file_count(room);
    w->jobs = calloc(w->job_count, sizeof *w->jobs);
    int status = w->jobs ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < w->job_count; i++) {
        struct job *job = &w->jobs[i];
        job->first = o->source ? only : i;
        job->count = o->together ? room->source_count : 1;
        status = render_files_name(w, job, o, e);
    }
    if (!status && o->common.json && !w->jobs[0].files[0].names.json)
        status = fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    return status;
}

static int make_model(struct work *w, const struct render_options *o, struct error *e)
{
    const struct job *first = &w->jobs[0], *last = &w->jobs[w->job_count - 1];
    const struct grid_use use = {.purpose = o->together ? PURPOSE_TOGETHER : PURPOSE_RESPONSES,
                                 .first = first->first,
                                 .count = last->first + last->count - first->first,
                                 .transport = o->choice.parts.transport};
    return model_make_for(&w->model, w->room, &use, e);
}

/* Refuses two outputs of the same name. */
static int check_names(const struct work *w, const char *plot, struct error *e)
{
    const size_t count = w->job_count * w->file_count, others = w->sofa.count + w->job_count + 1;
    struct sound_names *names = calloc(count + 1, sizeof *names);
    const char **more = calloc(others, sizeof *more);
    int status = names && more ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++)
        names[i] = w->jobs[i / w->file_count].files[i % w->file_count].names; /* borrowed */
    for (size_t i = 0; i < w->sofa.count && !status; i++)
        more[i] = w->sofa.paths[i];
    for (size_t i = 0; i < w->job_count && !status; i++)
        more[w->sofa.count + i] = w->jobs[i].positions;
    if (!status) {
        more[others - 1] = plot;
        status = file_names_differ(w->room, w->jobs[0].first, names, count, more, others, e);
    }
    free(more);
    free(names);
    return status;
}

static int check_overwriting(const struct work *w, const char *plot, struct error *e)
{
    if (plot_check_name(plot, e))
        return -1;
    for (size_t i = 0; i < w->job_count * w->file_count; i++) {
        const struct sound_names *names = &w->jobs[i / w->file_count].files[i % w->file_count].names;
        const char *const outputs[OUTPUTS] = {names->sound, names->json, plot};
        if (outputs_keep_inputs(w->room, outputs, e))
            return -1;
    }
    for (size_t i = 0; i < w->sofa.count; i++)
        if (output_keeps_inputs(w->room, w->sofa.paths[i], false, e))
            return -1;
    for (size_t i = 0; i < w->job_count; i++)
        if (output_keeps_inputs(w->room, w->jobs[i].positions, false, e))
            return -1;
    return check_names(w, plot, e);
}

/* Checks that the files can be written and can hold the sound: FLAC has fewer formats, channels and rates than WAV. */
static int check_outputs(const struct work *w, const struct render_options *o, struct error *e)
{
    struct room *room = w->room;
    const double rate = model_output_rate(w->model);
    size_t *channels = calloc(room_channel_count(room) + 1, sizeof *channels);
    int status = channels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->job_count * w->file_count && !status; i++) {
        const struct sound_names *names = &w->jobs[i / w->file_count].files[i % w->file_count].names;
        const char *const paths[OUTPUTS] = {names->sound, names->json, i ? NULL : o->output.plot};
        const size_t count = room_file_channels(room, i % w->file_count, channels);
        status = outputs_settle_format(room, &o->common, o->output.format, paths[OUTPUT_SOUND], count, rate, e) ||
                 outputs_check(paths, OUTPUTS, o->output.no_clobber, e) || outputs_warn_of_other(names, e);
    }
    free(channels);
    return status ? -1 : 0;
}

static void describe_model(const struct model *m, const struct render_options *o)
{
    const struct grid *g = &m->grid;
    say(o->common.quiet, "%s: %zu x %zu x %zu points of %.4g m at %.6g Hz, %s precision; valid up to %.0f Hz",
        m->room->path, g->points[0], g->points[1], g->points[2], g->spacing, g->rate,
        precision_names[m->room->grid.precision], g->valid_frequency);
    if (!o->common.quiet)
        say_lines("note", m->notes, m->note_count);
    say_lines("warning", m->warnings, m->warning_count);
    warn_of_many_images(m, m->room->source_count);
}

/* Prints the note on air absorption for each method that a job uses. */
static void say_air(const struct work *w, const struct render_options *o)
{
    bool taken[AIR_SCHEME + 1] = {false};
    for (size_t i = 0; i < w->job_count; i++)
        taken[air_method(w->room, w->jobs[i].first, w->jobs[i].count)] = true;
    for (int method = AIR_FILTER; method <= AIR_SCHEME; method++) {
        char *note = taken[method] && !o->common.quiet ? model_air_note(w->model, (enum air_method)method) : NULL;
        if (note)
            say(false, "note: %s", note);
        free(note);
    }
}

static int check_jobs(const struct work *w, const struct solver_options *choice, struct error *e)
{
    for (size_t i = 0; i < w->job_count; i++)
        if (render_check(w->model, w->jobs[i].first, w->jobs[i].count, choice, e))
            return -1;
    return 0;
}

/* Compares the parameters of waves and rays in the octave that both cover. */
static void say_halves(const struct work *w, const struct job *job, const char *what, const struct render_options *o)
{
    const struct hybrid_halves *halves = &job->rendering.halves;
    char *text = halves->full ? hybrid_text(w->model, halves) : NULL;
    if (!text)
        return;
    char *compared = halves_text(halves->t30, halves->edt, halves->c80);
    if (compared && *compared)
        say(o->common.quiet, "%s: %s; in the octave of %.0f Hz: %s", what, text, halves->octave, compared);
    else
        say(o->common.quiet, "%s: %s%s", what, text,
            halves->rays ? "; T30 below the crossover could not be compared" : "");
    free(compared);
    free(text);
}

static int open_checkpoint(struct work *w, const struct render_options *o, struct error *e)
{
    const struct job *first = &w->jobs[0], *last = &w->jobs[w->job_count - 1];
    char *run = o->checkpoint.folder
                    ? kept_run_text(w->model, first->first, last->first + last->count - first->first, o->together)
                    : NULL;
    return checkpoints_open(&w->checkpoint, &o->checkpoint, run, &o->common, e);
}

static int render_job(struct work *w, struct job *job, const struct render_options *o, struct error *e)
{
    struct looking looking = {.options = &o->checkpoint, .quiet = o->common.quiet, .suggested = &w->suggested};
    const char *what = job->count > 1 ? "all sources" : w->room->sources[job->first].name;
    const struct watch watch = {checkpoints_look, &looking, w->checkpoint, true};
    char took[32];
    progress_start(&looking.progress, what, o->common.quiet);
    int status = render_sources(&job->rendering, w->model, job->first, job->count, &o->choice, &watch, e);
    progress_end(&looking.progress);
    if (status)
        return -1;
    job->rendered = true;
    const struct simulation *s = &job->rendering.simulation;
    if (*s->plan.passed_over)
        say(o->common.quiet, "note: cannot use engine %s", s->plan.passed_over);
    say_lines("warning", job->rendering.warnings, job->rendering.warning_count);
    char parts[32] = "";
    if (s->plan.parts.count > 1)
        snprintf(parts, sizeof parts, " in %d parts", s->plan.parts.count);
    say_more(&o->common, "%s: %zu steps in %s on %s/%s%s, %.0f Mvox/s of air", what, s->steps,
             say_duration(took, s->outcome.seconds), s->plan.engine, s->plan.kernel, parts,
             (double)s->plan.air_points * (double)s->steps / s->outcome.seconds * 1e-6);
    if (s->outcome.audit.balanced && !(s->outcome.energy_residual <= RESIDUAL_WORST))
        say(false,
            "warning: %s: the energy balance is off by %.1e, because rounding errors have accumulated; use --set "
            "grid.precision=double",
            what, s->outcome.energy_residual);
    say_halves(w, job, what, o);
    const struct length *length = &job->rendering.length;
    if (length->chosen && !isfinite(job->rendering.decay))
        say(o->common.quiet, "%s: time.duration = auto chose %g s, by %s", what, length->seconds,
            length->seconds < length->max ? "Eyring's estimate" : "time.max_duration");
    else if (length->chosen)
        say(o->common.quiet,
            "%s: time.duration = auto chose %g s, after a decay of %.0f dB (Eyring's estimate: %.2g s)", what,
            length->seconds, fabs(job->rendering.decay), length->estimate);
    if (s->outcome.audit.balanced)
        say_more(&o->common, "%s: energy residual %.1e", what, s->outcome.energy_residual);
    return 0;
}

/* One gain for all channels and files, so that relative levels are kept. */
static double normalising_gain(const struct work *w)
{
    double peak = 0.0;
    for (size_t i = 0; i < w->job_count; i++)
        peak = fmax(peak, response_peak(&w->jobs[i].rendering.response));
    return peak > 0.0 ? 1.0 / peak : 1.0;
}

static int settle_parts(struct render_options *o, const struct work *w, struct error *e)
{
    const struct job *job = &w->jobs[0];
    char why[PICK_TEXT];
    if (o->choice.parts.count != PARTS_AUTO)
        return 0;
    o->choice.parts.count = 0;
    if (pick_parts(&o->choice, why, w->model, job->first, job->count, e))
        return -1;
    say(o->common.quiet, "note: --parts auto chose %d; a step takes %s", o->choice.parts.count, why);
    return 0;
}

static int render(void *options, struct error *e)
{
    struct render_options *o = options;
    struct work w = {0};
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = checkpoints_check(&o->checkpoint, e) || read_named_room(&w.room, &o->common, o->output.format, e) ||
                 render_is_possible(w.room, e) || plan_jobs(&w, o, e) || sofa_files_plan(&w.sofa, w.room, o, e) ||
                 positions_plan(&w, o, e) || setup_start_engine(&o->choice) || make_model(&w, o, e) ||
                 check_overwriting(&w, o->output.plot, e) || check_outputs(&w, o, e) || settle_parts(o, &w, e) ||
                 check_jobs(&w, &o->choice, e) || open_checkpoint(&w, o, e);
    if (status)
        goto done;
    describe_model(w.model, o);
    say_air(&w, o);
    say_engines_passed_over(&o->choice, &o->common);
    /* Files are written as jobs finish. Two cases wait for the last job: a common gain, and --no-clobber with
     * checkpoints, since a resumed run must not find its own files. */
    const bool wait = w.room->output.normalise != NORMALISE_NONE || (w.checkpoint && o->output.no_clobber);
    for (size_t i = 0; !status && i < w.job_count; i++) {
        status = render_job(&w, &w.jobs[i], o, e);
        if (!status && !wait)
            status = render_files_write(&w, i, 1, 1.0, o, e);
        if (!status && !wait && !o->sofa)
            rendering_free(&w.jobs[i].rendering);
    }
    if (!status && wait)
        status = render_files_write(&w, 0, w.job_count, normalising_gain(&w), o, e);
    if (!status && o->common.json)
        status = render_files_print(&w, e);
    if (!status && w.checkpoint && !fflush(stdout) && !ferror(stdout)) {
        stop_no_more_by_sigterm(); /* the outputs are complete; the run must not be restarted */
        checkpoint_remove(w.checkpoint);
    }
    if (status && e->code == ERROR_STOPPED)
        render_files_say_kept(&w, e);
done:
    if (status && e->code == ERROR_STOPPED)
        checkpoints_tell(w.checkpoint, &o->checkpoint, e);
    setup_watch_stop();
    say_phases(&o->common);
    free_work(&w);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    struct render_options *o = options;
    return processes_run(o, &o->choice, render, e);
}

static const struct option_row together = {"all-sources", 0,
                                           OPTION_FLAG,   OPTION_AT(OWN, render_options, together),
                                           NULL,          "drive all sources together and write one file"};
static const struct option_row source = {
    "source", 0, OPTION_TEXT, OPTION_AT(OWN, render_options, source), "NAME", "render only this source"};

static const struct option_row sofa = {
    "sofa", 0, OPTION_FLAG, OPTION_AT(OWN, render_options, sofa), NULL, "also write NAME.sofa with all sources"};

static const struct option_row sofa_positions = {
    "sofa-positions",
    0,
    OPTION_FLAG,
    OPTION_AT(OWN, render_options, positions),
    NULL,
    "also write NAME_positions.sofa: each receiver a position of the listener"};

static const struct option_row *const options[] = {
    &option_checkpoint, &option_every,   &option_resume,       &sofa,           &sofa_positions,
    &option_output,     &option_set,     &option_format,       &source,         &together,
    &option_plot,       &option_engine,  &option_kernel,       &option_threads, &option_parts_or_auto,
    &option_device,     &option_devices, &option_through_host, &option_no_tune, &option_no_clobber,
    &option_json,       &option_quiet,   &option_verbose,      &option_help,    NULL,
};

const struct command command_render = {
    .name = "render",
    .synopsis = "ROOM.cfg [-o NAME.wav] [--set KEY=VALUE ...]",
    .meaning = "compute the impulse responses of a room and write them as WAV files",
    .details =
        "Each source has one file (NAME_SOURCE.wav if there are several) with one channel per omni receiver. Every\n"
        "other receiver has its own file (NAME_RECEIVER.wav or NAME_SOURCE_RECEIVER.wav). NAME.json describes a\n"
        "file; `aula render NAME.json` renders it again. Without -o, files are named after the room and written\n"
        "to the current folder. -o NAME.flac writes FLAC; -o - writes to standard output, without JSON.\n"
        "aula info --keys lists every key of a room file.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct render_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct render_options, choice),
               [GROUP_OUTPUT] = offsetof(struct render_options, output),
               [GROUP_CHECKPOINT] = offsetof(struct render_options, checkpoint)},
    .many_processes = true,
    .run = run,
};
