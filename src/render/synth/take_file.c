/* SPDX-License-Identifier: MIT */
#include "render/synth/take_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/write.h"

static size_t omni_count(const struct session *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->room->receiver_count && s->model; i++)
        count += s->room->receivers[i].kind == RECEIVER_OMNI;
    return count;
}

static bool has_common(const struct session *s)
{
    return omni_count(s) > 0 || s->room->pickup_count > 0;
}

size_t take_file_count(const struct session *s)
{
    const size_t others = s->model ? s->room->receiver_count - omni_count(s) : 0;
    return others + has_common(s);
}

const struct receiver *take_file_receiver(const struct session *s, size_t file)
{
    if (has_common(s) && !file--)
        return NULL;
    for (size_t i = 0; i < s->room->receiver_count; i++)
        if (s->room->receivers[i].kind != RECEIVER_OMNI && !file--)
            return &s->room->receivers[i];
    return NULL;
}

/* Channels of the receivers, followed in the file of omni receivers by all pickups. */
static void list_channels(struct take_file *f, const struct session *s)
{
    const struct room *room = s->room;
    for (size_t i = 0, channel = 0; i < room->receiver_count && s->model; i++)
        for (size_t k = 0; k < receiver_channels(&room->receivers[i]); k++, channel++) {
            const struct receiver *r = &room->receivers[i];
            if (f->receiver ? r != f->receiver : r->kind != RECEIVER_OMNI)
                continue;
            room_channel_name(room, channel, f->texts[f->count]);
            f->channels[f->count++] = channel;
        }
    f->air = f->count;
    for (size_t i = 0; i < room->pickup_count && !f->receiver; i++) {
        snprintf(f->texts[f->count], CHANNEL_NAME, "%s", room->pickups[i].name);
        f->channels[f->count++] = i;
    }
    for (size_t c = 0; c < f->count; c++)
        f->names[c] = f->texts[c];
}

int take_file_make(struct take_file *f, const struct session *s, size_t file, struct error *e)
{
    const size_t most = room_channel_count(s->room) + s->room->pickup_count;
    memset(f, 0, sizeof *f);
    f->receiver = take_file_receiver(s, file);
    f->channels = calloc(most + 1, sizeof *f->channels);
    f->texts = calloc(most + 1, sizeof *f->texts);
    f->names = calloc(most + 1, sizeof *f->names);
    int status = f->channels && f->texts && f->names ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && s->model)
        status = file_model_make(&f->room, &f->model, s->model, f->receiver, e);
    if (!status)
        list_channels(f, s);
    else
        take_file_free(f);
    return status;
}

void take_file_free(struct take_file *f)
{
    file_model_free(&f->room, &f->model);
    free(f->channels);
    free(f->texts);
    free(f->names);
    memset(f, 0, sizeof *f);
}

int take_file_mix(struct audio *audio, const struct take_file *f, const struct take *take, const double gain[2],
                  struct error *e)
{
    const struct response *parts[] = {&take->air, &take->pickups};
    const struct response *any = take->air.channels ? &take->air : &take->pickups;
    *audio = (struct audio){.samples = malloc((f->count * any->frames + 1) * sizeof(double)),
                            .channels = f->count,
                            .frames = any->frames,
                            .rate = any->rate};
    if (!audio->samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < f->count; c++) {
        const int part = c >= f->air;
        const double *from = parts[part]->samples + f->channels[c] * any->frames;
        for (size_t n = 0; n < any->frames; n++)
            audio->samples[c * any->frames + n] = gain[part] * from[n];
    }
    return 0;
}
