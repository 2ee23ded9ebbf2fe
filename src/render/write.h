/* SPDX-License-Identifier: MIT */
/* Writes a response: the WAV, and the JSON beside it. */
#ifndef AULA_RENDER_WRITE_H
#define AULA_RENDER_WRITE_H

#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/render.h"

struct cJSON;

/* Copies of a model and its room with the receivers of one file: `only`, or all omni receivers if
 * it is NULL. All else is shared with m. ERROR_MEMORY. Free with file_model_free, which is safe on
 * zeroed structs. */
int file_model_make(struct room *room, struct model *model, const struct model *m, const struct receiver *only,
                    struct error *e);
void file_model_free(struct room *room, struct model *model);

/* The channels of a response that belong to one of its files (room_file_count), with the room of
 * these receivers. */
struct response_file {
    struct room room;
    struct model model;
    struct rendering rendering; /* owns the samples of its response */
};
int response_file_make(struct response_file *f, const struct rendering *r, const struct model *m, size_t file,
                       struct error *e);
void response_file_free(struct response_file *f);

/* Scales the samples by `gain` in place and adds their file and its complete description to the
 * set. `files`: number of files of the run, which share the gain. *described (may be NULL): the
 * JSON, fresh, for json_print. */
int rendering_write(struct output_set *set, struct rendering *r, const struct model *m, const struct sound_names *names,
                    double gain, size_t files, struct audio_written *written, struct cJSON **described,
                    struct error *e);

/* Names of the files of a run must differ. NAME_SOURCE_RECEIVER.wav is ambiguous: source "a" at
 * receiver "b_c" and source "a_b" at receiver "c" share a name. */

struct room;

/* ERROR_USAGE names both files if two of these would coincide, by name or through links. names
 * [count]: of the sources from `first` on, room_file_count(room) each in the order of
 * room_file_receiver. others [other_count]: further files of the run; NULL: none. */
int file_names_differ(const struct room *room, size_t first, const struct sound_names *names, size_t count,
                      const char *const *others, size_t other_count, struct error *e);

#endif
