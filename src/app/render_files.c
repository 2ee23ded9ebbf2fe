/* SPDX-License-Identifier: MIT */
/* Naming and writing the sound, JSON, SOFA and picture files of aula render. */
#include "app/render_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/outputs.h"
#include "app/picture.h"
#include "app/say.h"
#include "base/file.h"
#include "base/phase_timer.h"
#include "base/text.h"
#include "io/json_build.h"
#include "io/sofa/library.h"
#include "render/sofa_response.h"
#include "render/write.h"
#include "solver/engine.h"

void render_files_free(struct job *job, size_t file_count)
{
    for (size_t f = 0; job->files && f < file_count; f++) {
        sound_names_free(&job->files[f].names);
        cJSON_Delete(job->files[f].described);
    }
    free(job->files);
    free(job->positions);
}

int render_files_name(const struct work *w, struct job *job, const struct render_options *o, struct error *e)
{
    const struct room *room = w->room;
    const bool alone = o->output.path && !strcmp(o->output.path, STANDARD_STREAM) && w->job_count * w->file_count == 1;
    job->files = calloc(w->file_count, sizeof *job->files);
    if (!job->files)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t f = 0; f < w->file_count; f++) {
        const struct receiver *only = room_file_receiver(room, f);
        const char *source = w->job_count > 1 ? room->sources[job->first].name : "";
        char *part = text_format("%s%s%s", source, *source && only ? "_" : "", only ? only->name : "");
        if (!part)
            return fail(e, ERROR_MEMORY, "out of memory");
        const int status =
            sound_names_make(&job->files[f].names, o->output.path, room->path, *part && !alone ? part : NULL, e);
        free(part);
        if (status)
            return -1;
    }
    return 0;
}

static int add_file(struct output_set *set, const struct work *w, struct job *job, size_t file, double gain,
                    const struct render_options *o, struct error *e)
{
    struct response_file part;
    struct job_file *f = &job->files[file];
    if (response_file_make(&part, &job->rendering, w->model, file, e))
        return -1;
    const int status = rendering_write(set, &part.rendering, &part.model, &f->names, gain, w->job_count * w->file_count,
                                       &f->written, o->common.json ? &f->described : NULL, e);
    f->channels = part.rendering.response.channels;
    f->peak = response_peak(&part.rendering.response);
    response_file_free(&part);
    return status;
}

static int add_sofa(struct output_set *set, const struct work *w, double gain, struct error *e)
{
    const struct rendering **renderings = calloc(w->job_count, sizeof *renderings);
    int status = renderings ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->job_count && renderings; i++)
        renderings[i] = &w->jobs[i].rendering;
    if (!status)
        status = sofa_files_write(set, &w->sofa, w->model, renderings, w->job_count, gain, e);
    free(renderings);
    return status;
}

static void say_file(const struct work *w, const struct job *job, const struct job_file *f,
                     const struct render_options *o)
{
    static const char *const air[] = {[AIR_NONE] = "lossless air",
                                      [AIR_FILTER] = "air absorption by a filter",
                                      [AIR_SCHEME] = "air absorption in the wave solver"};
    const struct response *response = &job->rendering.response;
    const char *said = output_said(f->names.sound), *json = f->names.json;
    if (f->written.gain != 1.0)
        say(false, "warning: %s: the peak exceeded full scale, so the whole file was scaled by %.6g (%.2f dB)", said,
            f->written.gain, 20.0 * log10(f->written.gain));
    say_faint(said, w->room->output.format, f->peak, "--set output.normalise=peak");
    say(o->common.quiet, "%s: %s, %zu channel%s of %.3g s at %.6g Hz, %s, %s%s%s", said,
        response->is_filter ? "impulse response" : "recorded signal", f->channels, f->channels == 1 ? "" : "s",
        (double)response->frames / response->rate, response->rate, format_names[w->room->output.format],
        air[air_method(w->room, job->first, job->count)], json ? "; described in " : "", json ? json : "");
}

/* Fills in the channels of the first file that the picture shows; returns their number. */
static size_t pictured(size_t *channels, const struct work *w)
{
    const size_t count = room_file_channels(w->room, 0, channels);
    return count < PICTURE_CHANNELS ? count : PICTURE_CHANNELS;
}

static int add_picture(struct output_set *set, const struct work *w, const char *path, struct error *e)
{
    size_t *channels = calloc(room_channel_count(w->room) + 1, sizeof *channels);
    const int status =
        channels ? picture_of_response(set, path, w->model, &w->jobs[0].rendering, channels, pictured(channels, w), e)
                 : fail(e, ERROR_MEMORY, "out of memory");
    free(channels);
    return status;
}

