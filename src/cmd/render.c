/* aula render: from a room file to a response in a WAV file, with its JSON beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/outputs.h"
#include "cmd/picture.h"
#include "cmd/progress.h"
#include "cmd/say.h"
#include "cmd/setup_watch.h"
#include "cmd/shipped.h"
#include "cmd/sofa_files.h"
#include "cmd/source.h"
#include "io/json_print.h"
#include "render/render.h"
#include "render/write.h"

#define RESIDUAL_WORST 1e-2 /* of the energy that the sources supplied: beyond it a response is wrong */

/* What is rendered at once: its sources, and its files. */
struct job {
    size_t first, count;
    struct sound_names *names; /* [room_file_count] */
    struct rendering rendering;
    struct cJSON **described; /* [room_file_count]; with --json: what to print of each */
    bool rendered, written;
};

struct work {
    struct room *room;
    struct model *model;
    struct job *jobs;
    size_t job_count, file_count; /* files: of a job */
    struct sofa_files sofa;
};

static void free_work(struct work *w)
{
    for (size_t i = 0; w->jobs && i < w->job_count; i++) {
        for (size_t f = 0; f < w->file_count; f++) {
            if (w->jobs[i].names)
                sound_names_free(&w->jobs[i].names[f]);
            if (w->jobs[i].described)
                cJSON_Delete(w->jobs[i].described[f]);
        }
        free(w->jobs[i].names);
        free(w->jobs[i].described);
        rendering_free(&w->jobs[i].rendering);
    }
    free(w->jobs);
    sofa_files_free(&w->sofa);
    model_free(w->model);
    room_free(w->room);
}

/* NAME_SOURCE_RECEIVER: the source where there are several, the receiver of all but that of the omni receivers. */
static int name_files(const struct work *w, struct job *job, const struct options *o, struct error *e)
{
    const struct room *room = w->room;
    const bool alone = o->output && !strcmp(o->output, STANDARD_STREAM) && w->job_count * w->file_count == 1;
    job->names = calloc(w->file_count, sizeof *job->names);
    job->described = calloc(w->file_count, sizeof *job->described);
    if (!job->names || !job->described)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t f = 0; f < w->file_count; f++) {
        const struct receiver *only = room_file_receiver(room, f);
        const char *source = w->job_count > 1 ? room->sources[job->first].name : "";
        char *part = text_format("%s%s%s", source, *source && only ? "_" : "", only ? only->name : "");
        if (!part)
            return fail(e, ERROR_MEMORY, "out of memory");
        const int status = sound_names_make(&job->names[f], o->output, room->path, *part && !alone ? part : NULL, e);
        free(part);
        if (status)
            return -1;
    }
    return 0;
}

static int plan_jobs(struct work *w, const struct options *o, struct error *e)
{
    const struct room *room = w->room;
    size_t only = 0;
    if (o->together && o->source)
        return fail(e, ERROR_USAGE, "--together and --source exclude each other");
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
        status = name_files(w, job, o, e);
    }
    if (!status && o->json && !w->jobs[0].names[0].json)
        status = fail(e, ERROR_USAGE, "-o - and --json: standard output takes one of them");
    return status;
}

static int make_model(struct work *w, const struct options *o, struct error *e)
{
    const struct job *first = &w->jobs[0], *last = &w->jobs[w->job_count - 1];
    const struct grid_use use = {.purpose = o->together ? PURPOSE_TOGETHER : PURPOSE_RESPONSES,
                                 .first = first->first,
                                 .count = last->first + last->count - first->first};
    return model_make_for(&w->model, w->room, &use, e);
}

static int check_overwriting(const struct work *w, const char *plot, struct error *e)
{
    if (plot_check_name(plot, e))
        return -1;
    for (size_t i = 0; i < w->job_count * w->file_count; i++) {
        const struct sound_names *names = &w->jobs[i / w->file_count].names[i % w->file_count];
        const char *const outputs[OUTPUTS] = {names->sound, names->json, plot};
        if (outputs_keep_inputs(w->room, outputs, e))
            return -1;
    }
    return 0;
}

