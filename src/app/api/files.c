/* SPDX-License-Identifier: MIT */
/* Writes responses to sound files, as `aula render` does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/text.h"
#include "render/write.h"

int call_check_set(struct call *call, const struct aula_response *const *responses, size_t count)
{
    struct error *e = &call->error;
    if (call_check_responses(call, responses, count, "one response, or the responses to all sources"))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct rendering *r = &responses[i]->rendering;
        const size_t sources = responses[i]->room->room->source_count;
        if (count > 1 &&
            (responses[i]->room != responses[0]->room || count != sources || r->count != 1 || r->first != i))
            return fail(
                e, ERROR_USAGE,
                "responses[%zu]: a file of several responses holds those to all %zu sources of one room, in their "
                "order; write other responses one by one, each to a path of its own",
                i, responses[0]->room->room->source_count);
    }
    return 0;
}

/* Names the files names[count][files] NAME_SOURCE_RECEIVER: the source if there are several, the receiver for all files
 * except the one of the omni receivers. */
static int name_files(struct call *call, struct sound_names *names, const struct aula_response *const *responses,
                      size_t count, const char *path)
{
    char *stem = path_with_suffix(path, "");
    const struct room *room = responses[0]->room->room;
    int status = 0;
    if (!stem)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (strcasecmp(path + strlen(stem), ".wav") != 0)
        status = fail(&call->error, ERROR_USAGE,
                      "path %s: sounds are written as WAV; use a name that ends in .wav, such as %s.wav", path,
                      *path_name(stem) ? stem : "response");
    const size_t files = room_file_count(room);
    for (size_t i = 0; !status && i < count * files; i++) {
        const struct receiver *only = room_file_receiver(room, i % files);
        const char *source = count > 1 ? room->sources[i / files].name : "", *name = only ? only->name : "";
        const char *first = *source ? "_" : "", *second = only ? "_" : "";
        names[i].sound = text_format("%s%s%s%s%s.wav", stem, first, source, second, name);
        names[i].json = text_format("%s%s%s%s%s.json", stem, first, source, second, name);
        if (!names[i].sound || !names[i].json)
            status = fail(&call->error, ERROR_MEMORY, "out of memory");
    }
    free(stem);
    return status;
}

/* Refuses outputs that are inputs of the room; a sidecar that was rendered again may be replaced. */
static int check_names(struct call *call, const struct room *room, const struct sound_names *names, size_t count)
{
    char text[ROOM_INPUT];
    for (size_t i = 0; i < count; i++) {
        const char *const outputs[] = {names[i].sound, names[i].json};
        for (size_t k = 0; k < 2; k++) {
            const char *input = room_input_at(room, outputs[k], k == 1, text);
            if (input)
                return fail(&call->error, ERROR_USAGE, "%s: is %s; choose another path", outputs[k], input);
        }
        if (sound_pair_check_json(names[i].json, &call->error))
            return -1;
    }
    return file_names_differ(room, 0, names, count, NULL, 0, &call->error);
}

double responses_gain(const struct aula_response *const *responses, size_t count)
{
    double peak = 0.0;
    if (responses[0]->room->room->output.normalise == NORMALISE_NONE)
        return 1.0;
    for (size_t i = 0; i < count; i++)
        peak = fmax(peak, response_peak(&responses[i]->rendering.response));
    return peak > 0.0 ? 1.0 / peak : 1.0;
}

/* Adds one file to the set. The gain is applied to a copy of the samples. */
static int write_one(struct output_set *set, struct call *call, const struct aula_response *response, size_t file,
                     const struct sound_names *names, double gain, size_t files)
{
    struct audio_written written;
    struct response_file part;
    if (response_file_make(&part, &response->rendering, response->model, file, &call->error))
        return -1;
    const int status =
        rendering_write(set, &part.rendering, &part.model, names, gain, files, &written, NULL, &call->error);
    response_file_free(&part);
    return status;
}

static int write_all(struct call *call, const struct aula_response *const *responses, size_t count, const char *path)
{
    if (call_check_text(call, path, "path", "the name of the file to write, such as room.wav") ||
        call_check_set(call, responses, count))
        return -1;
    const size_t files = room_file_count(responses[0]->room->room), all = count * files;
    struct output_set set = {0};
    struct sound_names *names = calloc(all, sizeof *names);
    if (!names)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    int status =
        name_files(call, names, responses, count, path) || check_names(call, responses[0]->room->room, names, all);
    const double gain = responses_gain(responses, count);
    for (size_t i = 0; !status && i < all; i++)
        status = write_one(&set, call, responses[i / files], i % files, &names[i], gain, all);
    if (!status)
        status = output_set_commit(&set, &call->error);
    output_set_discard(&set);
    for (size_t i = 0; i < all; i++)
        sound_names_free(&names[i]);
    free(names);
    return status ? -1 : 0;
}

int aula_responses_write(const struct aula_response *const *responses, size_t count, const char *path,
                         struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_all(&call, responses, count, path));
}
