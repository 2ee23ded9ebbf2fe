/* SPDX-License-Identifier: MIT */
/* From MIDI messages to the inputs of instruments, by a table with a row for each. */
#ifndef AULA_RENDER_PLAY_CONTROLS_H
#define AULA_RENDER_PLAY_CONTROLS_H

#include "render/play/performer.h"
#include "render/synth/midi_message.h"

enum { CONTROL_ANY = -1 };

struct control {
    uint8_t kind;   /* of the message */
    int controller; /* its number; CONTROL_ANY: of every message of that kind */
    const char *meaning;
    /* Returns false if no voice follows. frame: of the next block. */
    bool (*apply)(struct performer *p, const struct midi_message *m, size_t frame);
};

extern const struct control controls[]; /* kind 0 ends the table */

/* Applies the first row for the message. Does not allocate, lock or wait. */
bool controls_take(struct performer *p, const struct midi_message *m, size_t frame);

#endif
