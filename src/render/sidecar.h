/* The JSON beside every response: the room as understood and everything needed to know what the numbers mean.
 * `aula render NAME.json -o again.wav` reads its member "input" and makes the same file again. */
#ifndef AULA_RENDER_SIDECAR_H
#define AULA_RENDER_SIDECAR_H

#include "io/audio_file.h"
#include "model/air.h"
#include "render/render.h"

struct cJSON;

/* The model alone: grid, valid band, air, walls, placements, notes. For `aula info --json` too. `air`: the method that is
 * applied. */
struct cJSON *model_json(const struct model *m, const struct requirement *r, const struct length *length,
                         enum air_method air);

/* How long a response is, who chose it, and by which estimate. */
struct cJSON *length_json(const struct length *length);

/* The room with this length in place of the one it gives, which may be "auto": rendered again it takes as long. */
struct cJSON *input_json(const struct room *room, double seconds);

/* Members "engine" and "kernel", and how many steps that takes in a pass. */
void add_kernel_json(struct cJSON *json, const struct requirement *r);

/* Members "energy" and "timing" of a run of so many point updates. */
void add_outcome_json(struct cJSON *json, const struct block_outcome *o, const struct requirement *r, uint64_t updates);

/* The whole sidecar; `file` is the name of the sound file without its folder, `files` how many the run makes. As a document
 * for json_text or json_print, which know whether it is whole. */
struct cJSON *sidecar_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                           const char *file, double gain, size_t files);

/* The same as fresh text, or NULL when memory is out. */
char *sidecar_text(const struct model *m, const struct rendering *r, const struct audio_written *written,
                   const char *file, double gain, size_t files);

/* One line that says what the response is, for the metadata of the WAV. Fresh memory. */
char *response_description(const struct model *m, const struct rendering *r);

#endif
