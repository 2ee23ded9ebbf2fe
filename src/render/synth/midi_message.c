/* SPDX-License-Identifier: MIT */
#include "render/synth/midi_message.h"

size_t midi_data_count(uint8_t status)
{
    const uint8_t kind = status & 0xf0;
    return kind == MIDI_PROGRAM || kind == MIDI_CHANNEL_PRESSURE ? 1 : 2;
}

bool midi_message_of(struct midi_message *m, const uint8_t *bytes, size_t count)
{
    if (!count || bytes[0] < 0x80 || bytes[0] >= 0xf0 || count != 1 + midi_data_count(bytes[0]))
        return false;
    *m = (struct midi_message){.kind = bytes[0] & 0xf0, .channel = bytes[0] & 0x0f};
    for (size_t i = 1; i < count; i++)
        m->data[i - 1] = bytes[i];
    if (m->kind == MIDI_NOTE_ON && !m->data[1])
        m->kind = MIDI_NOTE_OFF;
    return !((m->data[0] | m->data[1]) & 0x80);
}
