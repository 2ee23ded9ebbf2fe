/* SPDX-License-Identifier: MIT */
/* The files of a performance: one for all omni receivers and pickups, if there are any, and one for
 * each other receiver, as for responses. */
#ifndef AULA_RENDER_SYNTH_TAKE_FILE_H
#define AULA_RENDER_SYNTH_TAKE_FILE_H

#include "io/audio_file.h"
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

#endif