static void say_picture(const struct work *w, const struct render_options *o)
{
    const struct job_file *first = &w->jobs[0].files[0];
    const size_t shown = first->channels < PICTURE_CHANNELS ? first->channels : PICTURE_CHANNELS;
    size_t channels = 0;
    for (size_t f = 0; f < w->file_count; f++)
        channels += w->jobs[0].files[f].channels;
    if (shown < channels || w->job_count > 1)
        say(o->common.quiet,
            "note: %s shows the first %zu of %zu channels of %s; aula report shows more, of every file", o->output.plot,
            shown, first->channels, output_said(first->names.sound));
}

int render_files_write(struct work *w, size_t first, size_t count, double gain, const struct render_options *o,
                       struct error *e)
{
    struct output_set set = {.no_clobber = o->output.no_clobber};
    const bool last = first + count == w->job_count;
    int status = 0;
    phase_begin("writing the files");
    for (size_t i = first; i < first + count; i++)
        for (size_t f = 0; f < w->file_count && !status; f++)
            status = add_file(&set, w, &w->jobs[i], f, gain, o, e);
    for (size_t i = first; i < first + count && !status; i++)
        if (w->jobs[i].positions)
            status = sofa_positions_write(&set, w->jobs[i].positions, &w->jobs[i].rendering, w->model, gain, e);
    if (!status && o->output.plot && !first)
        status = add_picture(&set, w, o->output.plot, e);
    if (!status && o->sofa && last)
        status = add_sofa(&set, w, gain, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    phase_end();
    for (size_t i = first; i < first + count && !status; i++) {
        w->jobs[i].written = true;
        for (size_t f = 0; f < w->file_count; f++)
            say_file(w, &w->jobs[i], &w->jobs[i].files[f], o);
        if (w->jobs[i].positions)
            say(o->common.quiet, "%s: SOFA, SingleRoomSRIR: 1 source, %zu positions of the listener",
                w->jobs[i].positions, sofa_positions_count(w->room));
    }
    if (!status && o->output.plot && !first)
        say_picture(w, o);
    if (!status && o->sofa && last)
        sofa_files_say(&w->sofa, w->job_count, o->common.quiet);
    return status ? -1 : 0;
}

int render_files_print(struct work *w, struct error *e)
{
    const size_t count = w->job_count * w->file_count;
    cJSON *whole = count > 1 ? cJSON_CreateObject() : w->jobs[0].files[0].described;
    cJSON *files = count > 1 ? cJSON_AddArrayToObject(whole, "files") : NULL;
    for (size_t i = 0; i < count; i++) {
        struct cJSON **described = &w->jobs[i / w->file_count].files[i % w->file_count].described;
        if (files)
            cJSON_AddItemToArray(files, *described);
        if (files || count == 1)
            *described = NULL;
    }
    return json_print(whole, e);
}

void render_files_say_kept(const struct work *w, struct error *e)
{
    char kept[600] = "";
    size_t used = 0;
    for (size_t i = 0; i < w->job_count * w->file_count; i++)
        if (w->jobs[i / w->file_count].written && used < sizeof kept - 1)
            used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%s", used ? ", " : "",
                                     w->jobs[i / w->file_count].files[i % w->file_count].names.sound);
    const struct error reason = *e;
    if (*kept || !w->checkpoint)
        fail(e, ERROR_STOPPED, "%.300s; %s%s", reason.message, *kept ? "files written: " : "no files were written",
             kept);
}

void sofa_files_free(struct sofa_files *s)
{
    for (size_t i = 0; s->paths && i < s->count; i++)
        free(s->paths[i]);
    free(s->paths);
    free(s->channels);
}

