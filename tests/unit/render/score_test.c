/* SPDX-License-Identifier: MIT */
/* Scores: events of a room file and of tables. */
#include "base/random.h"
#include "base/text.h"
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

static void a_bow_stroke_lasts_as_long_as_it_is_held(void **state)
{
    (void)state;
    struct room *room;
    struct score s = score_of(BOWED("events: ( { time = 0.5; instrument = \"v\"; hold = 1.5; },\n"
                                    "{ time = 3.0; instrument = \"v\"; velocity = -0.1;\n"
                                    "  force_curve = ( [0.0, 0.2], [0.7, 1.0] ); place_curve = ( [0.1, 0.85] ); } );"),
                              &room);
    const struct event *v = s.events;
    assert_true(v[0].duration == 1.5 && v[0].velocity == 0.3 && v[0].force == 0.8 && v[0].place[0] == 0.9);
    assert_true(v[1].duration == 0.7 && v[1].velocity == -0.1 && v[1].force_curve.points[1][1] == 1.0);
    score_free(&s);
    room_free(room);
    write_file("phrase.csv", "time,instrument,hold,velocity_curve\n0.1,v,,0:0.1 0.4:0.3\n");
    s = score_of(BOWED("file = \"phrase.csv\";"), &room);
    assert_true(s.events[0].duration == 0.4 && s.events[0].velocity_curve.count == 2);
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
        {"time,instrument,time\n", "time: the column appears twice"},
        {"time,instrument,place2\n", "place2: needs the column place as well"},
        {"time,instrument\n0,tom,\n", "phrase.csv:2: has 3 fields, but the first line names 2 columns"},
        {"time,instrument,force\n0,tom\n", "phrase.csv:2: has 2 fields, but the first line names 3 columns"},
        {"time,instrument\n\n\n,tom\n", "phrase.csv:4: time: is missing"},
        {"time,instrument\n0,\n", "phrase.csv:2: instrument: is missing"},
        {"time,instrument\n-0.1,tom\n", "phrase.csv:2: time: -0.1 is out of range: expected 0 to"},
        {"time,instrument\nnan,tom\n", "time: \"nan\" is not a number in s"},
        {"time,instrument\n1e999,tom\n", "phrase.csv:2: time: "},
        {"time,instrument\n0.5x,tom\n", "time: \"0.5x\" is not a number in s"},
        {"time,instrument\r\n0,tomm\r\n", "instrument: unknown instrument \"tomm\"; did you mean \"tom\"?"},
        {"time,instrument,force\n0,tom,-1\n", "force: must be positive"},
        {"time,instrument,duration\n0,tom,5\n", "duration: 5 is out of range"},
        {"time,instrument,place\n0,g,1.5\n", "place: 1.5 is out of range"},
        {"time,instrument,place\n0,g,-0.5\n", "phrase.csv:2: place: -0.5 lies beyond the end of the string"},
        {"time,instrument,place,place2\n0,g,0.5,0.1\n", "place: a position on a string is one number"},
        {"time,instrument,place,place2\n0,tom,0.9,0.9\n", "place: [0.9, 0.9] lies outside the membrane"},
        {"time,instrument,place,place2\n0,tom,,0.9\n", "place: is missing, but place2 is present"},
        {"time,instrument,note\n0,g,H2\n", "note: \"H2\" is not a note"},
        {"time,instrument,note\n0,gong,C4\n", "note: \"gong\" is a plate, whose pitch is fixed"},
        {"time,instrument,note,pitch\n0,g,C4,50\n", "pitch: a note is present as well"},
        {"time,instrument,velocity\n0,tom,2\n", "phrase.csv:2: velocity: \"tom\" is played with \"strike\"; use force"},
        {"time,instrument,hold\n0,tom,0\n", "phrase.csv:2: hold: must be positive"},
        {"time,instrument,force_curve\n0,tom,0:1 0:2\n", "force_curve: expected seconds:value pairs"},
        {"time,instrument,force_curve\n0,tom,0:1 1:99\n", "force_curve: 99 is out of range: expected 0 to 50 N"},
        {"time,instrument,force_curve\n0,tom,0:1 1:9\n", "force_curve: \"tom\" is played with \"strike\"; remove this"},
        {"time,instrument\n0,\"tom\n", "phrase.csv:2: a text begins with \" but does not end on this line"},
        {"time,instrument\n0,\"tom\"x\n", "expected a comma after the closing \""},
        {"time,instrument\n0,\"to\"\"m\"\n", "unknown instrument \"to\"m\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file("phrase.csv", bad[i].text);
        score_refused(SCORE("file = \"phrase.csv\";"), bad[i].expected);
    }
    char *where = text_format("%s/room.cfg:12: score.file: %s/phrase.csv:2: ", room_folder, room_folder);
    score_refused(SCORE("file = \"phrase.csv\";"), where);
    free(where);
    score_refused(SCORE("file = \"nosuch.csv\";"), "nosuch.csv: cannot open: No such file");
    score_refused(SCORE("file = \"phrase.txt\";"), "phrase.txt ends in neither .mid nor .csv");
}

