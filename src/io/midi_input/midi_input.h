/* SPDX-License-Identifier: MIT */
/* MIDI messages as they are played: from JACK MIDI and from the sequencer of ALSA.
 *
 * Both systems deliver whole messages. A thread of theirs passes each with its time into a queue that the reader
 * empties; neither waits for the other. */
#ifndef AULA_IO_MIDI_INPUT_MIDI_INPUT_H
#define AULA_IO_MIDI_INPUT_MIDI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* A message of up to three bytes, the first of which is the status byte. */
struct midi_packet {
    double time; /* s on the clock of clock_seconds; up to a period of the server ahead */
    uint8_t bytes[3];
    uint8_t count;
};

struct midi_input;

/* Opens the input that `wanted` names: its number, or its name as a sound card's (sound_devices.h). ERROR_USAGE for an
 * unknown name, with the closest; ERROR_FAILED if there are no inputs or the system does not answer within its limit.
 * On failure *m is NULL. */
int midi_input_open(struct midi_input **m, const char *wanted, struct error *e);
void midi_input_close(struct midi_input *m); /* NULL-safe; a system that does not answer is abandoned */

/* The oldest message that waits; false: none. Never waits, allocates or locks. One thread. */
bool midi_input_read(struct midi_input *m, struct midi_packet *packet);

bool midi_input_is_connected(const struct midi_input *m);       /* false: unplugged, or its server has ended */
unsigned long long midi_input_lost(const struct midi_input *m); /* messages for which the queue had no room */
const char *midi_input_name(const struct midi_input *m);        /* lives as long as m */

/* For aula devices: a line for each input, or for each system without one a line that says why. */
void midi_inputs_print(FILE *stream);

/* For --midi list: number, name and system of each input. No input is an error (ERROR_FAILED). */
int midi_inputs_list(FILE *stream, struct error *e);

#endif
