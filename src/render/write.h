/* A response to its files: the WAV, and the JSON beside it. */
#ifndef AULA_RENDER_WRITE_H
#define AULA_RENDER_WRITE_H

#include "io/audio_file.h"
#include "render/render.h"

/* Scales the samples by `gain` in place and writes them to `wav`, their description to `json`: both or neither. `files`:
 * how many the run makes, which share the gain. *text (may be NULL): what stands in the JSON, fresh. */
int rendering_write(struct rendering *r, const struct model *m, const char *wav, const char *json, double gain,
                    size_t files, struct audio_written *written, char **text, struct error *e);

#endif
