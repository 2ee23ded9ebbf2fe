/* SPDX-License-Identifier: MIT */
/* Scores of wind instruments: notes come out at their pitches, without and with a room; notes that cannot be played, and
 * openings at walls and in other instruments, are refused by file and line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/synth/session.h"
#include "support/scratch.h"
#include "support/winds.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include <cjson/cJSON.h>

#include "support/within.h"

static const struct solver_options cpu = {.engine = "cpu"};

#define ROOM                                                                                                           \
    "room: { size = [1.3, 1.2, 1.5]; walls: { default = \"studio_curtain\"; }; };\ngrid: { rate = 14000.0; };\ntime: " \
    "{ duration = 1.2; };\n"
#define CLARINET "{ name = \"clarinet\"; preset = \"clarinet\"; mouth = [0.6, 0.5, 1.1]; position = [0.6, 0.7, 0.6]; }"
#define HEARD "pickups: ( { instrument = \"clarinet\"; place = 1.0; }, { instrument = \"clarinet\"; place = 0.0; } );\n"
#define LISTENER "receivers: ( { position = [0.3, 0.9, 1.0]; } );\n"
#define PLAYED(events) "score: { events = ( " events " ); };\n"

static int open_piece(struct room **room, struct session *s, const char *text, bool dry, struct error *e)
{
    setenv("AULA_DATA", SOURCE_FOLDER, 1);
    scratch_write(scratch_path("piece.cfg"), text, strlen(text));
    must(room_read(room, scratch_path("piece.cfg"), NULL, 0, e), e);
    return session_make(s, *room, dry, e);
}

static void close_piece(struct room *room, struct session *s)
{
    session_free(s);
    room_free(room);
}

/* Hz, between two times of a channel. */
static double pitch_of(const struct response *r, size_t channel, double from, double to, double expected)
{
    const size_t first = (size_t)(from * r->rate), count = (size_t)((to - from) * r->rate);
    const double scale = WINDS_RATE / r->rate; /* winds_pitch counts at WINDS_RATE */
    double periodic = 0.0;
    return winds_pitch(r->samples + channel * r->frames + first, count, 0.8 * scale * expected, 1.25 * scale * expected,
                       &periodic) /
           scale;
}

static const struct note {
    double from, to, pitch;
} notes[] = {{0.15, 0.38, 146.83}, {0.55, 0.78, 220.00}, {0.95, 1.18, 293.66}};
#define MELODY /* the second is slurred to the first */                                                                \
    PLAYED("{ time = 0.0; instrument = \"clarinet\"; note = \"D3\"; hold = 0.41; },"                                   \
           "{ time = 0.4; instrument = \"clarinet\"; note = \"A3\"; hold = 0.38; },"                                   \
           "{ time = 0.8; instrument = \"clarinet\"; note = \"D4\"; hold = 0.4; breath = 3100.0; }")

static void play(bool dry, double cents)
{
    struct room *room;
    struct session s;
    struct take take;
    struct error e;
    must(open_piece(&room, &s, ROOM "instruments: ( " CLARINET " );\n" HEARD LISTENER MELODY, dry, &e), &e);
    must(take_make(&take, &s, &cpu, NULL, &e), &e);
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        for (size_t channel = 0; channel < 2; channel++) {
            const double f = pitch_of(&take.pickups, channel, notes[n].from, notes[n].to, notes[n].pitch);
            assert_within(1200.0 * log2(f / notes[n].pitch), 0.0, cents);
        }
    double loudness[2];
    for (size_t channel = 0; channel < 2; channel++)
        loudness[channel] = winds_deviation(take.pickups.samples + channel * take.pickups.frames, take.pickups.frames);
    assert_within(log10(loudness[0]), -0.5, 0.7); /* about 84 dB at 1 m */
    assert_true(loudness[1] > 1000.0 && loudness[1] < 3000.0);
    if (!dry) {
        const double f = pitch_of(&take.air, 0, notes[1].from, notes[1].to, notes[1].pitch);
        assert_within(1200.0 * log2(f / notes[1].pitch), 0.0, cents);
    }
    take_free(&take);
    close_piece(room, &s);
}

static void notes_sound_at_their_pitches(void **state)
{
    (void)state;
    play(true, 5.0);
}

static void notes_sound_at_their_pitches_in_a_room(void **state)
{
    (void)state;
    play(false, 15.0);
}

