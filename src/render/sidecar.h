/* SPDX-License-Identifier: MIT */
/* The JSON beside every response: the room as understood, and everything needed to interpret the samples. `aula render
 * NAME.json -o again.wav` reads its member "input" and makes the same file again. */
#ifndef AULA_RENDER_SIDECAR_H
#define AULA_RENDER_SIDECAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "io/audio_file.h"
#include "io/json_beside.h"
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

/* Reads the JSON beside a sound file that is used as a response. */

enum response_content { CONTENT_UNKNOWN, CONTENT_FILTER, CONTENT_RECORDED };

struct sidecar_facts {
    enum response_content content;
    char **receivers; /* [receiver_count] names, in the order of the channels */
    size_t receiver_count;
    double valid_to; /* Hz: end of the grid's valid band; 0: not known */
    enum json_of of; /* a JSON of that name that is not of this sound is ignored */
};

/* NAME.json beside NAME.wav, if aula wrote it for this sound, which was read from there; else nothing is known, which
 * is no error. Fails for an unreadable file and when memory is out. Free in any case. */
int sidecar_read(struct sidecar_facts *facts, const char *sound_path, const struct audio *audio, struct error *e);

/* Hz: end of the valid band by the comment that aula writes into the sound file; 0: not known, or NULL. */
double comment_valid_to(const char *comment);

void sidecar_facts_free(struct sidecar_facts *facts);

#endif
