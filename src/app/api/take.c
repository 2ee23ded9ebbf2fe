/* SPDX-License-Identifier: MIT */
/* Plays instruments by a score, as `aula synth` does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/text.h"
#include "render/synth/take_file.h"

struct aula_take {
    struct aula_room *room;
    struct session session;
    struct take take;
    char **warnings;
    size_t warning_count;
    char (*names)[CHANNEL_NAME]; /* of the channels of the receivers */
};

void aula_take_close(struct aula_take *take)
{
    if (!take)
        return;
    take_free(&take->take);
    session_free(&take->session);
    lines_free(take->warnings, take->warning_count);
    free(take->names);
    room_release(take->room);
    free(take);
}

static int add_warnings(struct aula_take *take, char *const *lines, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (lines_add(&take->warnings, &take->warning_count, e, "%s", lines[i]))
            return -1;
    return 0;
}

static int finish(struct aula_take *take, struct error *e)
{
    const struct session *s = &take->session;
    const size_t channels = take->take.air.channels;
    take->names = calloc(channels + 1, sizeof *take->names);
    if (!take->names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < channels; c++)
        room_channel_name(s->room, c, take->names[c]);
    return (s->model && add_warnings(take, s->model->warnings, s->model->warning_count, e)) ||
                   add_warnings(take, s->ensemble->warnings, s->ensemble->warning_count, e) ||
                   add_warnings(take, s->warnings, s->warning_count, e) ||
                   add_warnings(take, take->take.warnings, take->take.warning_count, e)
               ? -1
               : 0;
}

static int make(struct call *call, struct aula_take **out, const struct aula_room *room, int dry,
                const struct aula_options *options)
{
    struct error *e = &call->error;
    struct call_options given;
    if (!out)
        return call_refuse_null(call, "take", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (call_take_options(&given, call, options))
        return -1;
    struct aula_take *take = calloc(1, sizeof *take);
    if (!take)
        return fail(e, ERROR_MEMORY, "out of memory");
    take->room = room_hold(room);
    if (session_make(&take->session, room->room, dry != 0, e) || session_check(&take->session, &given.choice, e) ||
        take_make(&take->take, &take->session, &given.choice, &given.watch, e) || finish(take, e)) {
        aula_take_close(take);
        return -1;
    }
    *out = take;
    return 0;
}

int aula_take_make(struct aula_take **take, const struct aula_room *room, int dry, const struct aula_options *options,
                   struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, take, room, dry, options));
}

const char *aula_take_warning(const struct aula_take *take, size_t index)
{
    return take && index < take->warning_count ? take->warnings[index] : NULL;
}

static const struct response *part_of(const struct aula_take *take, enum aula_take_part part)
{
    return !take                       ? NULL
           : part == AULA_TAKE_AIR     ? &take->take.air
           : part == AULA_TAKE_PICKUPS ? &take->take.pickups
                                       : NULL;
}

size_t aula_take_channels(const struct aula_take *take, enum aula_take_part part)
{
    const struct response *r = part_of(take, part);
    return r ? r->channels : 0;
}

size_t aula_take_frames(const struct aula_take *take)
{
    return take ? (take->take.air.channels ? take->take.air.frames : take->take.pickups.frames) : 0;
}

double aula_take_rate(const struct aula_take *take)
{
    return take ? (take->take.air.channels ? take->take.air.rate : take->take.pickups.rate) : NAN;
}

const double *aula_take_samples(const struct aula_take *take, enum aula_take_part part, size_t channel)
{
    const struct response *r = part_of(take, part);
    return r && channel < r->channels ? r->samples + channel * r->frames : NULL;
}

const char *aula_take_channel_name(const struct aula_take *take, enum aula_take_part part, size_t channel)
{
    if (channel >= aula_take_channels(take, part))
        return NULL;
    return part == AULA_TAKE_AIR ? take->names[channel] : take->session.room->pickups[channel].name;
}

const char *aula_take_unit(const struct aula_take *take, enum aula_take_part part, size_t channel)
{
    if (channel >= aula_take_channels(take, part))
        return NULL;
    const struct room *room = take->session.room;
    if (part == AULA_TAKE_AIR) {
        const struct receiver *r = room_receiver_of(room, channel);
        return r->kind == RECEIVER_VELOCITY ? "m/s" : "Pa";
    }
    return room->instruments[room->pickups[channel].instrument].type == INSTRUMENT_WIND ? "Pa" : "m/s";
}

/* NAME.wav for the omni receivers and the pickups, NAME_RECEIVER.wav for each other receiver. */
static int name_file(struct sound_names *names, const struct aula_take *take, size_t file, const char *stem,
                     struct error *e)
{
    char text[ROOM_INPUT];
    const struct receiver *only = take_file_receiver(&take->session, file);
    names->sound = text_format("%s%s%s.wav", stem, only ? "_" : "", only ? only->name : "");
    names->json = text_format("%s%s%s.json", stem, only ? "_" : "", only ? only->name : "");
    if (!names->sound || !names->json)
        return fail(e, ERROR_MEMORY, "out of memory");
    const char *const outputs[] = {names->sound, names->json};
    for (size_t k = 0; k < 2; k++) {
        const char *input = room_input_at(take->session.room, outputs[k], k == 1, text);
        if (input)
            return fail(e, ERROR_USAGE, "%s: is %s; choose another path", outputs[k], input);
    }
    return sound_pair_check_json(names->json, e);
}

static int write_all(struct call *call, const struct aula_take *take, const char *path)
{
    struct error *e = &call->error;
    if (!take)
        return call_refuse_null(call, "take", "a performance of aula_take_make");
    if (call_check_text(call, path, "path", "the name of the file to write, such as piece.wav"))
        return -1;
    char *stem = path_with_suffix(path, "");
    const size_t count = take_file_count(&take->session);
    struct sound_names *names = calloc(count + 1, sizeof *names);
    struct take_written *files = calloc(count + 1, sizeof *files);
    struct output_set set = {0};
    double gain[2];
    int status = stem && names && files ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && strcasecmp(path + strlen(stem), ".wav") != 0)
        status = fail(e, ERROR_USAGE, "path %s: sounds are written as WAV; use a name that ends in .wav", path);
    take_gains(gain, &take->take, take->session.room);
    for (size_t i = 0; !status && i < count; i++)
        status = name_file(&names[i], take, i, stem, e) ||
                 take_file_write(&set, &files[i], &take->session, &take->take, i, &names[i], gain, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    for (size_t i = 0; i < count && names && files; i++) {
        take_written_free(&files[i]);
        sound_names_free(&names[i]);
    }
    free(files);
    free(names);
    free(stem);
    return status ? -1 : 0;
}

int aula_take_write(const struct aula_take *take, const char *path, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_all(&call, take, path));
}