/* Checks the files, and that they can hold the sound: FLAC holds less than WAV. */
static int check_outputs(const struct work *w, const struct options *o, struct error *e)
{
    struct room *room = w->room;
    const double rate = room->output.rate > 0.0 ? room->output.rate : w->model->grid.rate;
    size_t *channels = calloc(room_channel_count(room) + 1, sizeof *channels);
    int status = channels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->job_count * w->file_count && !status; i++) {
        const struct sound_names *names = &w->jobs[i / w->file_count].names[i % w->file_count];
        const char *const paths[OUTPUTS] = {names->sound, names->json, i ? NULL : o->plot};
        const size_t count = room_file_channels(room, i % w->file_count, channels);
        status = outputs_settle_format(room, o, paths[OUTPUT_SOUND], count, rate, e) ||
                 outputs_check(paths, OUTPUTS, o->no_clobber, e);
    }
    free(channels);
    return status ? -1 : 0;
}

static void describe_model(const struct model *m, const struct options *o)
{
    const struct grid *g = &m->grid;
    say(o->quiet, "%s: %zu x %zu x %zu points of %.4g m at %.6g Hz, %s precision; believable to %.0f Hz", m->room->path,
        g->points[0], g->points[1], g->points[2], g->spacing, g->rate, precision_names[m->room->grid.precision],
        g->valid_frequency);
    if (!o->quiet)
        say_lines("note", m->notes, m->note_count);
    say_lines("warning", m->warnings, m->warning_count);
}

/* Prints the note on losses of the air for each method that a job uses. */
static void say_air(const struct work *w, const struct options *o)
{
    bool taken[AIR_SCHEME + 1] = {false};
    for (size_t i = 0; i < w->job_count; i++)
        taken[air_method(w->room, w->jobs[i].first, w->jobs[i].count)] = true;
    for (int method = AIR_FILTER; method <= AIR_SCHEME; method++) {
        char *note = taken[method] && !o->quiet ? model_air_note(w->model, (enum air_method)method) : NULL;
        if (note)
            say(false, "note: %s", note);
        free(note);
    }
}

static int check_jobs(const struct work *w, const struct choice *choice, struct error *e)
{
    for (size_t i = 0; i < w->job_count; i++)
        if (render_check(w->model, w->jobs[i].first, w->jobs[i].count, choice, e))
            return -1;
    return 0;
}

static int render_job(struct work *w, struct job *job, const struct options *o, struct error *e)
{
    struct progress progress;
    const char *what = job->count > 1 ? "all sources" : w->room->sources[job->first].name;
    const struct watch watch = {progress_look, &progress};
    char took[32];
    progress_start(&progress, what, o->quiet);
    int status = render_sources(&job->rendering, w->model, job->first, job->count, &o->choice, &watch, e);
    progress_end(&progress);
    if (status)
        return -1;
    job->rendered = true;
    const struct simulation *s = &job->rendering.simulation;
    if (*s->requirement.passed_over)
        say(o->quiet, "note: not on the %s", s->requirement.passed_over);
    say_lines("warning", job->rendering.warnings, job->rendering.warning_count);
    say_more(o, "%s: %zu steps in %s by %s/%s, %.0f Mvox/s", what, s->steps, say_duration(took, s->outcome.seconds),
             s->requirement.engine, s->requirement.kernel,
             (double)grid_points(&w->model->grid) * (double)s->steps / s->outcome.seconds * 1e-6);
    if (s->outcome.audit.balanced && !(s->outcome.energy_residual <= RESIDUAL_WORST))
        say(false,
            "warning: %s: the energy balance is off by %.1e: rounding has become part of the sound; --set "
            "grid.precision=double mends it",
            what, s->outcome.energy_residual);
    const struct length *length = &job->rendering.length;
    if (length->chosen && !isfinite(job->rendering.decay))
        say(o->quiet, "%s: time.duration = auto became %g s, by %s", what, length->seconds,
            length->seconds < length->max ? "Eyring's estimate alone" : "time.max_duration");
    else if (length->chosen)
        say(o->quiet,
            "%s: time.duration = auto became %g s, when the decay is %.0f dB down (Eyring's estimate: %.2g s)", what,
            length->seconds, fabs(job->rendering.decay), length->estimate);
    if (s->outcome.audit.balanced)
        say_more(o, "%s: energy residual %.1e", what, s->outcome.energy_residual);
    return 0;
}

