/* SPDX-License-Identifier: MIT */
/* The JSON beside every response: the room as understood, and everything needed to interpret the samples. `aula render
 * NAME.json -o again.wav` reads its member "input" and makes the same file again. */
#ifndef AULA_RENDER_SIDECAR_H
#define AULA_RENDER_SIDECAR_H

#include "io/audio_file.h"
#include "render/render.h"
#include "room/grid/air.h"

struct cJSON;

/* Length of a response, whether it was chosen by "auto", and the estimate. */
struct cJSON *length_json(const struct length *length);

/* Members "file", the name of the sound of this path, and "folder", where it is; the latter not for standard output. */
void add_place_json(struct cJSON *json, const char *sound);

/* The room with this length in place of its own, which may be "auto", so that it renders the same again from a JSON
 * beside the sound of this path. Names of files are relative to that; absolute for standard output. */
struct cJSON *input_json(const struct room *room, double seconds, const char *sound);

/* Members "engine" and "kernel", the depth of temporal blocks, and whether they are in place and untried. */
void add_kernel_json(struct cJSON *json, const struct solver_plan *r);

/* Members "energy" and "timing" of a run of so many steps on a grid of so many points. */
void add_outcome_json(struct cJSON *json, const struct block_outcome *o, const struct solver_plan *r, uint64_t points,
                      size_t steps);

/* The whole sidecar, for json_text or json_print. `sound`: path of the sound file; `files`: number of files of the
 * run. */
struct cJSON *sidecar_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                           const char *sound, double gain, size_t files);

/* sidecar_json as fresh text; NULL when memory is out. */
char *sidecar_text(const struct model *m, const struct rendering *r, const struct audio_written *written,
                   const char *sound, double gain, size_t files);

/* One line that describes the response, for the metadata of the WAV. Fresh memory. */
char *response_description(const struct model *m, const struct rendering *r);

#endif
