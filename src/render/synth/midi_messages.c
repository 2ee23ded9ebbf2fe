/* SPDX-License-Identifier: MIT */
/* Standard MIDI Files 1.0 (MIDI Manufacturers Association, RP-001, 1996). */
#include "render/synth/midi_messages.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    const uint8_t *bytes;
    size_t at, end; /* end: of the file, or of the chunk being read */
    const char *path;
    size_t track; /* from 1; 0: before the tracks */
    bool ended;   /* the last track has its end mark */
    struct midi_messages *found;
    size_t message_room, tempo_room;
    struct error *error;
};

static int refuse(const struct parser *p, const char *what)
{
    if (p->track)
        return fail(p->error, ERROR_INPUT, "%s: byte %zu, track %zu: %s", p->path, p->at, p->track, what);
    return fail(p->error, ERROR_INPUT, "%s: byte %zu: %s", p->path, p->at, what);
}

static int next_byte(struct parser *p, uint8_t *byte)
{
    if (p->at == p->end)
        return refuse(p, "the track ends within an event; the file is truncated or damaged");
    *byte = p->bytes[p->at++];
    return 0;
}

/* Clock, start, stop, active sensing and the like: single bytes that may interrupt anything on a
 * cable and do not belong in a file. */
static bool is_real_time(struct parser *p, uint8_t byte)
{
    const bool real_time = byte >= 0xf8 && byte != 0xff;
    p->found->real_time = p->found->real_time || real_time;
    return real_time;
}

static int next_data(struct parser *p, uint8_t *byte)
{
    int status;
    while (!(status = next_byte(p, byte)) && is_real_time(p, *byte))
        ;
    return status;
}

/* Seven bits per byte, at most four bytes. */
static int next_variable(struct parser *p, uint32_t *value)
{
    uint8_t byte = 0x80;
    *value = 0;
    for (int i = 0; i < 4 && byte & 0x80; i++) {
        if (next_byte(p, &byte))
            return -1;
        *value = *value << 7 | (byte & 0x7f);
    }
    return byte & 0x80 ? refuse(p, "a number is longer than four bytes; the file is damaged") : 0;
}

