/* SPDX-License-Identifier: MIT */
/* MIDI files: notes by time, instruments by channel, and damaged files. */
#include "base/random.h"
#include "base/text.h"
#include "render/synth/midi.h"
#include "render/synth/score.h"
#include "support/pieces.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Builds MIDI files byte by byte. */
struct bytes {
    uint8_t data[4096];
    size_t count;
};

static void put(struct bytes *b, const char *bytes, size_t count)
{
    assert_true(b->count + count <= sizeof b->data);
    memcpy(b->data + b->count, bytes, count);
    b->count += count;
}
#define PUT(b, text) put(b, text, sizeof(text) - 1)

static void put_header(struct bytes *b, int format, int tracks, int division)
{
    const char words[] = {(char)(format >> 8), (char)format,          (char)(tracks >> 8),
                          (char)tracks,        (char)(division >> 8), (char)division};
    PUT(b, "MThd\0\0\0\6");
    put(b, words, sizeof words);
}

static void put_track(struct bytes *b, const char *events, size_t count)
{
    const char length[] = {0, 0, (char)(count >> 8), (char)count};
    PUT(b, "MTrk");
    put(b, length, sizeof length);
    put(b, events, count);
}
#define TRACK(b, events) put_track(b, events, sizeof(events) - 1)
#define END "\0\xff\x2f\0"

static struct midi notes_of(const struct bytes *b)
{
    struct midi m;
    struct error e;
    if (midi_parse(&m, b->data, b->count, "x.mid", &e))
        fail_msg("%s", e.message);
    return m;
}

static bool is_note(const struct midi_note *n, double time, unsigned channel, unsigned note, unsigned velocity)
{
    return fabs(n->time - time) < 1e-12 && n->channel == channel && n->note == note && n->velocity == velocity;
}

static void midi_notes_follow_delta_times_and_running_status(void **state)
{
    (void)state;
    struct bytes b = {.count = 0};
    put_header(&b, 0, 1, 480);
    /* 120 quarters a minute until told otherwise; a velocity of 0 and note off are no notes */
    TRACK(&b, "\0\x90\x3c\x40"
              "\x83\x60\x40\x7f"
              "\0\x3c\0"
              "\0\x80\x40\x40"
              "\x60\xc0\5"
              "\0\xe3\0\x40"
              "\0\xf0\3\1\2\xf7"
              "\0\xff\1\2hi"
              "\x81\x40\x99\x24\1" END);
    struct midi m = notes_of(&b);
    assert_int_equal(m.count, 3);
    assert_true(is_note(&m.notes[0], 0, 1, 60, 64));
    assert_true(is_note(&m.notes[1], 0.5, 1, 64, 127));
    assert_true(is_note(&m.notes[2], 0.5 + (96 + 192) / 960.0, 10, 36, 1));
    midi_free(&m);
    midi_free(&m);
}

static void midi_tracks_share_the_map_of_tempi(void **state)
{
    (void)state;
    struct bytes b = {.count = 0};
    put_header(&b, 1, 3, 96);
    TRACK(&b, "\0\xff\x51\3\x0f\x42\x40"
              "\x60\xff\x51\3\x03\xd0\x90" END); /* 1 s, after a quarter 0.25 s a quarter */
    PUT(&b, "XFIH\0\0\0\3abc");                  /* for another program */
    TRACK(&b, "\0\x91\x3c\x40"
              "\x60\x3d\x40"
              "\x60\x3e\x40" END);
    TRACK(&b, "\x30\x92\x3f\x40"
              "\x30\x40\x40" END);
    struct midi m = notes_of(&b);
    assert_int_equal(m.count, 5);
    assert_true(is_note(&m.notes[0], 0, 2, 60, 64));
    assert_true(is_note(&m.notes[1], 0.5, 3, 63, 64));
    assert_true(is_note(&m.notes[2], 1, 2, 61, 64)); /* of one time: by track */
    assert_true(is_note(&m.notes[3], 1, 3, 64, 64));
    assert_true(is_note(&m.notes[4], 1.25, 2, 62, 64));
    midi_free(&m);
}

