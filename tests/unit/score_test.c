/* Scores: events of the room file, of tables and of MIDI files, in the order of time; and that a damaged MIDI file is
 * refused with one message, whatever is wrong with it. */
/* before cmocka, which defines a macro `fail` */
#include "base/random.h"
#include "base/text.h"
#include "support/room_files.h"
#include "synth/midi.h"
#include "synth/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE                                                                                                          \
    BOX RECEIVER                                                                                                       \
        "instruments: (\n"                                                                                             \
        "{ name = \"tom\"; type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.15; surface_density = 0.26;\n"  \
        "  tension = 3000.0; decay = [2.0, 0.5]; force = 20.0; contact = 0.004; place = [0.2, 0.1]; },\n"              \
        "{ name = \"g\"; type = \"string\"; length = 0.65; diameter = 0.0003; young = 2e11; density = 7850.0;\n"       \
        "  pitch = 220.0; decay = [2.0, 0.5]; body = \"top\"; force = 12.7; place = 0.7; },\n"                         \
        "{ name = \"top\"; type = \"plate\"; position = [2.0, 1.0, 1.0]; sides = [0.4, 0.3]; thickness = 0.001;\n"     \
        "  density = 7850.0; young = 2e11; decay = [2.0, 0.5]; },\n"                                                   \
        "{ name = \"gong\"; type = \"plate\"; position = [3.0, 1.0, 1.0]; radius = 0.2; thickness = 0.001;\n"          \
        "  density = 7850.0; young = 2e11; decay = [2.0, 0.5]; } );\n"
#define SCORE(text) PIECE "score: { " text " };\n" /* on line 12 */

static struct score score_of(const char *text, struct room **room)
{
    struct score s;
    struct error e;
    *room = good_room(text);
    if (score_make(&s, *room, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < s.count; i++) {
        assert_true(s.events[i].force > 0 && s.events[i].duration > 0);
        assert_true(!i || s.events[i - 1].time <= s.events[i].time);
    }
    return s;
}

/* The message, which has to hold `expected`. */
static void refused(const char *text, const char *expected)
{
    struct score s;
    struct error e = {0};
    struct room *room = good_room(text);
    if (!score_make(&s, room, &e))
        fail_msg("taken, in place of %s", expected);
    assert_null(s.events);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, expected) || strchr(e.message, '\n'))
        fail_msg("expected %s\n got %s", expected, e.message);
    room_free(room);
}

static void events_come_by_time_with_the_defaults_of_their_instruments(void **state)
{
    (void)state;
    struct room *room;
    struct score s =
        score_of(SCORE("events: ( { time = 0.5; instrument = \"g\"; note = \"A4\"; force = 1.0; },\n"
                       "{ time = 0.0; instrument = \"tom\"; }, { time = 0.5; instrument = \"tom\";\n"
                       " place = [0.0, 0.0]; duration = 0.001; }, { time = 0.25; instrument = \"g\"; } );"),
                 &room);
    assert_int_equal(s.count, 4);
    const struct event *v = s.events;
    assert_true(v[0].instrument == 0 && v[0].force == 20 && v[0].duration == 0.004 && v[0].place[0] == 0.2 &&
                v[0].place[1] == 0.1 && v[0].pitch == 0);
    assert_true(v[1].time == 0.25 && v[1].instrument == 1 && v[1].place[0] == 0.7 && v[1].pitch == 0);
    assert_true(v[2].instrument == 1 && v[2].force == 1 && v[2].pitch == 440); /* of one time: as they were given */
    assert_true(v[3].instrument == 0 && v[3].place[0] == 0 && v[3].placed && v[3].duration == 0.001);
    score_free(&s);
    score_free(&s);
    room_free(room);
}

static void a_piece_may_have_no_events(void **state)
{
    (void)state;
    struct room *room;
    struct score s = score_of(PIECE, &room);
    assert_int_equal(s.count, 0);
    score_free(&s);
    room_free(room);
}

