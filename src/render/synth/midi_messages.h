/* SPDX-License-Identifier: MIT */
/* Parses a Standard MIDI File into messages sorted by time, and notes its departures from the
 * format. */
#ifndef AULA_RENDER_SYNTH_MIDI_MESSAGES_H
#define AULA_RENDER_SYNTH_MIDI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "render/synth/midi_message.h"

struct midi_tempo {
    uint64_t tick;
    size_t order;
    uint32_t tempo; /* µs per quarter */
};

struct midi_messages {
    struct midi_message
        *messages; /* by tick, and for equal ticks in the order of the file; note-ons have a positive velocity */
    size_t count;
    struct midi_tempo *tempi; /* likewise */
    size_t tempo_count;
    double seconds_per_tick; /* SMPTE time; 0: from the tempo */
    double ticks_per_quarter;
    /* departures from the format that players accept */
    unsigned format, tracks_stated;
    size_t tracks;           /* found in the file */
    bool running_over;       /* running status continues after a meta event or system message */
    bool real_time;          /* real-time bytes, which belong on a cable */
    size_t endless;          /* tracks without an end mark */
    size_t behind, trailing; /* bytes after end marks, and after the last track */
};

/* Messages begin with `path`. ERROR_INPUT for other formats and truncated or damaged files. Free
 * with midi_messages_free. */
int midi_messages_parse(struct midi_messages *m, const uint8_t *bytes, size_t length, const char *path,
                        struct error *e);
void midi_messages_free(struct midi_messages *m); /* safe on a zeroed struct */

#endif