static void midi_may_count_frames_of_film(void **state)
{
    (void)state;
    struct bytes b = {.count = 0}, drop = {.count = 0};
    put_header(&b, 0, 1, 0xe728); /* 25 frames of 40 ticks: milliseconds */
    TRACK(&b, "\0\xff\x51\3\x0f\x42\x40"
              "\x87\x68\x90\x3c\x40" END);
    struct midi m = notes_of(&b);
    assert_true(m.count == 1 && is_note(&m.notes[0], 1, 1, 60, 64));
    midi_free(&m);
    put_header(&drop, 0, 1, 0xe364); /* 29.97 frames of 100 ticks */
    TRACK(&drop, "\x97\x38\x90\x3c\x40" END);
    m = notes_of(&drop);
    assert_true(m.count == 1 && is_note(&m.notes[0], 3000 / (100 * 30000 / 1001.0), 1, 60, 64));
    midi_free(&m);
}

#define HEADER "MThd\0\0\0\6\0\0\0\1\0\x60"
#define BAD(bytes, expected)                                                                                           \
    {                                                                                                                  \
        bytes, sizeof(bytes) - 1, expected                                                                             \
    }
static void what_is_no_midi_file_is_refused_with_one_message(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        const char *expected;
    } bad[] = {
        BAD("", "x.mid: is not a Standard MIDI File"),
        BAD("MTh", "is not a Standard MIDI File"),
        BAD("RIFF\0\0\0\0WAVE", "which begins with MThd"),
        BAD("RIFF\0\0\0\0RMI", "which begins with MThd"),
        BAD("RIFF\x1e\0\0\0RMIDdata", "is a MIDI file in a RIFF container; export a Standard MIDI File (.mid)"),
        BAD("time,instrument\n0,tom\n", "is not a Standard MIDI File"),
        BAD("MThd", "truncated"),
        BAD("MThd\0\0\0\6\0\0", "a chunk claims 6 bytes, but 2 are left"),
        BAD("MThd\xff\xff\xff\xff\0\0\0\1\0\x60", "a chunk claims 4294967295 bytes"),
        BAD("MThd\0\0\0\4\0\0\0\1", "the header is too short"),
        BAD("MThd\0\0\0\6\0\2\0\1\0\x60", "is of format 2"),
        BAD("MThd\0\0\0\6\0\7\0\1\0\x60", "of an unknown format"),
        BAD("MThd\0\0\0\6\0\1\0\0\0\x60", "ends before its tracks do"),
        BAD("MThd\0\0\0\6\0\0\0\1\0\0", "0 ticks"),
        BAD("MThd\0\0\0\6\0\0\0\1\xe7\0", "division of time"),
        BAD("MThd\0\0\0\6\0\0\0\1\xee\x28", "division of time"),
        BAD(HEADER, "ends before its tracks do"),
        BAD(HEADER "MTrk", "ends before its tracks do"),
        BAD(HEADER "MTrk\0\0\1\0\0\xff\x2f\0", "a chunk claims 256 bytes, but 4 are left"),
        BAD(HEADER "MTrk\0\0\0\4\0\x90\x3c\x40\x60\x3c\0\0\0\xff\x2f\0", "no track begins here"),
        BAD(HEADER "MTrk\0\0\0\4\0\x90\x3c\x40\0\0", "ends before its tracks do"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\x2f\0MTrk\0\0\1\0", "a chunk claims 256 bytes, but 0 are left"),
        BAD(HEADER "MTrk\0\0\0\3\0\x90\x3c", "ends within an event"),
        BAD(HEADER "MTrk\0\0\0\1\x81", "ends within an event"),
        BAD(HEADER "MTrk\0\0\0\6\xff\xff\xff\xff\x7f\0", "longer than four bytes"),
        BAD(HEADER "MTrk\0\0\0\5\0\x3c\x40\0\0", "data without a preceding event"),
        BAD(HEADER "MTrk\0\0\0\4\0\x90\x90\x40", "is interrupted"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\1\x7f", "longer than its track"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\1\1", "longer than its track"),
        BAD(HEADER "MTrk\0\0\0\6\0\xff\x51\2\1\1", "a tempo must be three bytes"),
        BAD(HEADER "MTrk\0\0\0\7\0\xff\x51\3\0\0\0", "a tempo must be three bytes"),
        BAD(HEADER "MTrk\0\0\0\2\0\xf6", "a system message"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\x90\0", "meta event"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct midi m;
        struct error e = {0};
        if (!midi_parse(&m, (const uint8_t *)bad[i].bytes, bad[i].count, "x.mid", &e))
            fail_msg("taken, in place of %s", bad[i].expected);
        assert_int_equal(e.code, ERROR_INPUT);
        if (strncmp(e.message, "x.mid: ", 7) != 0 || !strstr(e.message, bad[i].expected))
            fail_msg("expected %s\n got %s", bad[i].expected, e.message);
    }
    write_file("phrase.mid", "no notes at all");
    score_refused(SCORE("file = \"phrase.mid\";"), "phrase.mid: is not a Standard MIDI File");
    score_refused(SCORE("file = \"nosuch.mid\";"), "nosuch.mid: cannot open: No such file");
    score_refused(PIECE "score: { file = \"../"
                        "\"; };",
                  "neither .mid nor .csv");
}

/* Three notes, each half a second behind the one before. */
#define FIRST "\x83\x60\x90\x3c\x5a"
#define SECOND "\x83\x60\x90\x40\x5a"
#define THIRD "\x83\x60\x90\x43\x5a"
#define NOTES FIRST SECOND THIRD
#define BYTES(text)                                                                                                    \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }
#define NOTHING                                                                                                        \
    {                                                                                                                  \
        NULL, 0                                                                                                        \
    }

static void departures_that_players_accept_are_read_each_with_one_remark(void **state)
{
    (void)state;
    static const struct {
        int format, tracks; /* by the header */
        struct {
            const char *bytes;
            size_t count;
        } track[2], tail;   /* tail: behind the last track */
        const char *remark; /* NULL: none */
    } songs[] = {
        {0, 1, {BYTES(NOTES END), NOTHING}, NOTHING, NULL},
        {0, 1, {BYTES(FIRST "\0\xff\1\2hi\x83\x60\x40\x5a" THIRD END), NOTHING}, NOTHING, "running status continues"},
        {0,
         1,
         {BYTES(FIRST "\0\xf0\2\1\xf7\x83\x60\x40\x5a\0\xf7\1\1\x83\x60\x43\x5a" END), NOTHING},
         NOTHING,
         "running status continues after a text or system message"},
        {0, 1, {BYTES(NOTES), NOTHING}, NOTHING, "1 of 1 tracks have no end mark"},
        {1, 2, {BYTES(FIRST), BYTES("\x87\x40\x90\x40\x5a" THIRD)}, NOTHING, "2 of 2 tracks have no end mark"},
        {1, 2, {BYTES(""), BYTES(NOTES END)}, NOTHING, "1 of 2 tracks have no end mark"},
        {0, 2, {BYTES(END), BYTES(NOTES END)}, NOTHING, "states 2 tracks in format 0; all 2 in the file are read"},
        {0, 1, {BYTES(END), BYTES(NOTES END)}, NOTHING, "states 1 track in format 0; all 2 in the file are read"},
        {1, 3, {BYTES(NOTES END), NOTHING}, NOTHING, "states 3 tracks in format 1; all 1 in the file are read"},
        {1, 0, {BYTES(NOTES END), NOTHING}, NOTHING, "states 0 tracks in format 1; all 1 in the file are read"},
        {0, 1, {BYTES(NOTES END "\0\0"), NOTHING}, NOTHING, "2 bytes after the end of a track are ignored"},
        {0, 1, {BYTES(NOTES END), NOTHING}, BYTES("\x1a"), "1 byte after the end of a track is ignored"},
        {0, 1, {BYTES(NOTES END), NOTHING}, BYTES("\0\0\0\0\0\0\0\0\0\0"), "10 bytes after the end of a track"},
        {0, 1, {BYTES(NOTES END), NOTHING}, BYTES("Hello World, by a sequencer"), "27 bytes after the end of a track"},
        {0, 1, {BYTES(NOTES END "\0"), NOTHING}, BYTES("MThd\1"), "6 bytes after the end of a track"},
        {0, 1, {BYTES("\0\xfe" NOTES END), NOTHING}, NOTHING, "real-time bytes (clock, active sensing)"},
        {0, 1, {BYTES(FIRST "\0\xf8\x83\x60\x40\x5a" THIRD END), NOTHING}, NOTHING, "real-time bytes"},
        {0, 1, {BYTES("\x83\x60\x90\xf8\x3c\xfe\x5a" SECOND THIRD END), NOTHING}, NOTHING, "real-time bytes"},
    };
    for (size_t i = 0; i < sizeof songs / sizeof *songs; i++) {
        struct bytes b = {.count = 0};
        put_header(&b, songs[i].format, songs[i].tracks, 480);
        for (size_t k = 0; k < 2 && songs[i].track[k].bytes; k++)
            put_track(&b, songs[i].track[k].bytes, songs[i].track[k].count);
        if (songs[i].tail.bytes)
            put(&b, songs[i].tail.bytes, songs[i].tail.count);
        struct midi m = notes_of(&b);
        if (m.count != 3 || !is_note(&m.notes[0], 0.5, 1, 60, 90) || !is_note(&m.notes[1], 1.0, 1, 64, 90) ||
            !is_note(&m.notes[2], 1.5, 1, 67, 90))
            fail_msg("song %zu: %zu other notes", i, m.count);
        assert_int_equal(m.remark_count, songs[i].remark != NULL);
        if (songs[i].remark && (strncmp(m.remarks[0], "x.mid: ", 7) != 0 || !strstr(m.remarks[0], songs[i].remark)))
            fail_msg("expected %s\n got %s", songs[i].remark, m.remarks[0]);
        midi_free(&m);
    }
}

static void each_departure_is_remarked_on_once(void **state)
{
    (void)state;
    struct bytes b = {.count = 0};
    put_header(&b, 0, 1, 480);
    TRACK(&b, "\0\xfe" FIRST "\0\xff\1\1a\x83\x60\x40\x5a\0\xfe\0\xff\1\1b\x83\x60\x43\x5a");
    TRACK(&b, "\0\xc0\5\0\xb0\x40\x7f\0\xb0\x40\0\0\xc1\5\0\xb0\x40\x7f" END "zz");
    PUT(&b, "\0\0\0");
    struct midi m = notes_of(&b);
    assert_int_equal(m.count, 3);
    assert_int_equal(m.remark_count, 7);
    midi_free(&m);
}

static void notes_end_and_are_expressive_while_they_are_held(void **state)
{
    (void)state;
    struct bytes b = {.count = 0};
    put_header(&b, 1, 1, 480);
    /* a note before any expression; at 127 from tick 96, the first one ends at 192; one at 64 from there, repeated at
     * 288 without an end, which ends it; another channel is not touched */
    TRACK(&b, "\0\x90\x3c\x40"
              "\x60\xb0\x0b\x7f"
              "\x60\x80\x3c\0"
              "\0\xb0\x0b\x40"
              "\0\x90\x3e\x40"
              "\0\x91\x3e\x40"
              "\x60\x90\x3e\x40"
              "\0\xb0\x79\0"
              "\0\x90\x40\x40" END);
    struct midi m = notes_of(&b);
    assert_int_equal(m.count, 5);
    assert_true(m.notes[4].expression.count == 1 && m.notes[4].expression.points[0][1] == 1.0); /* controller 121 */
    assert_true(fabs(m.notes[0].hold - 0.2) < 1e-12 && m.notes[0].expression.count == 1);
    assert_true(fabs(m.notes[0].expression.points[0][0] - 0.1) < 1e-12 && m.notes[0].expression.points[0][1] == 1.0);
    assert_true(fabs(m.notes[1].hold - 0.1) < 1e-12 && m.notes[1].expression.count == 1);
    assert_true(m.notes[1].expression.points[0][0] == 0.0 &&
                fabs(m.notes[1].expression.points[0][1] - 64.0 / 127.0) < 1e-12);
    assert_true(m.notes[2].hold == 0.0 && m.notes[2].expression.count == 0);
    assert_true(m.notes[3].hold == 0.0 && m.notes[3].expression.count == 1);
    midi_free(&m);
}

static void a_bowed_note_has_the_force_and_the_end_that_midi_gives(void **state)
{
    (void)state;
    struct room *room;
    struct bytes b = {.count = 0};
    put_header(&b, 1, 1, 480);
    TRACK(&b, "\0\xb0\x0b\x40"
              "\0\x90\x45\x7f"
              "\x60\xb0\x0b\x7f"
              "\x60\x80\x45\0" END);
    write_bytes("phrase.mid", (const char *)b.data, b.count);
    struct score s = score_of(BOWED("file = \"phrase.mid\";"), &room);
    const struct event *v = s.events;
    assert_int_equal(s.count, 1);
    assert_true(v->velocity == 0.3 && fabs(v->duration - 0.2) < 1e-12 && v->force_curve.count == 2);
    assert_true(fabs(v->force_curve.points[0][1] - 0.8 * 64.0 / 127.0) < 1e-12 && v->force_curve.points[1][1] == 0.8);
    score_free(&s);
    room_free(room);
    struct bytes open = {.count = 0};
    put_header(&open, 1, 1, 480);
    TRACK(&open, "\0\x90\x45\x7f" END);
    write_bytes("phrase.mid", (const char *)open.data, open.count);
    score_refused(
        BOWED("file = \"phrase.mid\";"),
        "the note 69 at 0 s on channel 1 has no length or no end, but \"v\" is bowed; add its note-off after it");
}

static void pitch_bend_tunes_the_notes_that_begin_with_it(void **state)
{
    (void)state;
    struct room *room;
    struct bytes b = {.count = 0};
    put_header(&b, 1, 2, 480);
    /* before, up a semitone of the usual two, a range of 12.5 semitones, down all of it, reset */
    TRACK(&b, "\0\x91\x45\x40"
              "\1\xe1\0\x60"
              "\0\x91\x45\x40"
              "\1\xb1\x65\0\0\x64\0\0\6\x0c\0\x26\x32"
              "\0\x91\x45\x40"
              "\1\xe1\0\0"
              "\0\x91\x45\x40"
              "\1\xb1\x65\0\0\x63\0\0\6\1" /* of another parameter */
              "\0\x79\0"
              "\0\x91\x45\x40" END);
    TRACK(&b, "\2\x90\x45\x40" END); /* other channels are not bent */
    struct midi m = notes_of(&b);
    static const double bend[] = {0, 1, 6.25, 0, -12.5, 0};
    assert_int_equal(m.count, 6);
    for (size_t i = 0; i < 6; i++)
        if (!(fabs(m.notes[i].bend - bend[i]) < 1e-12))
            fail_msg("note %zu: %g semitones, not %g", i, m.notes[i].bend, bend[i]);
    assert_int_equal(m.remark_count, 1);
    assert_non_null(strstr(m.remarks[0], "pitch bend tunes strings and bars when a note begins"));
    midi_free(&m);
    write_bytes("phrase.mid", (const char *)b.data, b.count);
    struct score s = score_of(SCORE("file = \"phrase.mid\";"), &room);
    assert_int_equal(s.remark_count, 1);
    assert_true(s.events[1].pitch / 440.0 - exp2(1 / 12.0) < 1e-12 && s.events[3].pitch == 440.0);
    score_free(&s);
    room_free(room);
    /* a membrane has one pitch at a time */
    struct score t =
        score_of(SCORE("file = \"phrase.mid\"; channels: ( { channel = 2; instrument = \"tom\"; } );"), &room);
    for (size_t i = 0; i < t.count; i++)
        assert_true(t.events[i].pitch == 440.0);
    score_free(&t);
    room_free(room);
}

static void karaoke_files_are_midi_files(void **state)
{
    (void)state;
    static const char *const names[] = {"song.kar", "song.mid", "SONG.KAR", "song.midi", "song.smf"};
    struct bytes b = {.count = 0};
    put_header(&b, 0, 1, 480);
    TRACK(&b, NOTES END);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct room *room;
        char text[2048];
        write_bytes(names[i], (const char *)b.data, b.count);
        snprintf(text, sizeof text, PIECE "score: { file = \"%s\"; };", names[i]);
        struct score s = score_of(text, &room);
        assert_int_equal(s.count, 3);
        score_free(&s);
        room_free(room);
    }
}

