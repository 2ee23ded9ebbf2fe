/* SPDX-License-Identifier: MIT */
#include "render/synth/score.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "render/synth/midi.h"
#include "render/synth/score_csv.h"
#include "room/instrument.h"
#include "room/notes.h"

enum { DRUM_CHANNEL = 10 /* of General MIDI: its notes are drums without pitch */ };

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), n = strlen(suffix);
    return length > n && !strcasecmp(path + length - n, suffix);
}

const struct midi_channel *score_channel(const struct room *room, size_t channel, size_t note)
{
    const struct midi_channel *found = NULL;
    for (size_t i = 0; i < room->midi_channel_count; i++) {
        const struct midi_channel *line = &room->midi_channels[i];
        if (line->channel == channel && (line->note == note || (!line->note && !found)))
            found = line;
    }
    return found;
}

static bool is_body(const struct room *room, size_t instrument)
{
    for (size_t i = 0; i < room->instrument_count; i++)
        if (room->instruments[i].body && room->instruments[i].body_index == instrument)
            return true;
    return false;
}

size_t score_instrument(const struct room *room, size_t n)
{
    for (size_t i = 0; i < room->instrument_count; i++)
        if (!is_body(room, i) && !--n)
            return i;
    return SIZE_MAX;
}

/* Hz; 0: the instrument's own. A membrane or plate has one pitch at a time and is not bent. */
static double pitch_of(const struct midi_note *note, const struct midi_channel *line, const struct instrument *played)
{
    const bool drum = (line && line->note) || note->channel == DRUM_CHANNEL || !instrument_has_pitches(played);
    return drum ? 0.0 : midi_note_pitch(note->note + (instrument_is_line(played) ? note->bend : 0.0));
}

static int need_end(const struct event *event, const struct midi_note *note, const struct instrument *played,
                    struct error *e)
{
    if (event->hold > 0.0)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: the note %u at %.6g s on channel %u has no length or no end, but \"%.64s\" is %s; add its "
                "note-off after it",
                event->origin.file, note->note, note->time, note->channel, played->name,
                played->type == INSTRUMENT_WIND ? "blown" : "bowed");
}

/* A reed is silent below a third of the pressure that closes it: the softest note has 0.7 of the breath. Expression is a
 * share of the breath. */
static int set_breath(struct event *event, struct midi_note *note, const struct instrument *played, struct error *e)
{
    event->breath = played->breath * (0.7 + 0.3 * note->velocity / 127.0);
    event->hold = note->hold;
    event->breath_curve = note->expression;
    note->expression = (struct curve){NULL, 0};
    for (size_t i = 0; i < event->breath_curve.count; i++)
        event->breath_curve.points[i][1] *= played->breath;
    return need_end(event, note, played, e);
}

/* The velocity of a note sets the force of a strike or pluck, the speed of a mallet, hammer or bow, and the
 * breath of a wind player; expression sets the force of the bow, or the breath. */
static int set_dynamics(struct event *event, struct midi_note *note, const struct instrument *played, struct error *e)
{
    const double share = note->velocity / 127.0;
    if (played->type == INSTRUMENT_WIND)
        return set_breath(event, note, played, e);
    if (played->played != EXCITATION_BOW) {
        if (is_thrown(played->played))
            event->velocity = played->velocity * share;
        else
            event->force = played->force * share;
        return 0;
    }
    event->velocity = played->velocity * share;
    event->hold = note->hold;
    if (need_end(event, note, played, e))
        return -1;
    event->force_curve = note->expression;
    note->expression = (struct curve){NULL, 0};
    for (size_t i = 0; i < event->force_curve.count; i++)
        event->force_curve.points[i][1] *= played->bow_force;
    return 0;
}

static int add_midi(struct score *s, const struct room *room, struct error *e)
{
    struct midi midi;
    int status = 0;
    if (midi_read(&midi, s->file, e))
        return -1;
    s->remarks = midi.remarks;
    s->remark_count = midi.remark_count;
    midi.remarks = NULL;
    midi.remark_count = 0;
    struct event *events = realloc(s->events, (s->count + midi.count + 1) * sizeof *events);
    if (!events)
        status = fail(e, ERROR_MEMORY, "%s: out of memory", s->file);
    else
        s->events = events;
    for (size_t i = 0; i < midi.count && !status; i++) {
        const struct midi_note *note = &midi.notes[i];
        const struct midi_channel *line = score_channel(room, note->channel, note->note);
        const size_t instrument = line                       ? line->instrument
                                  : room->midi_channel_count ? SIZE_MAX
                                                             : score_instrument(room, note->channel);
        if (instrument == SIZE_MAX && room->midi_channel_count) {
            s->left_out++;
            continue;
        }
        if (instrument == SIZE_MAX) {
            status = fail(e, ERROR_INPUT,
                          "%s: channel %u plays, but has no instrument; name the channels to play with score.channels "
                          "= ( { channel = %u; instrument = \"..\"; } );",
                          s->file, note->channel, note->channel);
            break;
        }
        const struct instrument *played = &room->instruments[instrument];
        struct event *event = &s->events[s->count++];
        *event = (struct event){.time = note->time,
                                .instrument = instrument,
                                .pitch = pitch_of(note, line, played),
                                .origin = {s->file, 0}};
        status = set_dynamics(event, &midi.notes[i], played, e);
    }
    midi_free(&midi);
    return status;
}

