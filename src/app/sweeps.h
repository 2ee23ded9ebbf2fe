/* SPDX-License-Identifier: MIT */
/* Sweeps of the command line: as words, in files to be played elsewhere, and the options about them. */
#ifndef AULA_APP_SWEEPS_H
#define AULA_APP_SWEEPS_H

#include <math.h>

#include "app/options.h"
#include "dsp/sweep.h"

struct sweep_options {
    const char *sweep;       /* --sweep; NULL: SWEEP_USUAL */
    int repeats;             /* --repeat; 0: not given */
    double pause;            /* --pause, s; NaN: not given */
    int loopback;            /* --loopback, channel from 1; 0: none */
    double delay;            /* --delay, s; NaN: not given */
    const char *calibration; /* --calibration */
};

#define SWEEP_USUAL "20,20000,10"
#define SWEEP_PAUSE 3.0 /* s */
#define SWEEP_OPTIONS_ABSENT                                                                                           \
    {                                                                                                                  \
        .pause = NAN, .delay = NAN                                                                                     \
    }
#define SWEEP_SILENCE 2.0 /* s before the first sweep, for the background noise */

extern const struct option_row option_sweep, option_repeat, option_pause, option_loopback, option_delay,
    option_calibration;

/* ERROR_USAGE if --pause is out of range. */
int sweep_options_check(const struct sweep_options *o, struct error *e);

/* "20,20000,10": Hz, Hz, s. ERROR_USAGE, where `what` names the word. The rate is set by the caller before. */
int sweep_read_words(struct sweep *s, const char *words, const char *what, struct error *e);

/* Whether this word is parameters, not a file. */
bool sweep_is_words(const char *word);

struct sweep_file {
    struct sweep made;
    double *samples; /* [length] of one sweep */
    size_t length;
    size_t repeats; /* that the file plays */
    double pause;   /* s between them */
};

/* Sweeps with silence around them as WAV or FLAC, to be played elsewhere. Its comment tells sweep_file_read what it is. */
int sweep_file_write(const char *path, const struct sweep *s, size_t repeats, double pause, bool no_clobber,
                     struct error *e);

/* A sweep from a file that sweep_file_write made, else from any file with one exponential sweep, or by its parameters
 * (for a recording at `rate` Hz). ERROR_INPUT if the rates differ. */
int sweep_file_read(struct sweep_file *f, const char *word, double rate, struct error *e);
void sweep_file_free(struct sweep_file *f); /* NULL-safe */

#endif
