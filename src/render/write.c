#include "render/write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "render/sidecar.h"

static int write_sound(const struct rendering *r, const struct model *m, const char *path,
                       struct audio_written *written, struct error *e)
{
    const struct response *response = &r->response;
    const struct audio audio = {response->samples, response->channels, response->frames, response->rate};
    const char **names = calloc(response->channels + 1, sizeof *names);
    char *description = response_description(m, r);
    int status = names && description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < response->channels; c++)
        names[c] = m->room->receivers[c].name;
    struct audio_description d = {m->room->output.format,
                                  r->count > 1 ? "all sources" : m->room->sources[r->first].name, description, names};
    if (!status)
        status = audio_write(path, &audio, &d, written, e);
    free(description);
    free(names);
    return status;
}

int rendering_write(struct rendering *r, const struct model *m, const char *wav, const char *json, double gain,
                    size_t files, struct audio_written *written, char **text, struct error *e)
{
    struct response *response = &r->response;
    for (size_t i = 0; i < response->channels * response->frames && gain != 1.0; i++)
        response->samples[i] *= gain;
    if (write_sound(r, m, wav, written, e))
        return -1;
    char *description = sidecar_text(m, r, written, path_name(wav), gain, files);
    const int status = description ? output_file_text(json, description, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        remove(wav); /* a response without its description is a half result */
    if (!status && text)
        *text = description;
    else
        free(description);
    return status;
}
