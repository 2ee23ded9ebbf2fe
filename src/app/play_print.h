/* SPDX-License-Identifier: MIT */
/* What aula play says of its instruments, its latency and its speed. */
#ifndef AULA_APP_PLAY_PRINT_H
#define AULA_APP_PLAY_PRINT_H

#include "render/play/play_loop.h"

struct play_printed {
    const char *name;        /* of the instrument or piece */
    double rate;             /* Hz */
    double level;            /* dB */
    double seconds;          /* played */
    int lowest;              /* note of the key z */
    const char *device;      /* sound card */
    const char *midi;        /* its input; NULL: the keys of the computer */
    unsigned long long lost; /* MIDI messages */
    struct performer_facts facts;
    struct play_status status;
};

/* To stderr: voices, speed and latency; the keys; a warning if the processor is too slow. */
void play_print_start(const struct play_printed *p, bool quiet);

/* The status line to stderr: on a terminal over the line before, cut to its width, as a wrapped line could not be
 * redrawn. */
void play_print_line(const struct play_status *status, double level, bool terminal);

/* The summary to stderr, and its JSON to stdout. */
void play_print_end(const struct play_printed *p, bool quiet);
int play_print_json(const struct play_printed *p, struct error *e);

#endif