static int add_csv(struct score *s, const struct room *room, struct error *e)
{
    struct event *more;
    size_t count;
    const char *key;
    char why[INSTRUMENT_WHY];
    if (score_csv_read(&more, &count, room, s->file, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < count && !status; i++) {
        const struct origin *origin = &more[i].origin;
        if (event_check(&more[i], &room->instruments[more[i].instrument], &key, why))
            status = fail(e, ERROR_INPUT, "%s:%d: %s: %s", origin->file, origin->line, key, why);
    }
    struct event *events = status ? NULL : realloc(s->events, (s->count + count + 1) * sizeof *events);
    if (events) {
        s->events = events;
        if (count)
            memcpy(events + s->count, more, count * sizeof *more);
        s->count += count;
    } else if (!status) {
        status = fail(e, ERROR_MEMORY, "%s: out of memory", s->file);
    }
    for (size_t i = 0; i < count && status; i++)
        event_free(&more[i]);
    free(more);
    return status;
}

static int add_file(struct score *s, const struct room *room, struct error *e)
{
    struct error why;
    char where[512];
    s->file = text_copy(room->score_file);
    if (!s->file)
        return fail(e, ERROR_MEMORY, "out of memory");
    origin_text(&room->score_origin, room->path, where, sizeof where);
    const bool midi =
        ends_in(s->file, ".mid") || ends_in(s->file, ".midi") || ends_in(s->file, ".smf") || ends_in(s->file, ".kar");
    if (!midi && !ends_in(s->file, ".csv"))
        return fail(e, ERROR_INPUT,
                    "%s: score.file: %s ends in neither .mid nor .csv; use a Standard MIDI File or a table", where,
                    s->file);
    if (midi ? !add_midi(s, room, &why) : !add_csv(s, room, &why))
        return 0;
    return fail(e, why.code, "%s: score.file: %.900s", where, why.message);
}

static double end_of_curves(const struct event *event)
{
    const struct curve *const curves[] = {&event->force_curve, &event->velocity_curve, &event->place_curve,
                                          &event->breath_curve};
    double end = 0.0;
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (curves[i]->count)
            end = fmax(end, curves[i]->points[curves[i]->count - 1][0]);
    return end;
}

static void fill_defaults(struct event *event, const struct room *room)
{
    const struct instrument *played = &room->instruments[event->instrument];
    if (!event->placed)
        memcpy(event->place, played->place, sizeof event->place);
    if (played->type == INSTRUMENT_WIND) {
        event->breath = event->breath > 0 ? event->breath : played->breath;
        event->duration = event->hold > 0 ? event->hold : end_of_curves(event);
        return;
    }
    if (played->played == EXCITATION_BOW) {
        event->force = event->force > 0 ? event->force : played->bow_force;
        event->duration = event->hold > 0 ? event->hold : end_of_curves(event);
    }
    if (!(event->force > 0))
        event->force = played->force;
    if (!(event->duration > 0))
        event->duration = played->contact;
    if (event->velocity == 0)
        event->velocity = played->velocity;
}

/* Stable merge sort by time; qsort does not keep the order of equal elements. */
static void sort(struct event *events, struct event *spare, size_t count)
{
    const size_t half = count / 2;
    if (count < 2)
        return;
    sort(events, spare, half);
    sort(events + half, spare, count - half);
    memcpy(spare, events, half * sizeof *events);
    for (size_t left = 0, right = half, to = 0; left < half; to++)
        events[to] = right < count && events[right].time < spare[left].time ? events[right++] : spare[left++];
}

int score_make(struct score *s, const struct room *room, struct error *e)
{
    *s = (struct score){.count = room->event_count};
    s->events = calloc(room->event_count + 1, sizeof *s->events);
    if (!s->events) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    if (room->event_count)
        memcpy(s->events, room->events, room->event_count * sizeof *s->events);
    if (room->score_file && add_file(s, room, e))
        goto fail;
    for (size_t i = 0; i < s->count; i++)
        fill_defaults(&s->events[i], room);
    struct event *spare = malloc((s->count / 2 + 1) * sizeof *spare);
    if (!spare) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    sort(s->events, spare, s->count);
    free(spare);
    return 0;
fail:
    score_free(s);
    return -1;
}

void score_free(struct score *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->events[i].origin.file == s->file && s->file) /* the others belong to the room */
            event_free(&s->events[i]);
    free(s->events);
    free(s->file);
    lines_free(s->remarks, s->remark_count);
    *s = (struct score){0};
}
