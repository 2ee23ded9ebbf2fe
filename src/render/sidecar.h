/* SPDX-License-Identifier: MIT */
/* The sidecar, the JSON beside every response: the room as understood, and the facts needed to
 * interpret the samples. `aula render NAME.json -o again.wav` reads its member "input" and
 * reproduces the file. */
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

/* Length of a response, whether "auto" chose it, and the estimate. */
struct cJSON *length_json(const struct length *length);

/* Members "file", the name of the sound at this path, and, unless it is standard output, "folder". */
void add_place_json(struct cJSON *json, const char *sound);

/* The room with this length in place of its own, which may be "auto"; it renders identically from a
 * JSON beside the sound at this path. File names are relative to that, or absolute for standard
 * output. */
struct cJSON *input_json(const struct room *room, double seconds, const char *sound);

/* Members "engine" and "kernel", the depth of temporal blocks, and whether the kernel runs in place
 * and untried. */
void add_kernel_json(struct cJSON *json, const struct solver_plan *r);

/* Members "energy" and "timing" of a run of `steps` steps on a grid of `points` points. */
void add_outcome_json(struct cJSON *json, const struct block_outcome *o, const struct solver_plan *r, uint64_t points,
                      size_t steps);

/* The whole sidecar, for json_text or json_print. `sound`: path of the sound file; `files`: number of files of the
 * run. */
struct cJSON *sidecar_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                           const char *sound, double gain, size_t files);

/* sidecar_json as fresh text; NULL: out of memory. */
char *sidecar_text(const struct model *m, const struct rendering *r, const struct audio_written *written,
                   const char *sound, double gain, size_t files);

/* One line in fresh memory that describes the response, for the metadata of the WAV. */
char *response_description(const struct model *m, const struct rendering *r);

/* Facts about a sound file from the JSON beside it. */

enum response_content { CONTENT_UNKNOWN, CONTENT_FILTER, CONTENT_RECORDED };

struct sidecar_facts {
    enum response_content content;
    char **receivers; /* [receiver_count] names in the order of the channels */
    size_t receiver_count;
    double valid_to; /* Hz: end of the grid's valid band; 0: unknown */
    enum json_of of; /* a JSON file of the same name that belongs to another sound is ignored */
};

/* Reads NAME.json beside NAME.wav if aula wrote it for this sound; otherwise nothing is known,
 * which is not an error. Fails for an unreadable file and when out of memory. Free in any case. */
int sidecar_read(struct sidecar_facts *facts, const char *sound_path, const struct audio *audio, struct error *e);

/* Hz: end of the valid band by the comment that aula writes into the sound file; 0: not known, or NULL. */
double comment_valid_to(const char *comment);

void sidecar_facts_free(struct sidecar_facts *facts);

#endif
