/* SPDX-License-Identifier: MIT */
/* Compares the parameters of two measured files, channel by channel, in just noticeable differences. Parameters belong
 * to a file, so rates, lengths and sources may differ; a parameter that a file cannot support has a reason instead. */
#ifndef AULA_DSP_MEASURE_COMPARISON_H
#define AULA_DSP_MEASURE_COMPARISON_H

#include "dsp/measure/jnd.h"
#include "dsp/measure/recording.h"

/* A measured file. All of it belongs to the caller. */
struct compared_file {
    const char *path;
    const struct recording *recording; /* samples are not needed */
    const struct metrics *channels;    /* [recording->audio.channels] */
};

struct channel_pair {
    size_t channel[2]; /* of the first and the second file */
};

/* Zero it first; comparison_free afterwards, also on failure. */
struct comparison {
    struct compared_file file[2];
    struct channel_pair *pairs; /* [count] */
    size_t count;
    char **notes; /* assumptions, one line each */
    size_t note_count;
};

/* The file whose value is missing. */
enum compared_side { COMPARED_FIRST, COMPARED_SECOND, COMPARED_BOTH };

struct compared {
    double value[2];         /* SI units; NaN: missing */
    double difference;       /* second - first; NaN: see why */
    double steps;            /* the same in JND */
    const char *why;         /* static text; NULL: compared */
    enum compared_side side; /* whose value is missing, for that reason */
    bool partly;             /* a band extends beyond the valid band of a file */
    bool doubtful;           /* by dsp/measure/doubts.h */
};

/* Pairs the channels of both files: those with equal names; without names, or if no name occurs twice, in their order.
 * `receiver` (NULL: all): a name or a number from 1 on, the only channel taken of files that have several. A single
 * channel is compared with both channels of a binaural file.
 * ERROR_INPUT for files that cannot be compared: no impulse response, a recorded sweep or sound, channels that do not
 * correspond, no such receiver. ERROR_MEMORY. */
int comparison_make(struct comparison *c, const struct compared_file *first, const struct compared_file *second,
                    const char *receiver, struct error *e);
void comparison_free(struct comparison *c); /* NULL-safe */

/* Whether the energy decays in no octave, as in a recorded sound; false where nothing is measured. */
bool is_recorded_sound(const struct metrics *m);

/* The bands of the pair `pair`, which both files were measured in; JND_WHOLE rows have no bands. */
struct compared comparison_octave(const struct comparison *c, size_t pair, const struct jnd *jnd, size_t octave);
struct compared comparison_third(const struct comparison *c, size_t pair, const struct jnd *jnd, size_t third);

/* The single number. */
struct compared comparison_single(const struct comparison *c, size_t pair, const struct jnd *jnd);

/* Whether to show the parameter: rows that only directional receivers have need a value in either file. */
bool comparison_shown(const struct comparison *c, const struct jnd *jnd);

/* The name of the receiver of a pair, or "channel 2"; in the caller's buffer. */
const char *comparison_receiver(const struct comparison *c, size_t pair, char text[128]);

/* One line: "clearer: C80 +2.1 dB (2 JND) in mean of 500 Hz and 1 kHz; T30 unchanged". Differences are means over all
 * pairs of channels. It names the octave that changes most where a mean stays, and a parameter that rises at one receiver
 * and falls at another, both from 1 JND on. Fresh text; NULL: out of memory. */
char *comparison_summary(const struct comparison *c);

#endif
