/* SPDX-License-Identifier: MIT */
#include "render/play/key_map.h"

#include <stdlib.h>
#include <string.h>

#include "room/instrument.h"

/* A key's instrument, and whether the key chooses its pitch; SIZE_MAX: none. Without score.channels the channels
 * beyond the last instrument play that. */
static size_t instrument_of(const struct room *room, size_t channel, size_t note, bool *pitched)
{
    const struct midi_channel *line = score_channel(room, channel + 1, note);
    size_t i = line ? line->instrument : SIZE_MAX;
    for (size_t n = channel + 1; !room->midi_channel_count && n > 0 && i == SIZE_MAX; n--)
        i = score_instrument(room, n);
    *pitched = i < room->instrument_count && instrument_is_line(&room->instruments[i]) && !(line && line->note);
    return i;
}

/* The event of this instrument and pitch, added if there is none. */
static int event_of(struct score *s, const struct room *room, size_t instrument, double pitch, struct error *e)
{
    const struct instrument *played = &room->instruments[instrument];
    for (size_t i = 0; i < s->count; i++)
        if (s->events[i].instrument == instrument && s->events[i].pitch == pitch)
            return (int)i;
    struct event *more = realloc(s->events, (s->count + 1) * sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->events = more;
    struct event *event = &more[s->count];
    *event = (struct event){.instrument = instrument,
                            .force = played->force,
                            .duration = played->contact,
                            .pitch = pitch,
                            .velocity = played->velocity};
    memcpy(event->place, played->place, sizeof event->place);
    return (int)s->count++;
}

int key_map_make(struct key_map *m, struct score *s, const struct room *room, const int range[2], struct error *e)
{
    *s = (struct score){.count = 0};
    for (size_t channel = 0; channel < MIDI_CHANNELS; channel++)
        for (int note = 0; note <= MIDI_NOTE_MAX; note++) {
            bool pitched;
            int *voice = &m->voice[channel][note];
            const size_t i = instrument_of(room, channel, (size_t)note, &pitched);
            *voice = NO_VOICE;
            if (i == SIZE_MAX || (pitched && (note < range[0] || note > range[1])))
                continue;
            *voice = event_of(s, room, i, pitched ? midi_note_pitch(note) : 0.0, e);
            if (*voice < 0) {
                score_free(s);
                return -1;
            }
        }
    return s->count ? 0 : fail(e, ERROR_INPUT, "%s: score.channels names no instrument that a key plays", room->path);
}
