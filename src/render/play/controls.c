/* SPDX-License-Identifier: MIT */
#include "render/play/controls.h"

enum { VELOCITY_MAX = 127, PEDAL_DOWN = 64 };
enum { EXPRESSION = 11, SUSTAIN = 64, ALL_SOUND_OFF = 120, ALL_NOTES_OFF = 123 }; /* controllers */

/* The force is proportional to the velocity, as for the notes of a MIDI file. */
static bool strike(struct performer *p, const struct midi_message *m, size_t frame)
{
    return performer_strike(p, m->channel, m->data[0], (double)m->data[1] / VELOCITY_MAX, frame);
}

static bool release(struct performer *p, const struct midi_message *m, size_t frame)
{
    (void)frame;
    performer_release(p, m->channel, m->data[0]);
    return true;
}

static bool express(struct performer *p, const struct midi_message *m, size_t frame)
{
    (void)frame;
    performer_express(p, m->channel, (double)m->data[1] / VELOCITY_MAX);
    return true;
}

static bool sustain(struct performer *p, const struct midi_message *m, size_t frame)
{
    (void)frame;
    performer_pedal(p, m->data[1] >= PEDAL_DOWN);
    return true;
}

static bool damp_all(struct performer *p, const struct midi_message *m, size_t frame)
{
    (void)m;
    (void)frame;
    performer_damp_all(p);
    return true;
}

const struct control controls[] = {
    {MIDI_NOTE_ON, CONTROL_ANY, "plays, with a force or speed proportional to the velocity", strike},
    {MIDI_NOTE_OFF, CONTROL_ANY, "lifts the bow, and lets the damper of a string down", release},
    {MIDI_CONTROLLER, EXPRESSION, "force of the bow", express},
    {MIDI_CONTROLLER, SUSTAIN, "sustain pedal: holds all dampers up", sustain},
    {MIDI_CONTROLLER, ALL_SOUND_OFF, "lets all dampers down", damp_all},
    {MIDI_CONTROLLER, ALL_NOTES_OFF, "lets all dampers down", damp_all},
    {.kind = 0},
};

bool controls_take(struct performer *p, const struct midi_message *m, size_t frame)
{
    for (const struct control *c = controls; c->kind; c++)
        if (c->kind == m->kind && (c->controller == CONTROL_ANY || c->controller == m->data[0]))
            return c->apply(p, m, frame);
    return false;
}