static uint32_t big_endian(const uint8_t *bytes, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* Room for one more element of `size` bytes. */
static int grow(struct parser *p, void *array, size_t count, size_t *room, size_t size)
{
    void *items;
    if (count < *room)
        return 0;
    const size_t more = *room ? 2 * *room : 64;
    memcpy(&items, array, sizeof items);
    items = realloc(items, more * size);
    if (!items)
        return fail(p->error, ERROR_MEMORY, "%s: out of memory", p->path);
    memcpy(array, &items, sizeof items);
    *room = more;
    return 0;
}

static int add_message(struct parser *p, uint64_t tick, struct midi_message message)
{
    struct midi_messages *m = p->found;
    if (grow(p, &m->messages, m->count, &p->message_room, sizeof *m->messages))
        return -1;
    message.tick = tick;
    message.order = m->count;
    m->messages[m->count++] = message;
    return 0;
}

static int add_tempo(struct parser *p, uint64_t tick, const uint8_t *data, uint32_t length)
{
    struct midi_messages *m = p->found;
    const uint32_t tempo = length == 3 ? big_endian(data, 3) : 0;
    if (!tempo)
        return refuse(p, "a tempo must be three bytes that are not all 0; the file is damaged");
    if (grow(p, &m->tempi, m->tempo_count, &p->tempo_room, sizeof *m->tempi))
        return -1;
    m->tempi[m->tempo_count] = (struct midi_tempo){tick, m->tempo_count, tempo};
    m->tempo_count++;
    return 0;
}

/* Meta events and system exclusive messages: a length, then that many bytes. */
static int read_long_event(struct parser *p, uint64_t tick, uint8_t status)
{
    uint8_t type = 0;
    uint32_t length;
    if ((status == 0xff && next_byte(p, &type)) || next_variable(p, &length))
        return -1;
    if (length > p->end - p->at)
        return refuse(p, "an event is longer than its track; the file is truncated or damaged");
    const uint8_t *data = p->bytes + p->at;
    p->at += length;
    if (status != 0xff)
        return 0;
    if (type >= 0x80)
        return refuse(p, "a meta event has a type above 127; the file is damaged");
    p->ended = type == 0x2f;
    return type == 0x51 ? add_tempo(p, tick, data, length) : 0;
}

/* `first`: the first data byte under running status, else the status byte. */
static int read_channel_event(struct parser *p, uint64_t tick, uint8_t status, bool running, uint8_t first)
{
    const size_t count = midi_data_count(status);
    uint8_t bytes[3] = {status, first, 0};
    struct midi_message message;
    if ((!running && next_data(p, &bytes[1])) || (count > 1 && next_data(p, &bytes[2])))
        return -1;
    if (!midi_message_of(&message, bytes, 1 + count))
        return refuse(p, "an event is interrupted by another one; the file is damaged");
    const bool told = message.kind == MIDI_NOTE_ON || message.kind == MIDI_NOTE_OFF ||
                      message.kind == MIDI_CONTROLLER || message.kind == MIDI_PROGRAM ||
                      message.kind == MIDI_PITCH_BEND;
    return told ? add_message(p, tick, message) : 0;
}

/* The standard ends running status at a meta event or system message, but sequencers write it and
 * players accept it. `over`: such an event came in between. */
struct running_status {
    uint8_t status; /* 0: none */
    bool over;
};

/* Reads the event with this status, or with this first data byte under running status. */
static int read_event(struct parser *p, uint64_t tick, struct running_status *running, uint8_t first)
{
    const bool is_running = first < 0x80;
    if (is_running && !running->status)
        return refuse(p, "data without a preceding event; the file is damaged");
    if (is_real_time(p, first))
        return 0;
    if (first == 0xff || first == 0xf0 || first == 0xf7) {
        running->over = true;
        return read_long_event(p, tick, first);
    }
    if (first >= 0xf0)
        return refuse(p, "a system message that is not allowed in a file; the file is damaged");
    p->found->running_over = p->found->running_over || (is_running && running->over);
    *running = (struct running_status){is_running ? running->status : first, false};
    return read_channel_event(p, tick, running->status, is_running, first);
}

static int read_track(struct parser *p)
{
    struct running_status running = {0};
    uint64_t tick = 0;
    for (p->ended = false; !p->ended && p->at < p->end;) {
        uint32_t delta;
        uint8_t first = 0;
        if (next_variable(p, &delta) || next_byte(p, &first))
            return -1;
        tick += delta;
        if (read_event(p, tick, &running, first))
            return -1;
    }
    p->found->endless += !p->ended;
    p->found->behind += p->end - p->at;
    return 0;
}

/* Chunk header: four letters and a length, which must lie within the file. */
static int read_chunk(struct parser *p, size_t length, char name[5], size_t *end)
{
    if (length - p->at < 8)
        return refuse(p, "the file ends before its tracks do; it is truncated");
    for (size_t i = 0; i < 4; i++)
        name[i] = (char)p->bytes[p->at + i];
    name[4] = '\0';
    const size_t bytes = big_endian(p->bytes + p->at + 4, 4);
    p->at += 8;
    if (bytes > length - p->at)
        return fail(p->error, ERROR_INPUT,
                    "%s: byte %zu: a chunk claims %zu bytes, but %zu are left; the file is truncated or damaged",
                    p->path, p->at - 8, bytes, length - p->at);
    *end = p->at + bytes;
    return 0;
}

static int read_header(struct parser *p, size_t length)
{
    struct midi_messages *m = p->found;
    char name[5];
    size_t end = 0;
    if (length >= 12 && !memcmp(p->bytes, "RIFF", 4) && !memcmp(p->bytes + 8, "RMID", 4))
        return fail(p->error, ERROR_INPUT, "%s: is a MIDI file in a RIFF container; export a Standard MIDI File (.mid)",
                    p->path);
    if (length < 4 || memcmp(p->bytes, "MThd", 4) != 0)
        return fail(p->error, ERROR_INPUT,
                    "%s: is not a Standard MIDI File, which begins with MThd; export one of format 0 or 1 (.mid)",
                    p->path);
    if (read_chunk(p, length, name, &end))
        return -1;
    if (end - p->at < 6)
        return refuse(p, "the header is too short; the file is damaged");
    const unsigned format = big_endian(p->bytes + p->at, 2), division = big_endian(p->bytes + p->at + 4, 2);
    m->format = format;
    m->tracks_stated = big_endian(p->bytes + p->at + 2, 2);
    if (format > 1)
        return refuse(p, format == 2 ? "is of format 2, which holds independent patterns; export it as format 0 or 1"
                                     : "is of an unknown format; export it as format 0 or 1");
    if (division & 0x8000) {
        const unsigned frames = 0x100 - (division >> 8), ticks = division & 0xff;
        if ((frames != 24 && frames != 25 && frames != 29 && frames != 30) || !ticks)
            return refuse(p, "the header has an invalid division of time; the file is damaged");
        m->seconds_per_tick = 1.0 / ((frames == 29 ? 30000.0 / 1001.0 : frames) * ticks);
    } else if (!division) {
        return refuse(p, "the header divides a quarter note into 0 ticks; the file is damaged");
    } else {
        m->ticks_per_quarter = division;
    }
    p->at = end;
    return 0;
}

static int by_tempo_tick(const void *a, const void *b)
{
    const struct midi_tempo *left = a, *right = b;
    if (left->tick != right->tick)
        return left->tick < right->tick ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static int by_message_tick(const void *a, const void *b)
{
    const struct midi_message *left = a, *right = b;
    if (left->tick != right->tick)
        return left->tick < right->tick ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

/* Whether a chunk begins here: four letters and a length. */
static bool is_chunk(const struct parser *p, size_t length)
{
    bool letters = length - p->at >= 8;
    for (size_t i = 0; letters && i < 4; i++)
        letters = p->bytes[p->at + i] >= ' ' && p->bytes[p->at + i] <= '~';
    if (!letters || !memcmp(p->bytes + p->at, "MTrk", 4) || p->found->tracks < p->found->tracks_stated || !p->ended)
        return letters;
    return big_endian(p->bytes + p->at + 4, 4) <= length - p->at - 8; /* else text after the last track */
}

static int read_chunks(struct parser *p, size_t length)
{
    struct midi_messages *m = p->found;
    char name[5];
    while (p->at < length && is_chunk(p, length)) {
        p->track = m->tracks + 1;
        if (read_chunk(p, length, name, &p->end))
            return -1;
        if (!strcmp(name, "MTrk")) {
            m->tracks++;
            if (read_track(p))
                return -1;
        }
        p->at = p->end;
    }
    m->trailing = length - p->at;
    if (m->tracks && (!m->trailing || (m->tracks >= m->tracks_stated && p->ended)))
        return 0;
    return refuse(p, m->trailing >= 8 ? "no track begins here; the file is damaged"
                                      : "the file ends before its tracks do; it is truncated");
}

int midi_messages_parse(struct midi_messages *m, const uint8_t *bytes, size_t length, const char *path, struct error *e)
{
    struct parser p = {.bytes = bytes, .path = path, .found = m, .error = e};
    *m = (struct midi_messages){0};
    if (read_header(&p, length) || read_chunks(&p, length)) {
        midi_messages_free(m);
        return -1;
    }
    if (m->tempo_count)
        qsort(m->tempi, m->tempo_count, sizeof *m->tempi, by_tempo_tick);
    if (m->count)
        qsort(m->messages, m->count, sizeof *m->messages, by_message_tick);
    return 0;
}

void midi_messages_free(struct midi_messages *m)
{
    free(m->messages);
    free(m->tempi);
    *m = (struct midi_messages){0};
}