static void many_events_of_one_time_keep_their_order(void **state)
{
    (void)state;
    enum { LINES = 999 };
    struct room *room;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fprintf(stream, "time,instrument,force\n");
    for (int i = 0; i < LINES; i++)
        fprintf(stream, "%g,tom,%d\n", (i * 7 % 5) * 0.1, i + 1);
    fclose(stream);
    write_file("phrase.csv", text);
    free(text);
    struct score s = score_of(SCORE("file = \"phrase.csv\";"), &room);
    assert_int_equal(s.count, LINES);
    for (size_t i = 1; i < s.count; i++)
        assert_true(s.events[i - 1].time < s.events[i].time || s.events[i - 1].force < s.events[i].force);
    score_free(&s);
    room_free(room);
}

static void a_table_is_read_with_its_columns_in_any_order(void **state)
{
    (void)state;
    struct room *room;
    write_file("phrase.csv", "\xEF\xBB\xBF"
                             "instrument, \"time\" ,note,place,place2,force,duration\r\n"
                             "tom,0.5,,0.1,-0.2,3,0.001\r\n"
                             "\r\n"
                             "\"g\" , 0.25 ,\"C#4\",0.3,,,\r\n"
                             "  tom,1e-1,60,,,,\n"
                             "g,2,,,,,");
    struct score s =
        score_of(SCORE("file = \"phrase.csv\"; events: ( { time = 0.25; instrument = \"gong\"; } );"), &room);
    const struct event *v = s.events;
    assert_int_equal(s.count, 5);
    assert_true(v[0].time == 0.1 && fabs(v[0].pitch - 261.6256) < 1e-3 && !v[0].placed && v[0].place[0] == 0.2);
    assert_int_equal(v[1].instrument, 3); /* what the room file says stands first */
    assert_true(v[2].instrument == 1 && v[2].place[0] == 0.3 && fabs(v[2].pitch - 277.1826) < 1e-3);
    assert_true(v[3].place[0] == 0.1 && v[3].place[1] == -0.2 && v[3].force == 3 && v[3].duration == 0.001);
    assert_int_equal(v[3].origin.line, 2);
    assert_int_equal(v[4].origin.line, 6);
    assert_non_null(strstr(v[4].origin.file, "phrase.csv"));
    score_free(&s);
    room_free(room);
}

