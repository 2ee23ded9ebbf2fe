/* SPDX-License-Identifier: MIT */
#include "render/synth/midi.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input_file.h"
#include "base/text.h"
#include "render/synth/midi_messages.h"
#include "room/notes.h"

enum { BYTES_MAX = 16 << 20, DEFAULT_TEMPO = 500000 /* µs per quarter */ };

/* ---- state of channels */

enum { BREATH = 2, DATA_COARSE = 6, EXPRESSION = 11, DATA_FINE = 38, PEDAL = 64, RESET = 121 }; /* controllers */
enum { OTHER_FINE = 98, OTHER_COARSE, REGISTERED_FINE, REGISTERED_COARSE };
enum { BEND_RANGE = 0, NO_PARAMETER = 0x3fff }; /* registered parameters */

struct channel {
    double bend, range; /* -1 to 1; semitones to either side */
    unsigned parameter; /* that data entry sets */
    double expression;  /* 0 to 1; below 0: never set */
    size_t held[128];   /* number of the note that a key holds, from 1; 0: none */
};

/* Messages that are ignored, or followed only in part. */
struct unheard {
    bool programs, pedal, bends;
};

static void take_controller(struct channel *c, uint8_t controller, uint8_t value)
{
    const bool ranged = c->parameter == BEND_RANGE;
    if (controller == RESET) {
        c->bend = 0.0;
        c->expression = c->expression < 0.0 ? c->expression : 1.0;
    } else if (controller == REGISTERED_COARSE)
        c->parameter = (c->parameter & 0x7f) | (unsigned)value << 7;
    else if (controller == REGISTERED_FINE)
        c->parameter = (c->parameter & 0x3f80) | value;
    else if (controller == OTHER_COARSE || controller == OTHER_FINE)
        c->parameter = NO_PARAMETER;
    else if (controller == DATA_COARSE && ranged)
        c->range = value;
    else if (controller == DATA_FINE && ranged)
        c->range = floor(c->range) + value / 100.0;
}

static void take_message(struct channel *c, struct unheard *u, const struct midi_message *m)
{
    if (m->kind == MIDI_CONTROLLER)
        take_controller(c, m->data[0], m->data[1]);
    if (m->kind == MIDI_PITCH_BEND)
        c->bend = ((m->data[1] << 7 | m->data[0]) - 8192) / 8192.0;
    u->pedal = u->pedal || (m->kind == MIDI_CONTROLLER && m->data[0] == PEDAL && m->data[1] >= 64);
    u->programs = u->programs || m->kind == MIDI_PROGRAM;
    u->bends = u->bends || c->bend != 0.0;
}

/* ---- notes */

/* Converts ticks to seconds; ticks never decrease. */
struct clock {
    const struct midi_messages *messages;
    double start, per_tick; /* s: at the tick of the current tempo, and of each tick since */
    uint64_t start_tick;
    size_t next; /* tempo */
};

/* Tracks of format 1 share one map of tempi; SMPTE time ignores them. */
static struct clock clock_of(const struct midi_messages *m)
{
    const bool frames = m->seconds_per_tick > 0;
    return (struct clock){.messages = m,
                          .per_tick = frames ? m->seconds_per_tick : DEFAULT_TEMPO * 1e-6 / m->ticks_per_quarter,
                          .next = frames ? m->tempo_count : 0};
}

static double seconds_at(struct clock *c, uint64_t tick)
{
    const struct midi_messages *m = c->messages;
    for (; c->next < m->tempo_count && m->tempi[c->next].tick <= tick; c->next++) {
        c->start += (double)(m->tempi[c->next].tick - c->start_tick) * c->per_tick;
        c->start_tick = m->tempi[c->next].tick;
        c->per_tick = m->tempi[c->next].tempo * 1e-6 / m->ticks_per_quarter;
    }
    return c->start + (double)(tick - c->start_tick) * c->per_tick;
}

/* ---- the end of notes, and expression while they are held */

static void end_note(struct midi *m, struct channel *c, uint8_t key, double time)
{
    if (c->held[key])
        m->notes[c->held[key] - 1].hold = time - m->notes[c->held[key] - 1].time;
    c->held[key] = 0;
}

/* A curve is in memory of twice its last power of two. */
static int add_point(struct curve *curve, double seconds, double value)
{
    if (curve->count && !(seconds > curve->points[curve->count - 1][0])) {
        curve->points[curve->count - 1][1] = value;
        return 0;
    }
    if (!(curve->count & (curve->count - 1))) {
        double(*more)[2] = realloc(curve->points, (curve->count ? 2 * curve->count : 1) * sizeof *more);
        if (!more)
            return -1;
        curve->points = more;
    }
    curve->points[curve->count][0] = seconds;
    curve->points[curve->count++][1] = value;
    return 0;
}

static int express(struct midi *m, struct channel *c, double value, double time)
{
    c->expression = value;
    for (size_t key = 0; key < sizeof c->held / sizeof *c->held; key++) {
        struct midi_note *note = c->held[key] ? &m->notes[c->held[key] - 1] : NULL;
        if (note && add_point(&note->expression, time - note->time, value))
            return -1;
    }
    return 0;
}

