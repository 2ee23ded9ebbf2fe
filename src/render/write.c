#include "render/write.h"

#include <stdlib.h>

#include "base/file.h"
#include "render/sidecar.h"

static int write_sound(const struct rendering *r, const struct model *m, struct output_file *file,
                       struct audio_written *written, struct error *e)
{
    const struct response *response = &r->response;
    const struct audio audio = {response->samples, response->channels, response->frames, response->rate};
    const char **names = calloc(response->channels + 1, sizeof *names);
    char *description = response_description(m, r);
    int status = names && description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < response->channels; c++)
        names[c] = room_receiver_of(m->room, c)->name;
    struct audio_description d = {m->room->output.format,
                                  r->count > 1 ? "all sources" : m->room->sources[r->first].name, description, names};
    if (!status)
        status = audio_write_to(file, &audio, &d, written, e);
    free(description);
    free(names);
    return status;
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
