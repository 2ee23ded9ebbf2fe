/* SPDX-License-Identifier: MIT */
#include "render/play/range_choice.h"

#include <math.h>

#include "render/synth/ensemble.h"
#include "room/notes.h"

enum { BELOW = 12, ABOVE = 24 };       /* semitones around an instrument's own pitch that are tried first */
static const double reserve = 1.5;     /* times real time */
static const double worthwhile = 1.25; /* times as fast: the least for which notes are left out */
static const size_t divisor_max = 4;   /* of the sound card's rate */

/* The note of the first string or bar at its own pitch; -1: there is none, or it has no pitch. */
static int own_note(int *note, const struct performer_settings *s, struct error *e)
{
    const struct score none = {.count = 0};
    struct ensemble *probe;
    *note = -1;
    if (ensemble_make(&probe, s->room, &none, NULL, s->rate, e))
        return -1;
    for (size_t v = 0; v < probe->voice_count && *note < 0; v++)
        if (instrument_is_line(&s->room->instruments[probe->voices[v].instrument]) && probe->voices[v].lowest > 0.0)
            *note = (int)lrint(69.0 + 12.0 * log2(probe->voices[v].lowest / 440.0));
    ensemble_free(probe);
    return 0;
}

static int within(int note)
{
    return note < 0 ? 0 : note > MIDI_NOTE_MAX ? MIDI_NOTE_MAX : note;
}

static int open_notes(struct performer **p, const struct performer_settings *s, int low, int high, struct error *e)
{
    struct performer_settings with = *s;
    with.divisor = s->divisor ? s->divisor : 1;
    with.range[0] = low;
    with.range[1] = high;
    return performer_open(p, &with, e);
}

/* A third of the notes lie below the instrument's own. */
static int open_count(struct performer **p, const struct performer_settings *s, int own, int count, struct error *e)
{
    const int low = within(own - (count - 1) / 3);
    return open_notes(p, s, low, within(low + count - 1), e);
}

/* Plates and membranes alone, whose every key is the same voice. Their grids carry far less than the sound card, so
 * they are stepped at a half or a quarter of its rate where the whole rate is too much; a step nearer to the limit of
 * stability also bends their frequencies less. Contacts need the whole rate. */
static int open_surfaces(struct performer **p, const struct performer_settings *s, struct error *e)
{
    struct performer_settings with = *s;
    if (open_notes(p, &with, 0, MIDI_NOTE_MAX, e))
        return -1;
    for (with.divisor = 2; with.divisor <= divisor_max; with.divisor *= 2) {
        struct performer *slower;
        const struct performer_facts facts = performer_facts(*p);
        if (facts.factor >= reserve || facts.ports)
            return 0;
        if (open_notes(&slower, &with, 0, MIDI_NOTE_MAX, e))
            return e->code == ERROR_INPUT ? 0 : -1; /* too many cells for the lower rate */
        performer_close(*p);
        *p = slower;
    }
    return 0;
}

int performer_open_fitting(struct performer **p, const struct performer_settings *s, struct error *e)
{
    int own, count = BELOW + ABOVE + 1;
    if (own_note(&own, s, e))
        return -1;
    if (own < 0)
        return open_surfaces(p, s, e);
    while (open_count(p, s, own, count, e)) {
        if (count == 1 || e->code != ERROR_INPUT)
            return -1;
        count = (count + 1) / 2;
    }
    const double factor = performer_facts(*p).factor;
    if (factor >= reserve || count == 1)
        return 0;
    performer_close(*p);
    if (open_count(p, s, own, (int)fmax(1.0, 0.9 * count * factor / reserve), e))
        return -1;
    if (performer_facts(*p).factor > worthwhile * factor)
        return 0;
    performer_close(*p);
    return open_count(p, s, own, count, e);
}