static int write_file(const struct work *w, struct job *job, size_t file, double gain, const struct options *o,
                      struct error *e)
{
    struct audio_written written;
    struct response_file part;
    const struct sound_names *names = &job->names[file];
    if (response_file_make(&part, &job->rendering, w->model, file, e))
        return -1;
    const struct response *response = &part.rendering.response;
    if (rendering_write(&part.rendering, &part.model, names, o->no_clobber, gain, w->job_count * w->file_count,
                        &written, o->json ? &job->described[file] : NULL, e)) {
        response_file_free(&part);
        return -1;
    }
    if (written.gain != 1.0)
        say(false, "warning: %s: the peak is above full scale: the whole file is scaled by %.6g (%.2f dB)",
            output_said(names->sound), written.gain, 20.0 * log10(written.gain));
    say_faint(output_said(names->sound), w->room->output.format, response_peak(response),
              "--set output.normalise=peak");
    static const char *const air[] = {[AIR_NONE] = "lossless air",
                                      [AIR_FILTER] = "air absorption by a filter",
                                      [AIR_SCHEME] = "air absorption in the scheme"};
    const char *json = names->json;
    say(o->quiet, "%s: %s, %zu channel%s of %.3g s at %.6g Hz, %s, %s%s%s", output_said(names->sound),
        response->is_filter ? "impulse response" : "recorded signal", response->channels,
        response->channels == 1 ? "" : "s", (double)response->frames / response->rate, response->rate,
        format_names[w->room->output.format], air[air_method(w->room, job->first, job->count)],
        json ? "; described in " : "", json ? json : "");
    response_file_free(&part);
    return 0;
}

static int write_job(struct work *w, struct job *job, double gain, const struct options *o, struct error *e)
{
    for (size_t f = 0; f < w->file_count; f++)
        if (write_file(w, job, f, gain, o, e))
            return -1;
    job->written = true;
    return 0;
}

/* One document: the JSON beside the file, or for several files a list of them. */
static int print_json(struct work *w, struct error *e)
{
    const size_t count = w->job_count * w->file_count;
    cJSON *whole = count > 1 ? cJSON_CreateObject() : w->jobs[0].described[0];
    cJSON *files = count > 1 ? cJSON_AddArrayToObject(whole, "files") : NULL;
    for (size_t i = 0; i < count; i++) {
        struct cJSON **described = &w->jobs[i / w->file_count].described[i % w->file_count];
        if (files)
            cJSON_AddItemToArray(files, *described);
        *described = NULL;
    }
    return json_print(whole, e);
}

/* One gain for every channel and file, so that levels keep their relation. */
static double normalising_gain(const struct work *w)
{
    double peak = 0.0;
    if (w->room->output.normalise == NORMALISE_NONE)
        return 1.0;
    for (size_t i = 0; i < w->job_count; i++)
        peak = fmax(peak, response_peak(&w->jobs[i].rendering.response));
    return peak > 0.0 ? 1.0 / peak : 1.0;
}

static void say_what_was_kept(const struct work *w, struct error *e)
{
    char kept[600] = "";
    size_t used = 0;
    for (size_t i = 0; i < w->job_count * w->file_count; i++)
        if (w->jobs[i / w->file_count].written && used < sizeof kept - 1)
            used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%s", used ? ", " : "",
                                     w->jobs[i / w->file_count].names[i % w->file_count].sound);
    struct error reason = *e;
    fail(e, ERROR_STOPPED, "%.300s; %s%s", reason.message, *kept ? "kept: " : "nothing was kept", kept);
}

