/* SPDX-License-Identifier: MIT */
/* Instruments of room files: keys, defaults, presets and JSON. */
#include "base/text.h"
#include "room/instrument.h"
#include "room/notes.h"
#include "room/room.h"
#include "support/instruments.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <libconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void an_instrument_is_understood_in_full(void **state)
{
    (void)state;
    struct room *room = good_room(
        BOX
        "instruments: (\n"
        "{ name = \"head\"; type = \"membrane\"; position = [1.0, 1.2, 1.4]; normal = \"y\"; sides = [0.4, 0.3];\n"
        "  surface_density = 0.26; pitch = 100.0; decay = [3.0, 0.3]; decay_at = [80, 900]; shell = 0.5;\n"
        "  bottom = \"closed\"; force = 20.0; contact = 0.004; place = [0.3, -0.9]; cells = 24; source = \"S\";\n"
        "  description = \"for people\"; },\n"
        "{ type = \"string\"; length = 0.65; diameter = 0.0005; linear_density = 0.004; young = 2e11; tension = 70.0;\n"
        "  ends = \"clamped\"; decay = [9.0, 2.0]; body = \"head\"; body_place = [0.5, -0.5];\n"
        "  termination = \"spring\"; spring = 1e5; bridge_mass = 0.02; played = \"pluck\"; place = 0.9; } );\n"
        "pickups: ( { instrument = \"I2\"; place = 0.25; }, { name = \"near\"; instrument = \"head\"; place = [0.1, "
        "0.2]; } );\n"
        "score: { file = \"phrase.mid\"; events: (\n"
        " { time = 0.5; instrument = \"head\"; place = [0.2, 0.1]; force = 3.0; duration = 0.001; note = \"A3\"; },\n"
        " { time = 0; instrument = \"I2\"; } );\n"
        " channels: ( { channel = 10; instrument = \"head\"; note = 36; }, { channel = 1; instrument = \"I2\"; } ); "
        "};\n");
    assert_int_equal(room->source_count, 0);
    assert_int_equal(room->receiver_count, 0);
    assert_int_equal(room->instrument_count, 2);
    const struct instrument *head = &room->instruments[0], *string = &room->instruments[1];
    assert_string_equal(head->name, "head");
    assert_int_equal(head->type, INSTRUMENT_MEMBRANE);
    assert_int_equal(head->normal, AXIS_Y);
    assert_int_equal(head->outline, OUTLINE_RECTANGLE);
    assert_true(head->position[0] == 1 && head->position[1] == 1.2 && head->position[2] == 1.4);
    assert_true(head->sides[0] == 0.4 && head->sides[1] == 0.3 && head->radius == 0);
    assert_true(head->surface_density == 0.26 && head->pitch == 100 && head->tension == 0);
    assert_true(head->decay[0] == 3 && head->decay[1] == 0.3 && head->decay_at[0] == 80 && head->decay_at[1] == 900);
    assert_true(head->shell == 0.5);
    assert_int_equal(head->bottom, SHELL_CLOSED);
    assert_true(head->force == 20 && head->contact == 0.004 && head->place[0] == 0.3 && head->place[1] == -0.9);
    assert_int_equal(head->played, EXCITATION_STRIKE);
    assert_int_equal(head->cells, 24);
    assert_string_equal(head->source, "S");
    assert_null(head->preset);
    assert_int_equal(head->body_index, SIZE_MAX);
    assert_int_equal(head->origin.line, 3);

    assert_string_equal(string->name, "I2");
    assert_true(string->linear_density == 0.004 && string->density == 0 && string->tension == 70 && string->pitch == 0);
    assert_int_equal(string->ends, ENDS_CLAMPED);
    assert_string_equal(string->body, "head");
    assert_int_equal(string->body_index, 0);
    assert_true(string->body_place[0] == 0.5 && string->body_place[1] == -0.5);
    assert_int_equal(string->termination, TERMINATION_SPRING);
    assert_true(string->spring == 1e5 && string->bridge_mass == 0.02);
    assert_int_equal(string->played, EXCITATION_PLUCK);
    assert_true(string->place[0] == 0.9 && string->place[1] == 0);

    assert_int_equal(room->pickup_count, 2);
    assert_string_equal(room->pickups[0].name, "P1");
    assert_int_equal(room->pickups[0].instrument, 1);
    assert_true(room->pickups[0].place[0] == 0.25 && room->pickups[0].place[1] == 0);
    assert_true(room->pickups[1].place[0] == 0.1 && room->pickups[1].place[1] == 0.2);

    assert_int_equal(room->event_count, 2);
    assert_true(room->events[0].time == 0.5 && room->events[0].placed && room->events[0].place[1] == 0.1);
    assert_true(room->events[0].force == 3 && room->events[0].duration == 0.001 && room->events[0].pitch == 220);
    assert_int_equal(room->events[1].instrument, 1);
    assert_true(!room->events[1].placed && room->events[1].force == 0 && room->events[1].duration == 0);
    assert_true(room->events[1].pitch == 0);
    assert_int_equal(room->midi_channel_count, 2);
    assert_int_equal(room->midi_channels[0].channel, 10);
    assert_int_equal(room->midi_channels[0].note, 36);
    assert_int_equal(room->midi_channels[1].note, 0);
    char *score = in_folder("phrase.mid");
    assert_string_equal(room->score_file, score);
    free(score);
    room_free(room);
}