/* Refuses the option --sofa or --sofa-positions if the build, other options or the room rule it out. */
static int check(const struct room *room, const char *option, const struct render_options *o, struct error *e)
{
    if (sofa_library.unavailable())
        return fail(e, ERROR_USAGE, "%s: %s; install libnetcdf-dev and build aula again", option,
                    sofa_library.unavailable());
    if (o->together)
        return fail(e, ERROR_USAGE,
                    "--all-sources and %s exclude each other, because SOFA stores each source separately; remove one "
                    "of them",
                    option);
    if (o->output.path && !strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o - and %s: the SOFA file needs a name; use -o NAME.wav", option);
    for (size_t i = 0; i < room->source_count; i++)
        if (!signal_gives_response(room->sources[i].signal))
            return fail(e, ERROR_USAGE,
                        "%s: source %s plays a signal, but SOFA files hold impulse responses; use signal = "
                        "\"impulse\" or \"sweep\"",
                        option, room->sources[i].name);
    return 0;
}

/* Names the SOFA file after the sound file: NAME.sofa beside NAME.wav. */
static int name_file(char **path, const struct room *room, size_t file, const struct render_options *o, struct error *e)
{
    struct sound_names names = {0};
    const struct receiver *only = room_file_receiver(room, file);
    if (only && only->kind == RECEIVER_VELOCITY) {
        say(o->common.quiet, "note: --sofa: no file for receiver %s, because SOFA files hold pressures, not velocities",
            only->name);
        return 0;
    }
    int status = sound_names_make(&names, o->output.path, room->path, only ? only->name : NULL, e);
    *path = status ? NULL : path_with_suffix(names.sound, ".sofa");
    sound_names_free(&names);
    if (!status && !*path)
        status = fail(e, ERROR_MEMORY, "out of memory");
    return status ? -1 : outputs_check((const char *const *)path, 1, o->output.no_clobber, e);
}

int sofa_files_plan(struct sofa_files *s, const struct room *room, const struct render_options *o, struct error *e)
{
    *s = (struct sofa_files){0};
    if (!o->sofa)
        return 0;
    if (check(room, "--sofa", o, e))
        return -1;
    s->paths = calloc(room_file_count(room), sizeof *s->paths);
    s->channels = calloc(room_file_count(room), sizeof *s->channels);
    if (!s->paths || !s->channels)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (; s->count < room_file_count(room); s->count++)
        if (name_file(&s->paths[s->count], room, s->count, o, e))
            return -1;
    return 0;
}

int positions_plan(struct work *w, const struct render_options *o, struct error *e)
{
    if (!o->positions)
        return 0;
    if (check(w->room, "--sofa-positions", o, e) || sofa_positions_check(w->room, e))
        return -1;
    for (size_t i = 0; i < w->job_count; i++) {
        struct job *job = &w->jobs[i];
        struct sound_names names = {0};
        char *part =
            w->job_count > 1 ? text_format("%s_positions", w->room->sources[job->first].name) : text_copy("positions");
        int status = part ? sound_names_make(&names, o->output.path, w->room->path, part, e)
                          : fail(e, ERROR_MEMORY, "out of memory");
        job->positions = status ? NULL : path_with_suffix(names.sound, ".sofa");
        if (!status && !job->positions)
            status = fail(e, ERROR_MEMORY, "out of memory");
        sound_names_free(&names);
        free(part);
        if (status || outputs_check((const char *const *)&job->positions, 1, o->output.no_clobber, e))
            return -1;
    }
    return 0;
}

static int write_file(struct output_set *set, const struct sofa_files *s, size_t file, struct response_file *parts,
                      const struct model *m, const struct rendering *const *renderings, size_t count, double gain,
                      struct error *e)
{
    size_t made = 0;
    int status = 0;
    while (made < count && !(status = response_file_make(&parts[made], renderings[made], m, file, e)))
        made++;
    if (!status)
        status = sofa_response_write(set, s->paths[file], parts, count, gain, e);
    if (!status)
        s->channels[file] = parts[0].rendering.response.channels;
    while (made)
        response_file_free(&parts[--made]);
    return status ? -1 : 0;
}

int sofa_files_write(struct output_set *set, const struct sofa_files *s, const struct model *m,
                     const struct rendering *const *renderings, size_t count, double gain, struct error *e)
{
    struct response_file *parts = calloc(count, sizeof *parts);
    int status = parts ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t f = 0; f < s->count && !status; f++)
        if (s->paths[f])
            status = write_file(set, s, f, parts, m, renderings, count, gain, e);
    free(parts);
    return status;
}

void sofa_files_say(const struct sofa_files *s, size_t sources, bool quiet)
{
    for (size_t f = 0; f < s->count; f++)
        if (s->paths[f])
            say(quiet, "%s: SOFA, %s: %zu source%s, %zu receiver channel%s", s->paths[f],
                sources == 1 ? "SingleRoomSRIR" : "SingleRoomMIMOSRIR", sources, sources == 1 ? "" : "s",
                s->channels[f], s->channels[f] == 1 ? "" : "s");
}