static void a_bad_table_is_refused_by_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } bad[] = {
        {"", "phrase.csv:1: is empty; expected a line of column names"},
        {"\n\n", "is empty"},
        {"time\n0\n", "phrase.csv:1: instrument: the column is missing"},
        {"instrument\ntom\n", "phrase.csv:1: time: the column is missing"},
        {"time,instrment\n", "phrase.csv:1: unknown column \"instrment\"; did you mean instrument?"},
        {"time,instrument,zzzzzz\n", "unknown column \"zzzzzz\"; known are time"},
        {"time,instrument,time\n", "time: the column is there twice"},
        {"time,instrument,place2\n", "place2: the second number of a place needs the column place"},
        {"time,instrument\n0,tom,\n", "phrase.csv:2: holds 3 fields; the first line names 2 columns"},
        {"time,instrument,force\n0,tom\n", "phrase.csv:2: holds 2 fields; the first line names 3 columns"},
        {"time,instrument\n\n\n,tom\n", "phrase.csv:4: time: is missing"},
        {"time,instrument\n0,\n", "phrase.csv:2: instrument: is missing"},
        {"time,instrument\n-0.1,tom\n", "phrase.csv:2: time: -0.1 is out of range: expected 0 to"},
        {"time,instrument\nnan,tom\n", "time: \"nan\" is no number in s"},
        {"time,instrument\n1e999,tom\n", "phrase.csv:2: time: "},
        {"time,instrument\n0.5x,tom\n", "time: \"0.5x\" is no number in s"},
        {"time,instrument\r\n0,tomm\r\n", "instrument: unknown instrument \"tomm\"; did you mean \"tom\"?"},
        {"time,instrument,force\n0,tom,-1\n", "force: above 0"},
        {"time,instrument,duration\n0,tom,5\n", "duration: 5 is out of range"},
        {"time,instrument,place\n0,g,1.5\n", "place: 1.5 is out of range"},
        {"time,instrument,place\n0,g,-0.5\n", "phrase.csv:2: place: -0.5 lies beyond the string"},
        {"time,instrument,place,place2\n0,g,0.5,0.1\n", "place: a place on a string is one number"},
        {"time,instrument,place,place2\n0,tom,0.9,0.9\n", "place: [0.9, 0.9] lies outside the membrane"},
        {"time,instrument,place,place2\n0,tom,,0.9\n", "place: is missing, and place2 is there"},
        {"time,instrument,note\n0,g,H2\n", "note: \"H2\" is no note"},
        {"time,instrument,note\n0,gong,C4\n", "note: a plate such as \"gong\" keeps its pitch"},
        {"time,instrument,note,pitch\n0,g,C4,50\n", "pitch: a note is given too"},
        {"time,instrument\n0,\"tom\n", "phrase.csv:2: a text begins with \" and does not end on this line"},
        {"time,instrument\n0,\"tom\"x\n", "expected a comma behind the closing \""},
        {"time,instrument\n0,\"to\"\"m\"\n", "unknown instrument \"to\"m\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file("phrase.csv", bad[i].text);
        refused(SCORE("file = \"phrase.csv\";"), bad[i].expected);
    }
    char *where = text_format("%s/room.cfg:12: score.file: %s/phrase.csv:2: ", room_folder, room_folder);
    refused(SCORE("file = \"phrase.csv\";"), where);
    free(where);
    refused(SCORE("file = \"nosuch.csv\";"), "nosuch.csv: cannot be read: No such file");
    refused(SCORE("file = \"phrase.txt\";"), "phrase.txt ends in neither .mid nor .csv");
}

static void a_table_that_is_no_text_is_refused_whole(void **state)
{
    (void)state;
    static const char nul[] = "time,instrument\n0,tom\n0.1,t\0m\n0.2,tom\n", last[] = "time,instrument\n0,tom\n\0";
    static const char little[] = "\xFF\xFEt\0i\0m\0e\0", big[] = "\xFE\xFF\0t\0i\0m\0e";
    write_bytes("phrase.csv", nul, sizeof nul - 1);
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: holds a NUL byte: it is not text; save it as UTF-8");
    write_bytes("phrase.csv", last, sizeof last - 1);
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: holds a NUL byte");
    write_bytes("phrase.csv", little, sizeof little - 1);
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv: is UTF-16: save it as UTF-8");
    write_bytes("phrase.csv", big, sizeof big - 1);
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv: is UTF-16: save it as UTF-8");
}

/* 0 in a table is no way to ask for the instrument's own force, which is what 0 means inside. */
static void a_table_says_no_force_and_no_duration_of_zero(void **state)
{
    (void)state;
    write_file("phrase.csv", "time,instrument,force\n0,tom,\n0.1,tom,0\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: force: above 0; leave it empty for the instrument's own");
    write_file("phrase.csv", "time,instrument,force\n0,tom,-0.0\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: force: above 0; leave it empty for the instrument's own");
    write_file("phrase.csv", "time,instrument,duration\n0,tom,0.0\n");
    refused(SCORE("file = \"phrase.csv\";"),
            "phrase.csv:2: duration: above 0; leave it empty for the instrument's own");
}

/* Of three lines, of which the last is the tom at 0.1 s with 3 N. */
static void plays_three_lines(const char *text)
{
    struct room *room;
    write_file("phrase.csv", text);
    struct score s = score_of(SCORE("file = \"phrase.csv\";"), &room);
    assert_int_equal(s.count, 2);
    assert_true(s.events[0].instrument == 1 && s.events[0].force == 12.7 && s.events[0].origin.line == 2);
    assert_true(s.events[1].time == 0.1 && s.events[1].instrument == 0 && s.events[1].force == 3);
    assert_int_equal(s.events[1].origin.line, 3);
    score_free(&s);
    room_free(room);
}