static void what_is_not_given_has_a_default(void **state)
{
    (void)state;
    struct room *room = good_room(ALL);
    const struct instrument *tom = &room->instruments[0], *plate = &room->instruments[1];
    const struct instrument *string = &room->instruments[2], *bar = &room->instruments[3];
    assert_int_equal(tom->outline, OUTLINE_CIRCLE);
    assert_int_equal(plate->outline, OUTLINE_RECTANGLE);
    assert_int_equal(tom->normal, AXIS_Z);
    assert_true(tom->decay_at[0] == 100 && tom->decay_at[1] == 1000);
    assert_true(tom->force == 10 && tom->contact == 0.002 && tom->place[0] == 0.3 && tom->place[1] == 0);
    assert_true(tom->cells == 0 && tom->shell == 0);
    assert_true(plate->poisson == 0.3);
    assert_int_equal(plate->ends, ENDS_SUPPORTED);
    assert_int_equal(string->ends, ENDS_SUPPORTED);
    assert_int_equal(bar->ends, ENDS_FREE);
    assert_true(string->place[0] == 0.8 && bar->place[0] == 0.5);
    assert_null(string->body);
    assert_int_equal(string->body_index, SIZE_MAX);
    assert_null(room->score_file);
    room_free(room);
}

static void a_preset_gives_what_the_instrument_does_not(void **state)
{
    (void)state;
    struct room *room = good_room(INSTRUMENTS(
        "{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; },\n"
        "{ preset = \"tom\"; position = [2.0, 1.0, 1.0]; radius = 0.2; pitch = 90.0; source = \"B\"; },\n"
        "{ preset = \"tom\"; position = [3.0, 1.0, 1.0]; sides = [0.2, 0.3]; },\n"
        "{ preset = \"own\"; position = [3.0, 2.0, 1.0]; }") "presets: { own = { type = \"membrane\"; radius = 0.1;\n"
                                                             "surface_density = 0.3; tension = 50.0; " DECAY
                                                             " }; };\n");
    const struct instrument *i = room->instruments;
    assert_string_equal(i[0].preset, "tom");
    assert_string_equal(i[0].source, "A");
    assert_true(i[0].radius == 0.15 && i[0].tension == 1500 && i[0].pitch == 0 && i[0].decay[1] == 0.25);
    assert_true(i[1].radius == 0.2 && i[1].tension == 0 && i[1].pitch == 90 && i[1].surface_density == 0.35);
    assert_string_equal(i[1].source, "B");
    assert_true(i[2].radius == 0 && i[2].sides[0] == 0.2 && i[2].tension == 1500);
    assert_int_equal(i[2].outline, OUTLINE_RECTANGLE);
    assert_true(i[3].radius == 0.1 && i[3].tension == 50);
    room_free(room);
}

