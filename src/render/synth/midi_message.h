/* SPDX-License-Identifier: MIT */
/* Channel messages of MIDI 1.0, shared by files and keyboards. */
#ifndef AULA_RENDER_SYNTH_MIDI_MESSAGE_H
#define AULA_RENDER_SYNTH_MIDI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MIDI_NOTE_OFF = 0x80,
    MIDI_NOTE_ON = 0x90,
    MIDI_KEY_PRESSURE = 0xa0,
    MIDI_CONTROLLER = 0xb0,
    MIDI_PROGRAM = 0xc0,
    MIDI_CHANNEL_PRESSURE = 0xd0,
    MIDI_PITCH_BEND = 0xe0
};

struct midi_message {
    uint64_t tick;
    size_t order;                   /* in the file */
    uint8_t kind, channel, data[2]; /* kind: as above; channel: from 0; data: below 128 */
};

/* Number of data bytes after the status byte of a channel message: 1 or 2. */
size_t midi_data_count(uint8_t status);

/* The message of a status byte and its data bytes, with tick and order 0. A note-on of velocity 0 becomes a note-off.
 * False: not a complete channel message, or a data byte above 127. */
bool midi_message_of(struct midi_message *m, const uint8_t *bytes, size_t count);

#endif