static void a_table_may_end_its_lines_by_cr_alone(void **state)
{
    (void)state;
    plays_three_lines("time,instrument,force\n0,g,\n0.1,tom,3\n");
    plays_three_lines("time,instrument,force\r0,g,\r0.1,tom,3\r");
    plays_three_lines("time,instrument,force\r0,\"g\",\r0.1,\"tom\",\"3\"");
    write_file("phrase.csv", "time,instrument\r\r0,\"tom\r");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: a text begins with \" and does not end on this line");
}

static void a_table_may_have_empty_last_columns(void **state)
{
    (void)state;
    plays_three_lines("time,instrument,force,\n0,g,,\n0.1,tom,3,\n");
    plays_three_lines("time,instrument,force, ,\"\"\n0,g,,,\n0.1,tom,3\n");
    write_file("phrase.csv", "time,instrument,\n0,tom,3\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: field 3, \"3\", is in a column without a name");
    write_file("phrase.csv", "time,instrument,\n0,tom,,\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: holds 4 fields; the first line names 2 columns");
    write_file("phrase.csv", "time,,instrument\n0,,tom\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:1: column 2 has no name");
}

static void a_table_may_name_its_columns_in_capitals(void **state)
{
    (void)state;
    plays_three_lines("Time,INSTRUMENT,\"Force\"\n0,g,\n0.1,tom,3\n");
    write_file("phrase.csv", "Time,INSTRMENT\n0,tom\n");
    refused(SCORE("file = \"phrase.csv\";"), "unknown column \"INSTRMENT\"; did you mean instrument?");
    write_file("phrase.csv", "time,instrument,Time\n0,tom,0\n");
    refused(SCORE("file = \"phrase.csv\";"), "time: the column is there twice");
}

static void a_table_with_other_separators_is_told_of_commas(void **state)
{
    (void)state;
    write_file("phrase.csv", "time;instrument;force\n0;tom;3\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:1: columns are separated by commas, not by semicolons");
    write_file("phrase.csv", "\ntime\tinstrument\tforce\n0,1\ttom\t3\n");
    refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: columns are separated by commas, not by tabs");
}

