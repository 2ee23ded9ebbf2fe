/* SPDX-License-Identifier: MIT */
/* Standard MIDI Files 1.0 (MIDI Manufacturers Association, RP-001, 1996). */
#include "synth/midi.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input_file.h"

enum { BYTES_MAX = 16 << 20, DEFAULT_TEMPO = 500000 /* µs per quarter */ };

struct note_at {
    uint64_t tick;
    size_t order;
    uint8_t channel, note, velocity;
};

struct tempo_at {
    uint64_t tick;
    size_t order;
    uint32_t tempo; /* µs per quarter */
};

struct parser {
    const uint8_t *bytes;
    size_t at, end; /* end: of the file, or of the chunk being read */
    const char *path;
    size_t track; /* from 1; 0: before the tracks */
    struct note_at *notes;
    size_t note_count, note_room;
    struct tempo_at *tempi;
    size_t tempo_count, tempo_room;
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
        return refuse(p, "the track ends inside an event; the file is cut off or damaged");
    *byte = p->bytes[p->at++];
    return 0;
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
    return byte & 0x80 ? refuse(p, "a number goes on for more than four bytes; the file is damaged") : 0;
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

static int add_note(struct parser *p, uint64_t tick, uint8_t status, const uint8_t data[2])
{
    if (grow(p, &p->notes, p->note_count, &p->note_room, sizeof *p->notes))
        return -1;
    p->notes[p->note_count] = (struct note_at){tick, p->note_count, (uint8_t)((status & 0x0f) + 1), data[0], data[1]};
    p->note_count++;
    return 0;
}

static int add_tempo(struct parser *p, uint64_t tick, const uint8_t *data, uint32_t length)
{
    const uint32_t tempo = length == 3 ? big_endian(data, 3) : 0;
    if (!tempo)
        return refuse(p, "a tempo takes three bytes that are not all 0; the file is damaged");
    if (grow(p, &p->tempi, p->tempo_count, &p->tempo_room, sizeof *p->tempi))
        return -1;
    p->tempi[p->tempo_count] = (struct tempo_at){tick, p->tempo_count, tempo};
    p->tempo_count++;
    return 0;
}

/* Meta events and system exclusive messages: a length, then that many bytes. */
static int read_long_event(struct parser *p, uint64_t tick, uint8_t status, bool *ended)
{
    uint8_t type = 0;
    uint32_t length;
    if ((status == 0xff && next_byte(p, &type)) || next_variable(p, &length))
        return -1;
    if (length > p->end - p->at)
        return refuse(p, "an event is longer than its track; the file is cut off or damaged");
    const uint8_t *data = p->bytes + p->at;
    p->at += length;
    if (status != 0xff)
        return 0;
    if (type >= 0x80)
        return refuse(p, "a meta event has a type above 127; the file is damaged");
    *ended = type == 0x2f;
    return type == 0x51 ? add_tempo(p, tick, data, length) : 0;
}

/* `first`: the first data byte under running status, else the status byte. */
static int read_channel_event(struct parser *p, uint64_t tick, uint8_t status, bool running, uint8_t first)
{
    const uint8_t kind = status & 0xf0;
    uint8_t data[2] = {first, 0};
    if ((!running && next_byte(p, &data[0])) || (kind != 0xc0 && kind != 0xd0 && next_byte(p, &data[1])))
        return -1;
    if ((data[0] | data[1]) & 0x80)
        return refuse(p, "an event breaks off for another one; the file is damaged");
    return kind == 0x90 && data[1] ? add_note(p, tick, status, data) : 0;
}

static int read_track(struct parser *p)
{
    uint64_t tick = 0;
    uint8_t running = 0;
    bool ended = false;
    while (!ended) {
        uint32_t delta;
        uint8_t first = 0;
        if (p->at == p->end)
            return refuse(p, "the track has no end mark; the file is cut off or damaged");
        if (next_variable(p, &delta) || next_byte(p, &first))
            return -1;
        tick += delta;
        if (first < 0x80 && !running)
            return refuse(p, "data without an event before it; the file is damaged");
        if (first == 0xff || first == 0xf0 || first == 0xf7) {
            running = 0;
            if (read_long_event(p, tick, first, &ended))
                return -1;
        } else if (first > 0xf0) {
            return refuse(p, "a system message that no file may hold; the file is damaged");
        } else {
            const bool is_running = first < 0x80;
            running = is_running ? running : first;
            if (read_channel_event(p, tick, running, is_running, first))
                return -1;
        }
    }
    return p->at == p->end ? 0 : refuse(p, "the track goes on behind its end mark; the file is damaged");
}

/* Chunk header: four letters and a length, which must lie within the file. */
static int read_chunk(struct parser *p, size_t length, char name[5], size_t *end)
{
    if (length - p->at < 8)
        return refuse(p, "the file ends before its tracks do; it is cut off");
    for (size_t i = 0; i < 4; i++)
        name[i] = (char)p->bytes[p->at + i];
    name[4] = '\0';
    const size_t bytes = big_endian(p->bytes + p->at + 4, 4);
    p->at += 8;
    if (bytes > length - p->at)
        return fail(p->error, ERROR_INPUT,
                    "%s: byte %zu: a chunk claims %zu bytes, and %zu are left; the file is cut off or damaged", p->path,
                    p->at - 8, bytes, length - p->at);
    *end = p->at + bytes;
    return 0;
}

struct header {
    unsigned tracks;
    double seconds_per_tick; /* SMPTE; 0: by the tempo */
    double ticks_per_quarter;
};

static int read_header(struct parser *p, size_t length, struct header *h)
{
    char name[5];
    size_t end = 0;
    if (length >= 12 && !memcmp(p->bytes, "RIFF", 4) && !memcmp(p->bytes + 8, "RMID", 4))
        return fail(p->error, ERROR_INPUT, "%s: is a RIFF file around a MIDI file: export a Standard MIDI File (.mid)",
                    p->path);
    if (length < 4 || memcmp(p->bytes, "MThd", 4) != 0)
        return fail(p->error, ERROR_INPUT,
                    "%s: is no Standard MIDI File: it does not begin with MThd; export one of format 0 or 1 (.mid)",
                    p->path);
    if (read_chunk(p, length, name, &end))
        return -1;
    if (end - p->at < 6)
        return refuse(p, "the header is too short; the file is damaged");
    const unsigned format = big_endian(p->bytes + p->at, 2), division = big_endian(p->bytes + p->at + 4, 2);
    h->tracks = big_endian(p->bytes + p->at + 2, 2);
    if (format > 1)
        return refuse(p, format == 2 ? "is of format 2, patterns without an order; export it as format 0 or 1"
                                     : "is of an unknown format; export it as format 0 or 1");
    if (!h->tracks || (format == 0 && h->tracks != 1))
        return refuse(p, "the header gives a number of tracks that its format does not have; the file is damaged");
    if (division & 0x8000) {
        const unsigned frames = 0x100 - (division >> 8), ticks = division & 0xff;
        if ((frames != 24 && frames != 25 && frames != 29 && frames != 30) || !ticks)
            return refuse(p, "the header gives a division of time that does not exist; the file is damaged");
        h->seconds_per_tick = 1.0 / ((frames == 29 ? 30000.0 / 1001.0 : frames) * ticks);
    } else if (!division) {
        return refuse(p, "the header divides a quarter note into 0 ticks; the file is damaged");
    } else {
        h->ticks_per_quarter = division;
    }
    p->at = end;
    return 0;
}

static int by_tempo_tick(const void *a, const void *b)
{
    const struct tempo_at *left = a, *right = b;
    if (left->tick != right->tick)
        return left->tick < right->tick ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static int by_note_tick(const void *a, const void *b)
{
    const struct note_at *left = a, *right = b;
    if (left->tick != right->tick)
        return left->tick < right->tick ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

/* Converts ticks to seconds. Tracks of format 1 share one tempo map. */
static int convert_times(struct midi *m, struct parser *p, const struct header *h)
{
    double start = 0; /* s, at the tick of the current tempo */
    double per_tick = h->seconds_per_tick > 0 ? h->seconds_per_tick : DEFAULT_TEMPO * 1e-6 / h->ticks_per_quarter;
    uint64_t start_tick = 0;
    size_t tempo = h->seconds_per_tick > 0 ? p->tempo_count : 0; /* SMPTE time ignores tempi */
    m->notes = calloc(p->note_count + 1, sizeof *m->notes);
    if (!m->notes)
        return fail(p->error, ERROR_MEMORY, "%s: out of memory", p->path);
    if (p->tempo_count)
        qsort(p->tempi, p->tempo_count, sizeof *p->tempi, by_tempo_tick);
    if (p->note_count)
        qsort(p->notes, p->note_count, sizeof *p->notes, by_note_tick);
    for (size_t i = 0; i < p->note_count; i++) {
        const struct note_at *note = &p->notes[i];
        for (; tempo < p->tempo_count && p->tempi[tempo].tick <= note->tick; tempo++) {
            start += (double)(p->tempi[tempo].tick - start_tick) * per_tick;
            start_tick = p->tempi[tempo].tick;
            per_tick = p->tempi[tempo].tempo * 1e-6 / h->ticks_per_quarter;
        }
        m->notes[i] = (struct midi_note){start + (double)(note->tick - start_tick) * per_tick, note->channel,
                                         note->note, note->velocity};
    }
    m->count = p->note_count;
    return 0;
}

int midi_parse(struct midi *m, const uint8_t *bytes, size_t length, const char *path, struct error *e)
{
    struct parser p = {.bytes = bytes, .path = path, .error = e};
    struct header header = {0};
    int status = read_header(&p, length, &header);
    *m = (struct midi){0};
    for (unsigned read = 0; read < header.tracks && !status;) {
        char name[5];
        p.track = read + 1;
        status = read_chunk(&p, length, name, &p.end);
        if (status)
            break;
        if (!strcmp(name, "MTrk")) {
            status = read_track(&p);
            read++;
        }
        p.at = status ? p.at : p.end; /* unknown chunks are skipped */
    }
    status = status || convert_times(m, &p, &header);
    free(p.notes);
    free(p.tempi);
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
        fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    } else if (status.st_size > BYTES_MAX) {
        fail(e, ERROR_INPUT, "%s: is larger than %d MiB, which no score is", path, BYTES_MAX >> 20);
    } else if (!(bytes = malloc((size_t)status.st_size + 1))) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    } else {
        const size_t length = fread(bytes, 1, (size_t)status.st_size, stream);
        result = ferror(stream) ? fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno))
                                : midi_parse(m, bytes, length, path, e);
    }
    free(bytes);
    fclose(stream);
    return result;
}

void midi_free(struct midi *m)
{
    free(m->notes);
    *m = (struct midi){0};
}
