/* SPDX-License-Identifier: MIT */
/* The bytes of a Standard MIDI File as messages by time, and in what the file departs from the format. */
#ifndef AULA_RENDER_SYNTH_MIDI_MESSAGES_H
#define AULA_RENDER_SYNTH_MIDI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MIDI_NOTE_ON = 0x90, MIDI_CONTROLLER = 0xb0, MIDI_PROGRAM = 0xc0, MIDI_PITCH_BEND = 0xe0 };

/* A message that begins a note, or tells a channel what its notes are like. */
struct midi_message {
    uint64_t tick;
    size_t order;                   /* in the file */
    uint8_t kind, channel, data[2]; /* kind: as above; channel: from 0; data: below 128 */
};

struct midi_tempo {
    uint64_t tick;
    size_t order;
    uint32_t tempo; /* µs per quarter */
};

struct midi_messages {
    struct midi_message
        *messages; /* by tick, those of equal ticks in the order of the file; note-ons have a velocity */
    size_t count;
    struct midi_tempo *tempi; /* likewise */
    size_t tempo_count;
    double seconds_per_tick; /* SMPTE time; 0: by the tempo */
    double ticks_per_quarter;
    /* departures from the format that players accept */
    unsigned format, tracks_stated;
    size_t tracks;           /* that the file holds */
    bool running_over;       /* running status goes on behind a meta event or system message */
    bool real_time;          /* bytes of real time, which belong on a cable */
    size_t endless;          /* tracks without an end mark */
    size_t behind, trailing; /* bytes behind end marks, and behind the last track */
};

/* `path` stands in messages. ERROR_INPUT with one message that begins with it: other formats, and files that are cut
 * off or damaged. Free with midi_messages_free. */
int midi_messages_parse(struct midi_messages *m, const uint8_t *bytes, size_t length, const char *path,
                        struct error *e);
void midi_messages_free(struct midi_messages *m); /* safe on a zeroed struct */

#endif
