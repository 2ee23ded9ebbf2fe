/* SPDX-License-Identifier: MIT */
/* Writes responses to SOFA files, as `aula render --sofa` does. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/text.h"
#include "io/sofa/library.h"
#include "render/sofa_response.h"

static int check(struct call *call, const struct aula_response *const *responses, size_t count, const char *path)
{
    struct error *e = &call->error;
    const char *suffix = path ? strrchr(path, '.') : NULL;
    if (call_check_text(call, path, "path", "the name of the file to write, such as room.sofa") ||
        call_check_set(call, responses, count))
        return -1;
    if (!suffix || strcasecmp(suffix, ".sofa") != 0)
        return fail(e, ERROR_USAGE, "path %s: is not the name of a SOFA file; use one that ends in .sofa", path);
    if (sofa_library.unavailable())
        return fail(e, ERROR_USAGE, "path %s: %s; install libnetcdf-dev and build aula again", path,
                    sofa_library.unavailable());
    for (size_t i = 0; i < count; i++) {
        const struct rendering *r = &responses[i]->rendering;
        if (r->count > 1)
            return fail(e, ERROR_USAGE,
                        "responses[%zu] is of all sources together, but SOFA stores each source separately; render "
                        "them one by one",
                        i);
        if (!r->response.is_filter)
            return fail(e, ERROR_USAGE,
                        "responses[%zu] is a recorded signal, but SOFA files hold impulse responses; use signal = "
                        "\"impulse\" or \"sweep\"",
                        i);
    }
    return 0;
}

/* Refuses a path at which an input of the room lies. */
static int keep_inputs(const struct room *room, const char *path, struct error *e)
{
    char text[ROOM_INPUT];
    const char *input = room_input_at(room, path, false, text);
    return input ? fail(e, ERROR_USAGE, "%s: is %s; choose another path", path, input) : 0;
}

static int write_file(struct output_set *set, const struct aula_response *const *responses, size_t count, size_t file,
                      const char *path, struct error *e)
{
    struct response_file *parts = calloc(count, sizeof *parts);
    size_t made = 0;
    int status = parts ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    while (!status && made < count) {
        const struct aula_response *r = responses[made];
        if (!(status = response_file_make(&parts[made], &r->rendering, r->model, file, e)))
            made++;
    }
    status = status || sofa_response_write(set, path, parts, count, responses_gain(responses, count), e);
    while (made)
        response_file_free(&parts[--made]);
    free(parts);
    return status ? -1 : 0;
}

static int write_all(struct call *call, const struct aula_response *const *responses, size_t count, const char *path)
{
    struct error *e = &call->error;
    struct output_set set = {0};
    if (check(call, responses, count, path))
        return -1;
    const struct room *room = responses[0]->room->room;
    char *stem = path_with_suffix(path, "");
    size_t written = 0;
    int status = stem ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t file = 0; !status && file < room_file_count(room); file++) {
        const struct receiver *only = room_file_receiver(room, file);
        if (only && only->kind == RECEIVER_VELOCITY)
            continue;
        char *name = only ? text_format("%s_%s.sofa", stem, only->name) : text_copy(path);
        status = !name ? fail(e, ERROR_MEMORY, "out of memory")
                       : keep_inputs(room, name, e) || write_file(&set, responses, count, file, name, e);
        free(name);
        written++;
    }
    if (!status && !written)
        status = fail(e, ERROR_USAGE, "path %s: SOFA files hold pressures, and all receivers are of velocities", path);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    free(stem);
    return status ? -1 : 0;
}

int aula_responses_write_sofa(const struct aula_response *const *responses, size_t count, const char *path,
                              struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_all(&call, responses, count, path));
}

static int write_positions(struct call *call, const struct aula_response *const *responses, size_t count,
                           const char *path)
{
    struct error *e = &call->error;
    struct output_set set = {0};
    if (check(call, responses, count, path) || sofa_positions_check(responses[0]->room->room, e))
        return -1;
    const struct room *room = responses[0]->room->room;
    const double gain = responses_gain(responses, count);
    char *stem = path_with_suffix(path, "");
    int status = stem ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++) {
        const struct aula_response *r = responses[i];
        char *name = count > 1 ? text_format("%s_%s.sofa", stem, room->sources[i].name) : text_copy(path);
        status = !name
                     ? fail(e, ERROR_MEMORY, "out of memory")
                     : keep_inputs(room, name, e) || sofa_positions_write(&set, name, &r->rendering, r->model, gain, e);
        free(name);
    }
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    free(stem);
    return status ? -1 : 0;
}

int aula_responses_write_positions(const struct aula_response *const *responses, size_t count, const char *path,
                                   struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_positions(&call, responses, count, path));
}
