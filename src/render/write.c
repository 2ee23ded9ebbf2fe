/* SPDX-License-Identifier: MIT */
#include "render/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output_set.h"
#include "render/sidecar.h"
#include "room/grid/model.h"

static int write_sound(const struct rendering *r, const struct model *m, struct output_file *file,
                       struct audio_written *written, struct error *e)
{
    const struct response *response = &r->response;
    const struct audio audio = {.samples = response->samples,
                                .channels = response->channels,
                                .frames = response->frames,
                                .rate = response->rate};
    char(*texts)[CHANNEL_NAME] = calloc(response->channels + 1, sizeof *texts);
    const char **names = calloc(response->channels + 1, sizeof *names);
    char *description = response_description(m, r);
    int status = names && texts && description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < response->channels; c++)
        names[c] = room_channel_name(m->room, c, texts[c]);
    struct audio_description d = {m->room->output.format,
                                  r->count > 1 ? "all sources" : m->room->sources[r->first].name, description, names};
    if (!status)
        status = audio_write_to(file, &audio, &d, written, e);
    free(description);
    free(texts);
    free(names);
    return status;
}

static void take_receivers(struct room *room, struct model *model, const struct model *m, const struct receiver *only)
{
    size_t taps = 0;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const struct receiver *r = &m->room->receivers[i];
        if (only ? r != only : r->kind != RECEIVER_OMNI)
            continue;
        room->receivers[room->receiver_count++] = *r;
        for (size_t k = 0; k < receiver_taps(r); k++)
            model->receivers[taps++] = m->receivers[room_first_tap(m->room, i) + k];
    }
}

int file_model_make(struct room *room, struct model *model, const struct model *m, const struct receiver *only,
                    struct error *e)
{
    *room = *m->room;
    *model = *m;
    model->room = room;
    room->receiver_count = 0;
    room->receivers = calloc(m->room->receiver_count + 1, sizeof *room->receivers);
    model->receivers = calloc(room_tap_count(m->room) + 1, sizeof *model->receivers);
    if (room->receivers && model->receivers) {
        take_receivers(room, model, m, only);
        return 0;
    }
    file_model_free(room, model);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void file_model_free(struct room *room, struct model *model)
{
    free(room->receivers);
    free(model->receivers);
    room->receivers = NULL;
    model->receivers = NULL;
}

int response_file_make(struct response_file *f, const struct rendering *r, const struct model *m, size_t file,
                       struct error *e)
{
    const struct response *whole = &r->response;
    memset(f, 0, sizeof *f);
    if (file_model_make(&f->room, &f->model, m, room_file_receiver(m->room, file), e))
        return -1;
    f->rendering = *r;
    f->rendering.whole = room_file_count(m->room) > 1 ? m->room : NULL;
    size_t *channels = calloc(whole->channels + 1, sizeof *channels);
    struct response *own = &f->rendering.response;
    own->channels = channels ? room_file_channels(m->room, file, channels) : 0;
    own->samples = malloc((own->channels * whole->frames + 1) * sizeof *own->samples);
    const bool good = channels && own->samples;
    for (size_t c = 0; c < own->channels && good; c++)
        memcpy(own->samples + c * own->frames, whole->samples + channels[c] * own->frames,
               own->frames * sizeof *own->samples);
    free(channels);
    if (good)
        return 0;
    response_file_free(f);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void response_file_free(struct response_file *f)
{
    file_model_free(&f->room, &f->model);
    free(f->rendering.response.samples);
    memset(f, 0, sizeof *f);
}

int rendering_write(struct output_set *set, struct rendering *r, const struct model *m, const struct sound_names *names,
                    double gain, size_t files, struct audio_written *written, struct cJSON **described, struct error *e)
{
    struct response *response = &r->response;
    struct output_file *pair[2];
    for (size_t i = 0; i < response->channels * response->frames && gain != 1.0; i++)
        response->samples[i] *= gain;
    if (sound_pair_add(pair, set, names, e) || write_sound(r, m, pair[0], written, e))
        return -1;
    char *text = pair[1] ? sidecar_text(m, r, written, names->sound, gain, files) : NULL;
    int status = text || !pair[1] ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (text)
        status = output_file_put(pair[1], text, e);
    free(text);
    if (!status && described)
        *described = sidecar_json(m, r, written, names->sound, gain, files);
    return status;
}

struct files {
    const struct room *room;
    size_t first, count; /* sources; sounds */
    const char **paths;  /* the sounds, each followed by its JSON, then the other files */
};

enum { OF_A_SOUND = 2, SAID = 600 };

/* Describes the content of a file. */
static const char *said_of(char text[SAID], const struct files *f, size_t path)
{
    const size_t sound = path / OF_A_SOUND, files = room_file_count(f->room);
    if (sound >= f->count)
        return "of the run";
    const struct receiver *only = room_file_receiver(f->room, sound % files);
    const char *source = f->count > files ? f->room->sources[f->first + sound / files].name : NULL;
    snprintf(text, SAID, "%s%s%s%s%s", source ? "of source " : "", source ? source : "", source ? " " : "",
             only ? "at receiver " : "at the omni receivers", only ? only->name : "");
    return text;
}

static int refuse(const struct files *f, const size_t pair[2], struct error *e)
{
    char one[SAID], other[SAID];
    const char *a = f->paths[pair[0]], *b = f->paths[pair[1]];
    if (!strcmp(a, b))
        return fail(e, ERROR_USAGE, "%s: is the name of two files, %s and %s; choose another name for one of them",
                    pair[1] / OF_A_SOUND < f->count ? f->paths[pair[0] - pair[0] % OF_A_SOUND] : a,
                    said_of(one, f, pair[0]), said_of(other, f, pair[1]));
    return fail(e, ERROR_USAGE, "%s and %s: are the same file through a link; remove the link, or choose another name",
                a, b);
}

int file_names_differ(const struct room *room, size_t first, const struct sound_names *names, size_t count,
                      const char *const *others, size_t other_count, struct error *e)
{
    bool found;
    size_t pair[2];
    const size_t sounds = OF_A_SOUND * count;
    struct files f = {room, first, count, calloc(sounds + other_count + 1, sizeof(const char *))};
    if (!f.paths)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        f.paths[OF_A_SOUND * i] = names[i].sound;
        f.paths[OF_A_SOUND * i + 1] = names[i].json;
    }
    for (size_t i = 0; i < other_count; i++)
        f.paths[sounds + i] = others[i];
    int status = output_clash_find(&found, pair, f.paths, sounds + other_count, e);
    if (!status && found)
        status = refuse(&f, pair, e);
    free(f.paths);
    return status ? -1 : 0;
}