static void a_table_that_is_no_text_is_refused_whole(void **state)
{
    (void)state;
    static const char nul[] = "time,instrument\n0,tom\n0.1,t\0m\n0.2,tom\n", last[] = "time,instrument\n0,tom\n\0";
    static const char little[] = "\xFF\xFEt\0i\0m\0e\0", big[] = "\xFE\xFF\0t\0i\0m\0e";
    write_bytes("phrase.csv", nul, sizeof nul - 1);
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: contains a NUL byte; save the file as UTF-8 text");
    write_bytes("phrase.csv", last, sizeof last - 1);
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: contains a NUL byte");
    write_bytes("phrase.csv", little, sizeof little - 1);
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv: is UTF-16; save it as UTF-8");
    write_bytes("phrase.csv", big, sizeof big - 1);
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv: is UTF-16; save it as UTF-8");
}

/* A 0 in a table does not mean the instrument's default force, as the internal 0 does. */
static void a_table_says_no_force_and_no_duration_of_zero(void **state)
{
    (void)state;
    write_file("phrase.csv", "time,instrument,force\n0,tom,\n0.1,tom,0\n");
    score_refused(SCORE("file = \"phrase.csv\";"),
                  "phrase.csv:3: force: must be positive; leave it empty for the instrument's own");
    write_file("phrase.csv", "time,instrument,force\n0,tom,-0.0\n");
    score_refused(SCORE("file = \"phrase.csv\";"),
                  "phrase.csv:2: force: must be positive; leave it empty for the instrument's own");
    write_file("phrase.csv", "time,instrument,duration\n0,tom,0.0\n");
    score_refused(SCORE("file = \"phrase.csv\";"),
                  "phrase.csv:2: duration: must be positive; leave it empty for the instrument's own");
}

/* Expects three events, the last of them the tom at 0.1 s with 3 N. */
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
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:3: a text begins with \" but does not end on this line");
}

static void a_table_may_have_empty_last_columns(void **state)
{
    (void)state;
    plays_three_lines("time,instrument,force,\n0,g,,\n0.1,tom,3,\n");
    plays_three_lines("time,instrument,force, ,\"\"\n0,g,,,\n0.1,tom,3\n");
    write_file("phrase.csv", "time,instrument,\n0,tom,3\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: field 3, \"3\", is in a column without a name");
    write_file("phrase.csv", "time,instrument,\n0,tom,,\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: has 4 fields, but the first line names 2 columns");
    write_file("phrase.csv", "time,,instrument\n0,,tom\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:1: column 2 has no name");
}

static void a_table_may_name_its_columns_in_capitals(void **state)
{
    (void)state;
    plays_three_lines("Time,INSTRUMENT,\"Force\"\n0,g,\n0.1,tom,3\n");
    write_file("phrase.csv", "Time,INSTRMENT\n0,tom\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "unknown column \"INSTRMENT\"; did you mean instrument?");
    write_file("phrase.csv", "time,instrument,Time\n0,tom,0\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "time: the column appears twice");
}

static void a_table_with_other_separators_is_told_of_commas(void **state)
{
    (void)state;
    write_file("phrase.csv", "time;instrument;force\n0;tom;3\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:1: columns are separated by semicolons; export");
    write_file("phrase.csv", "\ntime\tinstrument\tforce\n0,1\ttom\t3\n");
    score_refused(SCORE("file = \"phrase.csv\";"), "phrase.csv:2: columns are separated by tabs; export");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_by_time_with_the_defaults_of_their_instruments),
        cmocka_unit_test(a_bow_stroke_lasts_as_long_as_it_is_held),
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
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