static void presets_of_the_file_come_before_the_library(void **state)
{
    (void)state;
    struct room *room = good_room(
        INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; }") "presets: { tom = { type = \"membrane\"; "
                                                                         "radius = 0.1; surface_density = 0.3;\n"
                                                                         "tension = 50.0; " DECAY " }; };\n");
    assert_true(room->instruments[0].radius == 0.1);
    room_free(room);
}

static void settings_of_the_command_line_go_before_a_preset(void **state)
{
    (void)state;
    struct error e;
    static const char *const settings[] = {"instruments[0].pitch=77", "score.events[0].force=4"};
    write_file("room.cfg",
               INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; }") "score: { events: ( { time = 0.1; "
                                                                                "instrument = \"I1\"; } ); };\n");
    struct room *room = read_room("room.cfg", settings, 2, &e);
    assert_non_null(room);
    assert_true(room->instruments[0].pitch == 77 && room->instruments[0].tension == 0);
    assert_true(room->events[0].force == 4);
    room_free(room);
}

static char *json_text(const struct room *room)
{
    cJSON *json = room_json(room);
    assert_non_null(json);
    char *text = cJSON_Print(json);
    assert_non_null(text);
    cJSON_Delete(json);
    return text;
}

static void json_gives_the_same_instruments_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ALL,
        ALL "pickups: ( { instrument = \"g\"; place = 0.1; }, { instrument = \"tom\"; place = [0.1, -0.3]; } );\n"
            "score: { events: ( { time = 0.25; instrument = \"g\"; note = \"C#4\"; place = 0.3; force = 2.5; },\n"
            "{ time = 0.1; instrument = \"tom\"; duration = 0.003; } );\n"
            "channels: ( { channel = 10; instrument = \"tom\"; note = 36; } ); };\n",
        INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; pitch = 80.0; shell = 0.2; bottom = \"closed\"; "
                    "cells = 20; },\n"
                    "{ type = \"string\"; length = 0.65; diameter = 0.0005; linear_density = 0.004; young = 2e11;\n"
                    " tension = 70.1; body = \"I1\"; termination = \"spring\"; spring = 1e5; " DECAY
                    " },\n" BAR_WITH("pitch = 300.3; body = \"I1\";")),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        char *bare = json_text(room), *text = text_format("{ \"input\": %s }", bare);
        struct error e;
        write_file("room.json", text);
        setenv("AULA_DATA", "/nowhere", 1); /* every key is spelt out: no library is needed */
        struct room *again = read_room("room.json", NULL, 0, &e);
        setenv("AULA_DATA", room_folder, 1);
        if (!again)
            fail_msg("%s\n%s", e.message, text);
        assert_int_equal(again->instrument_count, room->instrument_count);
        for (size_t k = 0; k < room->instrument_count; k++) {
            struct instrument a = room->instruments[k], b = again->instruments[k];
            a.name = b.name = a.preset = b.preset = a.source = b.source = a.body = b.body = NULL;
            a.origin = b.origin = (struct origin){0};
            assert_memory_equal(&a.type, &b.type, sizeof a - offsetof(struct instrument, type));
        }
        for (size_t k = 0; k < room->event_count; k++)
            assert_memory_equal(&room->events[k], &again->events[k], offsetof(struct event, origin));
        char *bare_again = json_text(again);
        assert_string_equal(bare, bare_again);
        free(bare);
        free(bare_again);
        free(text);
        room_free(room);
        room_free(again);
    }
}

static void a_room_without_instruments_says_nothing_of_them(void **state)
{
    (void)state;
    struct room *room = good_room(BOX ENDS);
    char *text = json_text(room);
    assert_int_equal(room->instrument_count, 0);
    assert_null(strstr(text, "instrument"));
    assert_null(strstr(text, "score"));
    assert_null(strstr(text, "pickups"));
    free(text);
    room_free(room);
}

