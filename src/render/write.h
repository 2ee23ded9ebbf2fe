/* Writes a response: the WAV, and the JSON beside it. */
#ifndef AULA_RENDER_WRITE_H
#define AULA_RENDER_WRITE_H

#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"

struct cJSON;

/* Scales the samples by `gain` in place and writes them and their description: both files or neither. `files`: number
 * of files of the run, which share the gain. *described (may be NULL): the JSON, fresh, for json_print. */
int rendering_write(struct rendering *r, const struct model *m, const struct sound_names *names, bool no_clobber,
                    double gain, size_t files, struct audio_written *written, struct cJSON **described,
                    struct error *e);

#endif
