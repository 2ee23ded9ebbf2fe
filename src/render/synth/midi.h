/* SPDX-License-Identifier: MIT */
/* Notes of Standard MIDI Files, with their onsets, ends and expression.
 *
 * A reader of our own, because the libraries are unmaintained, larger than the format, or trust the
 * lengths that a file states. Refuses truncated files and inconsistent lengths or status bytes;
 * reads departures from the format that players accept, with a remark. Supports formats 0 and 1,
 * running status, tempo changes in any track, SMPTE time, and pitch bend as the tuning at the start
 * of a note. */
#ifndef AULA_RENDER_SYNTH_MIDI_H
#define AULA_RENDER_SYNTH_MIDI_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "room/room.h"

struct midi_note {
    double time;                      /* s */
    unsigned channel, note, velocity; /* 1 to 16, 0 to 127, 1 to 127 */
    double bend;                      /* semitones, at its onset */
    double hold;                      /* s to the note-off; 0: there is none */
    struct curve expression;          /* controller 11 or 2 while it is held, 0 to 1; none: it is never sent */
};

struct midi {
    struct midi_note *notes; /* by time; notes of equal time in the order of the tracks and within each track */
    size_t count;
    char **remarks; /* departures from the format and unsupported features, each beginning with path */
    size_t remark_count;
};

/* ERROR_INPUT, with a message that begins with the path, for damaged files and other formats. Free
 * with midi_free. */
int midi_read(struct midi *m, const char *path, struct error *e);
/* Parses bytes in memory; `path` is used in messages. */
int midi_parse(struct midi *m, const uint8_t *bytes, size_t length, const char *path, struct error *e);
void midi_free(struct midi *m); /* safe on a zeroed struct */

#endif
