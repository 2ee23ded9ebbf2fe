/* SPDX-License-Identifier: MIT */
/* Interface of a system that carries MIDI messages. A build without its library uses a stub. For the files of this
 * folder. */
#ifndef AULA_IO_MIDI_INPUT_MIDI_SYSTEM_H
#define AULA_IO_MIDI_INPUT_MIDI_SYSTEM_H

#include "io/midi_input/midi_queue.h"

struct midi_system {
    const char *name;
    const char *missing; /* why the build lacks it, with the remedy; NULL: it does not */
    /* Adds the names of all ports that send, as lines (base/text.h). Returns false if the system does not run. */
    bool (*list)(char ***names, size_t *count);
    /* Connects the port to the queue, which outlives the connection. NULL: failed. */
    void *(*open)(const char *port, struct midi_queue *queue);
    bool (*is_connected)(void *connection);
    void (*close)(void *connection);
};

extern const struct midi_system jack_midi, alsa_midi;

#endif