/* Four notes: on channels 1, 2, 10 and 2. */
static void write_phrase(void)
{
    struct bytes b = {.count = 0};
    put_header(&b, 0, 1, 480);
    TRACK(&b, "\0\x90\x3c\x7f"
              "\x83\x60\x91\x45\x40"
              "\0\x99\x24\x20"
              "\0\x91\x24\x7f" END);
    write_bytes("phrase.mid", (const char *)b.data, b.count);
}

static void midi_channels_play_the_instruments_they_are_mapped_to(void **state)
{
    (void)state;
    struct room *room;
    write_phrase();
    struct score s =
        score_of(SCORE("file = \"phrase.mid\"; channels: ( { channel = 2; instrument = \"g\"; },\n"
                       "{ channel = 2; instrument = \"tom\"; note = 36; }, { channel = 10; instrument = \"tom\"; } );"),
                 &room);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.left_out, 1); /* channel 1 is not named */
    const struct event *v = s.events;
    assert_true(v[0].instrument == 1 && v[0].pitch == 440 && fabs(v[0].force - 6.4) < 1e-12 && v[0].time == 0.5);
    assert_true(v[0].place[0] == 0.7 && v[0].duration == 0.002);
    assert_true(v[1].instrument == 0 && v[1].pitch == 0 && fabs(v[1].force - 20 * 32 / 127.0) < 1e-12); /* a drum */
    assert_true(v[2].instrument == 0 && v[2].pitch == 0 && v[2].force == 20); /* the line for this note goes before */
    score_free(&s);
    room_free(room);
}