/* MIDI files, put together by hand. */
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
        BAD("", "x.mid: is no Standard MIDI File"),
        BAD("MTh", "is no Standard MIDI File"),
        BAD("RIFF\0\0\0\0WAVE", "does not begin with MThd"),
        BAD("RIFF\0\0\0\0RMI", "does not begin with MThd"),
        BAD("RIFF\x1e\0\0\0RMIDdata", "is a RIFF file around a MIDI file: export a Standard MIDI File (.mid)"),
        BAD("time,instrument\n0,tom\n", "is no Standard MIDI File"),
        BAD("MThd", "cut off"),
        BAD("MThd\0\0\0\6\0\0", "a chunk claims 6 bytes, and 2 are left"),
        BAD("MThd\xff\xff\xff\xff\0\0\0\1\0\x60", "a chunk claims 4294967295 bytes"),
        BAD("MThd\0\0\0\4\0\0\0\1", "the header is too short"),
        BAD("MThd\0\0\0\6\0\2\0\1\0\x60", "is of format 2"),
        BAD("MThd\0\0\0\6\0\7\0\1\0\x60", "of an unknown format"),
        BAD("MThd\0\0\0\6\0\1\0\0\0\x60", "number of tracks"),
        BAD("MThd\0\0\0\6\0\0\0\2\0\x60", "number of tracks"),
        BAD("MThd\0\0\0\6\0\0\0\1\0\0", "0 ticks"),
        BAD("MThd\0\0\0\6\0\0\0\1\xe7\0", "division of time"),
        BAD("MThd\0\0\0\6\0\0\0\1\xee\x28", "division of time"),
        BAD(HEADER, "ends before its tracks do"),
        BAD(HEADER "MTrk", "ends before its tracks do"),
        BAD(HEADER "MTrk\0\0\1\0\0\xff\x2f\0", "a chunk claims 256 bytes, and 4 are left"),
        BAD(HEADER "MTrk\0\0\0\0", "has no end mark"),
        BAD(HEADER "MTrk\0\0\0\4\0\x90\x3c\x40", "has no end mark"),
        BAD(HEADER "MTrk\0\0\0\3\0\x90\x3c", "ends inside an event"),
        BAD(HEADER "MTrk\0\0\0\1\x81", "ends inside an event"),
        BAD(HEADER "MTrk\0\0\0\6\xff\xff\xff\xff\x7f\0", "more than four bytes"),
        BAD(HEADER "MTrk\0\0\0\5\0\x3c\x40\0\0", "data without an event"),
        BAD(HEADER "MTrk\0\0\0\x0f\0\x90\x3c\x40\0\xff\1\0\0\x3c\x40\0\xff\x2f\0",
            "data without an event"), /* a meta event ends running status */
        BAD(HEADER "MTrk\0\0\0\4\0\x90\x90\x40", "breaks off"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\1\x7f", "longer than its track"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\1\1", "longer than its track"),
        BAD(HEADER "MTrk\0\0\0\6\0\xff\x51\2\1\1", "a tempo takes three bytes"),
        BAD(HEADER "MTrk\0\0\0\7\0\xff\x51\3\0\0\0", "a tempo takes three bytes"),
        BAD(HEADER "MTrk\0\0\0\2\0\xf8", "a system message"),
        BAD(HEADER "MTrk\0\0\0\4\0\xff\x90\0", "meta event"),
        BAD(HEADER "MTrk\0\0\0\6\0\xff\x2f\0\0\0", "behind its end mark"),
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
    refused(SCORE("file = \"phrase.mid\";"), "phrase.mid: is no Standard MIDI File");
    refused(SCORE("file = \"nosuch.mid\";"), "nosuch.mid: cannot be read: No such file");
    refused(PIECE "score: { file = \"../"
                  "\"; };",
            "neither .mid nor .csv");
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
    refused(SCORE("file = \"phrase.mid\";"),
            "phrase.mid: channel 10 plays, and there is no instrument for it: name the");
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

/* Memory checkers see a byte read beyond the end, as the bytes lie in a block of their very length. */
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
        cmocka_unit_test(events_come_by_time_with_the_defaults_of_their_instruments),
        cmocka_unit_test(a_piece_may_have_no_events),
        cmocka_unit_test(many_events_of_one_time_keep_their_order),
        cmocka_unit_test(a_table_is_read_with_its_columns_in_any_order),
        cmocka_unit_test(a_bad_table_is_refused_by_file_and_line),
        cmocka_unit_test(a_table_that_is_no_text_is_refused_whole),
        cmocka_unit_test(a_table_says_no_force_and_no_duration_of_zero),
        cmocka_unit_test(a_table_may_end_its_lines_by_cr_alone),
        cmocka_unit_test(a_table_may_have_empty_last_columns),
        cmocka_unit_test(a_table_may_name_its_columns_in_capitals),
        cmocka_unit_test(a_table_with_other_separators_is_told_of_commas),
        cmocka_unit_test(midi_notes_follow_delta_times_and_running_status),
        cmocka_unit_test(midi_tracks_share_the_map_of_tempi),
        cmocka_unit_test(midi_may_count_frames_of_film),
        cmocka_unit_test(what_is_no_midi_file_is_refused_with_one_message),
        cmocka_unit_test(midi_channels_play_the_instruments_they_are_mapped_to),
        cmocka_unit_test(midi_channels_without_a_map_play_the_instruments_in_turn),
        cmocka_unit_test(damaged_midi_files_never_do_harm),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
