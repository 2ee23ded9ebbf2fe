/* SPDX-License-Identifier: MIT */
/* The files of a performance: one for all omni receivers and pickups, if there are any, and one for
 * each other receiver, as for responses. */
#ifndef AULA_RENDER_SYNTH_TAKE_FILE_H
#define AULA_RENDER_SYNTH_TAKE_FILE_H

#include "io/audio_file.h"
#include "io/sound_pair.h"
#include "render/synth/session.h"

struct take_file {
    const struct receiver *receiver; /* NULL: the file of all omni receivers and pickups */
    size_t count, air;               /* channels; the first `air` are of receivers, the others of pickups */
    size_t *channels;                /* [count]: of take->air, then of take->pickups */
    char (*texts)[CHANNEL_NAME];
    const char **names; /* [count] */
    struct room room;   /* with only its receivers */
    struct model model; /* likewise; empty without air */
};

size_t take_file_count(const struct session *s);

/* The receiver of a file; NULL: all omni receivers, and the pickups. */
const struct receiver *take_file_receiver(const struct session *s, size_t file);

/* On failure *f is empty. */
int take_file_make(struct take_file *f, const struct session *s, size_t file, struct error *e);
void take_file_free(struct take_file *f);

/* Its channels, scaled by the gain of their kind; samples in fresh memory. gain: of receivers, of
 * pickups. */
int take_file_mix(struct audio *audio, const struct take_file *f, const struct take *take, const double gain[2],
                  struct error *e);

/* The JSON beside the sound at this path, in fresh memory; NULL: out of memory. */
char *take_file_json(const struct take_file *f, const struct take *take, const struct session *s,
                     const struct audio_written *written, const char *sound, const double gain[2]);

/* Pressures and velocities have no common scale, so each kind has a gain of its own: 1, or that of output.normalise. */
void take_gains(double gain[2], const struct take *take, const struct room *room);

/* A file as it was written. Zero it first. */
struct take_written {
    const struct sound_names *names;
    struct take_file part;
    struct audio audio;
    struct audio_written written;
    char *text; /* its JSON; NULL: none */
};

/* Adds a file of the performance and its JSON to the set. Free *f in any case. ERROR_MEMORY, ERROR_OUTPUT. */
int take_file_write(struct output_set *set, struct take_written *f, const struct session *s, const struct take *take,
                    size_t file, const struct sound_names *names, const double gain[2], struct error *e);
void take_written_free(struct take_written *f);

#endif