/* An instrument can be made of every shipped preset. */
static void shipped_presets_are_sound_and_sourced(void **state)
{
    (void)state;
    config_t library_file;
    config_init(&library_file);
    assert_true(config_read_file(&library_file, SOURCE_FOLDER "/rooms/instruments.cfg"));
    const config_setting_t *presets = config_lookup(&library_file, "presets");
    assert_non_null(presets);
    const int count = config_setting_length(presets);
    assert_true(count >= 14);
    setenv("AULA_DATA", SOURCE_FOLDER, 1);
    for (int i = 0; i < count; i++) {
        const config_setting_t *preset = config_setting_get_elem(presets, (unsigned)i);
        const char *type = NULL, *text = NULL;
        assert_true(config_setting_lookup_string(preset, "type", &type));
        assert_true(config_setting_lookup_string(preset, "description", &text));
        const bool line = !strcmp(type, "string") || !strcmp(type, "bar");
        const bool blown = !strcmp(type, "wind");
        char *file = text_format("room: { size = [9.0, 9.0, 9.0]; walls: { default = \"rigid\"; }; };\n" RECEIVER
                                 "instruments: ( { preset = \"%s\"; %s } );\n",
                                 config_setting_name(preset),
                                 line    ? ""
                                 : blown ? "position = [4.0, 4.0, 4.0]; mouth = [4.0, 4.0, 4.5];"
                                         : "position = [4.0, 4.0, 4.0];");
        struct room *room = good_room(file);
        const struct instrument *made = &room->instruments[0];
        if (!made->source || strlen(made->source) < 40)
            fail_msg("%s has no source", made->preset);
        assert_true(blown ? made->breath > 0 : made->force > 0 && made->contact > 0);
        room_free(room);
        free(file);
    }
    setenv("AULA_DATA", room_folder, 1);
    config_destroy(&library_file);
}

static void notes_have_the_pitches_of_equal_temperament(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int number;
    } good[] = {{"A4", 69},  {"a4", 69},   {"C4", 60},  {"C#4", 61},  {"Db4", 61}, {"Bb3", 58},
                {"bb3", 58}, {"B#3", 60},  {"Cb4", 59}, {"C-1", 0},   {"G9", 127}, {"60", 60},
                {"0", 0},    {"127", 127}, {"E2", 40},  {"F##2", 43}, {"Abb4", 67}};
    static const char *const bad[] = {"",    "H4",  "C",   "C#",   "4C",    "C4 ",  "C##",  "128", "-1",
                                      "A10", "G#9", "C-2", "Cb-1", "C###4", "60.5", "C#b4", "1e1"};
    int number;
    double pitch;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (note_number(good[i].name, &number) || number != good[i].number)
            fail_msg("%s is not %d", good[i].name, good[i].number);
        assert_int_equal(note_pitch(good[i].name, &pitch), 0);
        assert_true(fabs(pitch - 440 * pow(2, (good[i].number - 69) / 12.0)) < 1e-9 * pitch);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!note_number(bad[i], &number))
            fail_msg("%s is taken for %d", bad[i], number);
}

/* Wavelengths fall with the root of the frequency where stiffness dominates, with the frequency where tension does. */
static void losses_see_stiffness_and_tension(void **state)
{
    (void)state;
    struct room *room = good_room(ALL);
    assert_true(fabs(instrument_loss_ratio(&room->instruments[0], 100, 1000) - 0.01) < 1e-12);
    assert_true(fabs(instrument_loss_ratio(&room->instruments[1], 100, 1000) - 0.1) < 1e-12);
    const double string = instrument_loss_ratio(&room->instruments[2], 100, 1000);
    assert_true(string > 0.01 && string < 0.0101);
    assert_true(fabs(instrument_loss_ratio(&room->instruments[3], 100, 1000) - 0.1) < 1e-12);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instrument_is_understood_in_full),
        cmocka_unit_test(what_is_not_given_has_a_default),
        cmocka_unit_test(a_preset_gives_what_the_instrument_does_not),
        cmocka_unit_test(presets_of_the_file_come_before_the_library),
        cmocka_unit_test(settings_of_the_command_line_go_before_a_preset),
        cmocka_unit_test(json_gives_the_same_instruments_back),
        cmocka_unit_test(a_room_without_instruments_says_nothing_of_them),
        cmocka_unit_test(shipped_presets_are_sound_and_sourced),
        cmocka_unit_test(notes_have_the_pitches_of_equal_temperament),
        cmocka_unit_test(losses_see_stiffness_and_tension),
    };
    return cmocka_run_group_tests(tests, instruments_set_up, room_files_tear_down);
}
