#include "render/write.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "render/sidecar.h"

static int write_sound(const struct rendering *r, const struct model *m, struct output_file *file,
                       struct audio_written *written, struct error *e)
{
    const struct response *response = &r->response;
    const struct audio audio = {response->samples, response->channels, response->frames, response->rate};
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

static void take_receivers(struct response_file *f, const struct model *m, size_t file)
{
    const struct room *room = m->room;
    const struct receiver *only = room_file_receiver(room, file);
    size_t taps = 0;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        if (only ? r != only : r->kind != RECEIVER_OMNI)
            continue;
        f->room.receivers[f->room.receiver_count++] = *r;
        for (size_t k = 0; k < receiver_taps(r); k++)
            f->model.receivers[taps++] = m->receivers[room_first_tap(room, i) + k];
    }
}

int response_file_make(struct response_file *f, const struct rendering *r, const struct model *m, size_t file,
                       struct error *e)
{
    const struct response *whole = &r->response;
    f->room = *m->room;
    f->model = *m;
    f->model.room = &f->room;
    f->rendering = *r;
    f->rendering.whole = room_file_count(m->room) > 1 ? m->room : NULL;
    f->room.receiver_count = 0;
    f->room.receivers = calloc(m->room->receiver_count + 1, sizeof *f->room.receivers);
    f->model.receivers = calloc(room_tap_count(m->room) + 1, sizeof *f->model.receivers);
    size_t *channels = calloc(whole->channels + 1, sizeof *channels);
    struct response *own = &f->rendering.response;
    own->channels = channels ? room_file_channels(m->room, file, channels) : 0;
    own->samples = malloc((own->channels * whole->frames + 1) * sizeof *own->samples);
    const bool good = f->room.receivers && f->model.receivers && channels && own->samples;
    if (good)
        take_receivers(f, m, file);
    for (size_t c = 0; c < own->channels && good; c++)
        memcpy(own->samples + c * own->frames, whole->samples + channels[c] * own->frames,
               own->frames * sizeof *own->samples);
    free(channels);
    if (good)
        return 0;
    response_file_free(f);
    return fail(e, ERROR_MEMORY, "out of memory for the channels of a file");
}

void response_file_free(struct response_file *f)
{
    free(f->room.receivers);
    free(f->model.receivers);
    free(f->rendering.response.samples);
    memset(f, 0, sizeof *f);
}

int rendering_write(struct rendering *r, const struct model *m, const struct sound_names *names, bool no_clobber,
                    double gain, size_t files, struct audio_written *written, struct cJSON **described, struct error *e)
{
    struct response *response = &r->response;
    struct output_file pair[2];
    char *text = NULL;
    if (sound_pair_open(pair, names, no_clobber, e))
        return -1;
    for (size_t i = 0; i < response->channels * response->frames && gain != 1.0; i++)
        response->samples[i] *= gain;
    const char *file = path_name(names->sound);
    int status = write_sound(r, m, &pair[0], written, e);
    if (!status && names->json && !(text = sidecar_text(m, r, written, file, gain, files)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        sound_pair_discard(pair);
    else
        status = sound_pair_commit(pair, text, e);
    free(text);
    if (!status && described)
        *described = sidecar_json(m, r, written, file, gain, files);
    return status;
}