static void midi_channels_without_a_map_play_the_instruments_in_turn(void **state)
{
    (void)state;
    struct room *room;
    struct bytes b = {.count = 0};
    put_header(&b, 0, 1, 480);
    /* the third instrument is a body: the third that is played is the gong, which keeps its pitch */
    TRACK(&b, "\0\x90\x3c\x7f"
              "\0\x91\x45\x40"
              "\0\x92\x45\x40" END);
    write_bytes("phrase.mid", (const char *)b.data, b.count);
    struct score s = score_of(SCORE("file = \"phrase.mid\";"), &room);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.left_out, 0);
    assert_true(s.events[0].instrument == 0 && fabs(s.events[0].pitch - 261.6256) < 1e-3);
    assert_true(s.events[1].instrument == 1 && s.events[1].pitch == 440);
    assert_true(s.events[2].instrument == 3 && s.events[2].pitch == 0);
    score_free(&s);
    room_free(room);
    write_phrase();
    score_refused(SCORE("file = \"phrase.mid\";"), "phrase.mid: channel 10 plays, but has no instrument; name the");
}

static void mutate(struct random *r, struct bytes *b)
{
    const size_t at = random_between(r, 0, b->count - 1);
    switch (random_between(r, 0, 4)) {
    case 0:
        b->data[at] = (uint8_t)random_bits(r);
        break;
    case 1:
        b->data[at] ^= (uint8_t)(1u << random_between(r, 0, 7));
        break;
    case 2: /* cut off */
        b->count = at + 1;
        break;
    case 3: { /* a piece again, elsewhere */
        const size_t length = random_between(r, 1, 12), from = random_between(r, 0, b->count - 1);
        for (size_t i = 0; i < length && at + i < b->count && from + i < b->count; i++)
            b->data[at + i] = b->data[from + i];
        break;
    }
    default: { /* lengths and ticks that are extreme */
        static const uint8_t extreme[] = {0, 0x7f, 0x80, 0xff, 0x90, 0x2f};
        for (size_t i = at; i < at + 4 && i < b->count; i++)
            b->data[i] = extreme[random_between(r, 0, sizeof extreme - 1)];
        break;
    }
    }
}