static int take_note(struct midi *m, struct channel *c, const struct midi_message *message, double time)
{
    struct midi_note *note = &m->notes[m->count];
    end_note(m, c, message->data[0], time);
    *note = (struct midi_note){.time = time,
                               .channel = message->channel + 1u,
                               .note = message->data[0],
                               .velocity = message->data[1],
                               .bend = c->bend * c->range};
    c->held[message->data[0]] = ++m->count;
    return c->expression >= 0.0 ? add_point(&note->expression, 0.0, c->expression) : 0;
}

static int make_notes(struct midi *m, struct unheard *unheard, const struct midi_messages *messages, const char *path,
                      struct error *e)
{
    struct clock clock = clock_of(messages);
    struct channel channels[MIDI_CHANNELS];
    for (size_t i = 0; i < MIDI_CHANNELS; i++)
        channels[i] = (struct channel){.range = 2.0, .parameter = NO_PARAMETER, .expression = -1.0};
    m->notes = calloc(messages->count + 1, sizeof *m->notes);
    if (!m->notes)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < messages->count; i++) {
        const struct midi_message *message = &messages->messages[i];
        struct channel *c = &channels[message->channel];
        const double time = seconds_at(&clock, message->tick);
        int status = 0;
        take_message(c, unheard, message);
        if (message->kind == MIDI_NOTE_ON)
            status = take_note(m, c, message, time);
        else if (message->kind == MIDI_NOTE_OFF)
            end_note(m, c, message->data[0], time);
        else if (message->kind == MIDI_CONTROLLER && (message->data[0] == EXPRESSION || message->data[0] == BREATH))
            status = express(m, c, message->data[1] / 127.0, time);
        if (status)
            return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    }
    return 0;
}

/* ---- remarks */

static int remark(struct midi *m, bool applies, const char *path, const char *text, struct error *e)
{
    return applies ? lines_add(&m->remarks, &m->remark_count, e, "%s: %s", path, text) : 0;
}

static int remark_on_tracks(struct midi *m, const struct midi_messages *found, const char *path, struct error *e)
{
    const size_t behind = found->behind + found->trailing, endless = found->endless;
    char tracks[96], ends[64], bytes[64];
    snprintf(tracks, sizeof tracks, "the header states %u track%s in format %u; all %zu in the file are read",
             found->tracks_stated, found->tracks_stated == 1 ? "" : "s", found->format, found->tracks);
    snprintf(ends, sizeof ends, "%zu of %zu tracks have no end mark", endless, found->tracks);
    snprintf(bytes, sizeof bytes, "%zu byte%s after the end of a track %s ignored", behind, behind == 1 ? "" : "s",
             behind == 1 ? "is" : "are");
    const bool counted = found->tracks == found->tracks_stated && (found->format || found->tracks == 1);
    return remark(m, !counted, path, tracks, e) || remark(m, endless > 0, path, ends, e) ||
           remark(m, behind > 0, path, bytes, e);
}

static int remark_on_events(struct midi *m, const struct midi_messages *found, const struct unheard *unheard,
                            const char *path, struct error *e)
{
    return remark(m, found->running_over, path, "running status continues after a text or system message", e) ||
           remark(m, found->real_time, path, "real-time bytes (clock, active sensing) are ignored", e) ||
           remark(m, unheard->programs, path,
                  "program changes are ignored; score.channels assigns an instrument to a channel", e) ||
           remark(m, unheard->pedal, path, "the sustain pedal is ignored; notes ring until they decay", e) ||
           remark(m, unheard->bends, path,
                  "pitch bend tunes strings and bars when a note begins; a sounding note is not bent", e);
}

int midi_parse(struct midi *m, const uint8_t *bytes, size_t length, const char *path, struct error *e)
{
    struct midi_messages found;
    struct unheard unheard = {0};
    *m = (struct midi){0};
    if (midi_messages_parse(&found, bytes, length, path, e))
        return -1;
    const int status = make_notes(m, &unheard, &found, path, e) || remark_on_tracks(m, &found, path, e) ||
                       remark_on_events(m, &found, &unheard, path, e);
    midi_messages_free(&found);
    if (status)
        midi_free(m);
    return status ? -1 : 0;
}

int midi_read(struct midi *m, const char *path, struct error *e)
{
    struct stat status;
    uint8_t *bytes = NULL;
    int result = -1;
    *m = (struct midi){0};
    FILE *stream = input_file_stream(path, e);
    if (!stream)
        return -1;
    if (fstat(fileno(stream), &status)) {
        fail(e, ERROR_INPUT, "%s: cannot read: %s", path, strerror(errno));
    } else if (status.st_size > BYTES_MAX) {
        fail(e, ERROR_INPUT, "%s: is larger than %d MiB, which is too large for a score", path, BYTES_MAX >> 20);
    } else if (!(bytes = malloc((size_t)status.st_size + 1))) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    } else {
        const size_t length = fread(bytes, 1, (size_t)status.st_size, stream);
        result = ferror(stream) ? fail(e, ERROR_INPUT, "%s: cannot read: %s", path, strerror(errno))
                                : midi_parse(m, bytes, length, path, e);
    }
    free(bytes);
    fclose(stream);
    return result;
}

void midi_free(struct midi *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->notes[i].expression.points);
    free(m->notes);
    lines_free(m->remarks, m->remark_count);
    *m = (struct midi){0};
}
