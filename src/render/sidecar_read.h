/* SPDX-License-Identifier: MIT */
/* Reads the JSON beside a sound file that is used as a response. */
#ifndef AULA_RENDER_SIDECAR_READ_H
#define AULA_RENDER_SIDECAR_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "io/audio_file.h"
#include "io/json_beside.h"

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
