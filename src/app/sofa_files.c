/* SPDX-License-Identifier: MIT */
#include "app/sofa_files.h"

#include <stdlib.h>
#include <string.h>

#include "app/outputs.h"
#include "app/say.h"
#include "base/file.h"
#include "io/sofa/library.h"
#include "render/sofa_response.h"

void sofa_files_free(struct sofa_files *s)
{
    for (size_t i = 0; s->paths && i < s->count; i++)
        free(s->paths[i]);
    free(s->paths);
    free(s->channels);
}

/* What cannot be, whatever the names. */
static int check(const struct room *room, const struct render_options *o, struct error *e)
{
    if (sofa_library.unavailable())
        return fail(e, ERROR_USAGE, "--sofa: %s: install libnetcdf-dev and build it again", sofa_library.unavailable());
    if (o->together)
        return fail(e, ERROR_USAGE, "--all-sources and --sofa exclude each other: a SOFA file keeps the sources apart");
    if (o->output.path && !strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o - and --sofa: give a name, after which the SOFA file is named");
    for (size_t i = 0; i < room->source_count; i++)
        if (!signal_gives_response(room->sources[i].signal))
            return fail(e, ERROR_USAGE,
                        "--sofa: source %s plays a signal, and SOFA files hold impulse responses: give signal = "
                        "\"impulse\" or \"sweep\"",
                        room->sources[i].name);
    return 0;
}

/* NAME.sofa of a sound file's NAME.wav. */
static int name_file(char **path, const struct room *room, size_t file, const struct render_options *o, struct error *e)
{
    struct sound_names names = {0};
    const struct receiver *only = room_file_receiver(room, file);
    if (only && only->kind == RECEIVER_VELOCITY) {
        say(o->common.quiet, "note: --sofa: no file for receiver %s: SOFA files hold pressures, not velocities",
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
    if (check(room, o, e))
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