static int write_sofa(const struct work *w, double gain, const struct options *o, struct error *e)
{
    const struct rendering **renderings = calloc(w->job_count, sizeof *renderings);
    int status = renderings ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->job_count && renderings; i++)
        renderings[i] = &w->jobs[i].rendering;
    if (!status)
        status = sofa_files_write(&w->sofa, w->model, renderings, w->job_count, gain, o, e);
    free(renderings);
    return status;
}

static int run(const struct options *o, struct error *e)
{
    struct work w = {0};
    setup_watch_start(o->arguments[0], o->quiet);
    int status = read_named_room(&w.room, o, e) || render_is_possible(w.room, e) || plan_jobs(&w, o, e) ||
                 sofa_files_plan(&w.sofa, w.room, o, e) || setup_start_engine(&o->choice) || make_model(&w, o, e) ||
                 check_overwriting(&w, o->plot, e) || check_outputs(&w, o, e) || check_jobs(&w, &o->choice, e);
    if (status)
        goto done;
    describe_model(w.model, o);
    say_air(&w, o);
    say_engines_passed_over(o);
    /* Files are written as they come; only a common gain has to wait for all of them. */
    const bool wait = w.room->output.normalise != NORMALISE_NONE;
    for (size_t i = 0; !status && i < w.job_count; i++) {
        status = render_job(&w, &w.jobs[i], o, e);
        if (!status && !wait)
            status = write_job(&w, &w.jobs[i], 1.0, o, e);
        if (!status && !wait && !o->plot && !o->sofa)
            rendering_free(&w.jobs[i].rendering);
    }
    const double gain = status ? 1.0 : normalising_gain(&w);
    for (size_t i = 0; !status && wait && i < w.job_count; i++)
        status = write_job(&w, &w.jobs[i], gain, o, e);
    if (!status && o->sofa)
        status = write_sofa(&w, gain, o, e);
    if (!status && o->plot)
        status = picture_of_response(o->plot, w.model, &w.jobs[0].rendering, e);
    if (!status && o->json)
        status = print_json(&w, e);
    if (status && e->code == ERROR_STOPPED)
        say_what_was_kept(&w, e);
done:
    setup_watch_stop();
    say_phases(o);
    free_work(&w);
    return status ? -1 : 0;
}

static const struct option_row together = {
    "together", 0, OPTION_FLAG, offsetof(struct options, together), NULL, "drive all sources at once, into one file"};
static const struct option_row source = {
    "source", 0, OPTION_TEXT, offsetof(struct options, source), "NAME", "render this source only"};

static const struct option_row sofa = {
    "sofa", 0, OPTION_FLAG, offsetof(struct options, sofa), NULL, "write NAME.sofa, too, with all sources in it"};

static const struct option_row *const options[] = {
    &sofa,          &option_output,  &option_set,     &option_format, &source,         &together,          &option_plot,
    &option_engine, &option_kernel,  &option_threads, &option_device, &option_no_tune, &option_no_clobber, &option_json,
    &option_quiet,  &option_verbose, &option_help,    NULL,
};

const struct command command_render = {
    .name = "render",
    .synopsis = "ROOM.cfg [-o NAME.wav] [--set KEY=VALUE ...]",
    .meaning = "a room file to an impulse response in a WAV file",
    .details = "One file for each source (NAME_SOURCE.wav when there are several), one channel for each omni receiver; "
               "one more\n"
               "for each of the other receivers (NAME_RECEIVER.wav, NAME_SOURCE_RECEIVER.wav), and NAME.json\n"
               "beside it, which `aula render NAME.json` renders again. Without -o the file is named after the room, "
               "in this folder;\n-o NAME.flac is FLAC, -o - standard output, without JSON.\n"
               "aula info --keys lists every key of a room file.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .run = run,
};