/* The bytes are in a block of their exact length, so that memory checkers see reads beyond the end. */
static void damaged_midi_files_never_do_harm(void **state)
{
    (void)state;
    enum { CASES = 20000, SEED = 20260 };
    struct random r = {SEED};
    size_t taken = 0;
    struct bytes whole = {.count = 0};
    put_header(&whole, 1, 2, 96);
    TRACK(&whole, "\0\xff\3\4song"
                  "\0\xff\x51\3\x0f\x42\x40"
                  "\x60\xff\x51\3\x03\xd0\x90" END);
    TRACK(&whole, "\0\x91\x3c\x40"
                  "\x83\x60\x3d\x40"
                  "\0\xf0\3\1\2\xf7"
                  "\0\xc1\5"
                  "\0\x91\x3e\x40"
                  "\x60\x3e\0" END);
    for (size_t n = 0; n < CASES; n++) {
        struct bytes b = whole;
        struct midi m;
        struct error e = {0};
        for (size_t k = random_between(&r, 1, 4); k > 0; k--)
            mutate(&r, &b);
        uint8_t *exact = malloc(b.count);
        assert_non_null(exact);
        memcpy(exact, b.data, b.count);
        if (!midi_parse(&m, exact, b.count, "x.mid", &e)) {
            taken++;
            for (size_t i = 0; i < m.count; i++)
                if (!(m.notes[i].time >= 0 && isfinite(m.notes[i].time)) || m.notes[i].channel - 1 > 15 ||
                    m.notes[i].note > 127 || m.notes[i].velocity - 1 > 126 ||
                    (i && m.notes[i].time < m.notes[i - 1].time))
                    fail_msg("seed %d, case %zu: note %zu", SEED, n, i);
            midi_free(&m);
        } else if (e.code != ERROR_INPUT || strncmp(e.message, "x.mid: ", 7) != 0 || strchr(e.message, '\n')) {
            fail_msg("seed %d, case %zu: %s", SEED, n, e.message);
        }
        free(exact);
    }
    print_message("seed %d: %zu of %d damaged files are still MIDI files\n", SEED, taken, CASES);
    assert_true(taken > 0 && taken < CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midi_notes_follow_delta_times_and_running_status),
        cmocka_unit_test(midi_tracks_share_the_map_of_tempi),
        cmocka_unit_test(midi_may_count_frames_of_film),
        cmocka_unit_test(what_is_no_midi_file_is_refused_with_one_message),
        cmocka_unit_test(departures_that_players_accept_are_read_each_with_one_remark),
        cmocka_unit_test(each_departure_is_remarked_on_once),
        cmocka_unit_test(notes_end_and_are_expressive_while_they_are_held),
        cmocka_unit_test(a_bowed_note_has_the_force_and_the_end_that_midi_gives),
        cmocka_unit_test(pitch_bend_tunes_the_notes_that_begin_with_it),
        cmocka_unit_test(karaoke_files_are_midi_files),
        cmocka_unit_test(midi_channels_play_the_instruments_they_are_mapped_to),
        cmocka_unit_test(midi_channels_without_a_map_play_the_instruments_in_turn),
        cmocka_unit_test(damaged_midi_files_never_do_harm),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
