/* What the JSON beside a sound file says of it, for those who use the file as a response. */
#ifndef AULA_RENDER_SIDECAR_READ_H
#define AULA_RENDER_SIDECAR_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum response_content { CONTENT_UNKNOWN, CONTENT_FILTER, CONTENT_RECORDED };

struct sidecar_facts {
    enum response_content content;
    char **receivers; /* [receiver_count] names, in the order of the channels */
    size_t receiver_count;
    double valid_to; /* Hz: what the grid was valid to; 0: not known */
    bool other;      /* there is a JSON of that name, and it describes a sound of another suffix: it is left out */
};

/* NAME.json beside NAME.wav, when there is one and aula wrote it for a file of so many channels and frames; else
 * nothing is known, which is no error; one that cannot be read is, and so is want of memory. Free it in any case. */
int sidecar_read(struct sidecar_facts *facts, const char *sound_path, size_t channels, size_t frames, struct error *e);

/* Up to which frequency (Hz) a response is valid, by the comment that aula writes into the sound file itself; 0: not known. NULL
 * is no comment. */
double comment_valid_to(const char *comment);

void sidecar_facts_free(struct sidecar_facts *facts);

#endif
