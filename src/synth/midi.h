/* Standard MIDI Files: the notes of a file with the time at which each begins.
 *
 * A reader of our own, because the libraries for it are unmaintained, larger than the format, or trust the lengths that
 * a file claims. It is strict: a file that is cut off, or whose lengths and status bytes do not fit together, is refused
 * and not guessed at. Formats 0 and 1, running status, tempo changes in any track, and SMPTE time are understood.  */
#ifndef AULA_SYNTH_MIDI_H
#define AULA_SYNTH_MIDI_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct midi_note {
    double time;                      /* s */
    unsigned channel, note, velocity; /* 1 to 16, 0 to 127, 1 to 127 */
};

struct midi {
    struct midi_note *notes; /* by time; those of one time in the order of the tracks and of each track */
    size_t count;
};

/* ERROR_INPUT and one message that begins with the path when the file is not one, or is damaged. Free with midi_free.
 */
int midi_read(struct midi *m, const char *path, struct error *e);
/* The same of bytes in memory, which `path` names in messages. */
int midi_parse(struct midi *m, const uint8_t *bytes, size_t length, const char *path, struct error *e);
void midi_free(struct midi *m); /* safe on a zeroed struct */

#endif
