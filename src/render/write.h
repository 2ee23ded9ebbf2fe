/* Writes a response: the WAV, and the JSON beside it. */
#ifndef AULA_RENDER_WRITE_H
#define AULA_RENDER_WRITE_H

#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"

struct cJSON;

/* The response as the channels of one of its files (room_file_count), with the room of their receivers alone. */
struct response_file {
    struct room room;
    struct model model;
    struct rendering rendering; /* of its own: the samples of its response */
};
int response_file_make(struct response_file *f, const struct rendering *r, const struct model *m, size_t file,
                       struct error *e);
void response_file_free(struct response_file *f);

/* Scales the samples by `gain` in place and writes them and their description: both files or neither. `files`: number
 * of files of the run, which share the gain. *described (may be NULL): the JSON, fresh, for json_print. */
int rendering_write(struct rendering *r, const struct model *m, const struct sound_names *names, bool no_clobber,
                    double gain, size_t files, struct audio_written *written, struct cJSON **described,
                    struct error *e);

#endif