static void what_cannot_be_played_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        bool dry;
    } bad[] = {
        {ROOM "instruments: ( " CLARINET
              " );\n" HEARD PLAYED("\n{ time = 0.0; instrument = \"clarinet\"; note = \"E4\"; hold = 0.4; }"),
         "piece.cfg:7: note: 329.628 Hz is none of the pitches of clarinet, from 146.83 to 293.66 Hz", true},
        {ROOM "instruments: ( " CLARINET " );\n" HEARD PLAYED("{ time = 0.0; instrument = \"clarinet\"; hold = 0.4; }"),
         "note: is missing for clarinet at 0 s", true},
        {ROOM "instruments: ( { name = \"clarinet\"; preset = \"trombone\"; mouth = [0.6, 0.5, 1.1]; position = [0.6, "
              "0.7, 0.6]; } );\n" HEARD PLAYED("{ time = 0.0; instrument = \"clarinet\"; pitch = 135.0; hold = 0.4; }"),
         "clarinet has no resonance for lips at 135 Hz", true},
        {ROOM
         "instruments: ( { name = \"clarinet\"; preset = \"clarinet\"; mouth = [0.6, 0.5, 1.1]; position = [0.6, "
         "0.7, 0.03]; } );\n" LISTENER PLAYED("{ time = 0.0; instrument = \"clarinet\"; note = \"D3\"; hold = 0.4; }"),
         "of a wall; move it", false},
        {ROOM "instruments: ( " CLARINET
              ", { name = \"pan\"; preset = \"tom\"; position = [0.6, 0.7, 0.6]; } );\n" LISTENER PLAYED(
                  "{ time = 0.0; instrument = \"clarinet\"; note = \"D3\"; hold = 0.4; }"),
         "cross or share a cell of the air", false},
        {"room: { size = [1.3, 1.2, 1.5]; objects = ( { shape = \"box\"; from = [0.4, 0.6, 0.4]; to = [0.8, 0.9, 0.7]; "
         "material = \"plaster\"; } ); };\ngrid: { rate = 14000.0; };\ninstruments: ( " CLARINET
         " );\n" LISTENER PLAYED("{ time = 0.0; instrument = \"clarinet\"; note = \"D3\"; hold = 0.4; }"),
         "piece.cfg:3: instrument clarinet: position: an opening lies in or at a wall or an object", false},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct room *room;
        struct session s;
        struct error e;
        if (!open_piece(&room, &s, bad[i].text, bad[i].dry, &e))
            fail_msg("taken: %s", bad[i].text);
        assert_int_equal(e.code, ERROR_INPUT);
        if (!strstr(e.message, bad[i].expected))
            fail_msg("expected %s\n got %s", bad[i].expected, e.message);
        room_free(room);
    }
}

/* Velocity and the breath controller set the breath, and a note ends with its note-off. */
static void midi_notes_are_blown(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {'M', 'T',  'h',  'd', 0, 0, 0, 6,  0, 0, 0, 1, 0, 96, /* */
                                    'M', 'T',  'r',  'k', 0, 0, 0, 24,                    /* */
                                    0,   0x90, 50,   127,                                 /* D3 */
                                    96,  0x80, 50,   0,                                   /* 0.5 s later */
                                    0,   0xb0, 2,    64,                                  /* breath */
                                    0,   0x90, 62,   1,                                   /* D4 */
                                    48,  0x80, 62,   0,                                   /* 0.25 s later */
                                    0,   0xff, 0x2f, 0};
    struct room *room;
    struct session s;
    struct error e;
    scratch_write(scratch_path("notes.mid"), bytes, sizeof bytes);
    must(open_piece(&room, &s, ROOM "instruments: ( " CLARINET " );\n" HEARD "score: { file = \"notes.mid\"; };\n",
                    true, &e),
         &e);
    const struct event *events = s.score.events;
    assert_int_equal(s.score.count, 2);
    assert_within(events[0].breath, 3000.0, 1e-9);
    assert_within(events[0].duration, 0.5, 1e-9);
    assert_int_equal(events[0].breath_curve.count, 0);
    assert_within(events[1].breath, 3000.0 * (0.7 + 0.3 / 127.0), 1e-9);
    assert_within(events[1].pitch, 293.6648, 1e-3);
    assert_within(events[1].duration, 0.25, 1e-9);
    assert_int_equal(events[1].breath_curve.count, 1);
    assert_within(events[1].breath_curve.points[0][1], 3000.0 * 64.0 / 127.0, 1e-9);
    assert_int_equal(s.ensemble->voice_count, 1);   /* one body for both */
    assert_int_equal(s.ensemble->warning_count, 1); /* 1512 Pa are too little for a reed */
    close_piece(room, &s);
}

/* The JSON beside a sound, with which it is played again. */
static void a_wind_instrument_is_written_in_full(void **state)
{
    (void)state;
    struct room *room, *again;
    struct session s;
    struct error e;
    must(open_piece(&room, &s,
                    ROOM "instruments: ( " CLARINET " );\n" HEARD PLAYED(
                        "{ time = 0.0; instrument = \"clarinet\"; note = \"D3\"; breath_curve = ( [0.0, 0.0], [0.1, "
                        "3000.0] ); }"),
                    true, &e),
         &e);
    cJSON *json = room_json(room);
    char *text = cJSON_Print(json);
    assert_non_null(text);
    cJSON_Delete(json);
    char *whole = text_format("{ \"input\": %s }", text);
    assert_non_null(whole);
    scratch_write(scratch_path("piece.json"), whole, strlen(whole));
    must(room_read(&again, scratch_path("piece.json"), NULL, 0, &e), &e);
    const struct instrument *a = &room->instruments[0], *b = &again->instruments[0];
    assert_int_equal(a->bore_count, b->bore_count);
    assert_int_equal(a->hole_count, b->hole_count);
    assert_memory_equal(a->bore, b->bore, a->bore_count * sizeof *a->bore);
    assert_memory_equal(a->holes, b->holes, a->hole_count * sizeof *a->holes);
    assert_memory_equal(a->mouth, b->mouth, sizeof a->mouth);
    assert_int_equal(a->reed, b->reed);
    assert_within(b->breath, 3000.0, 0.0);
    assert_int_equal(again->events[0].breath_curve.count, 2);
    free(whole);
    free(text);
    room_free(again);
    close_piece(room, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_sound_at_their_pitches),
        cmocka_unit_test(notes_sound_at_their_pitches_in_a_room),
        cmocka_unit_test(what_cannot_be_played_is_refused),
        cmocka_unit_test(midi_notes_are_blown),
        cmocka_unit_test(a_wind_instrument_is_written_in_full),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
