/* SPDX-License-Identifier: MIT */
/* Instruments with mistakes are refused by file, line and key. */
#include "base/text.h"
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
#include <stdlib.h>
#include <string.h>

#define WIND_WITH(text)                                                                                                \
    "{ name = \"w\"; type = \"wind\"; position = [1.0, 1.0, 1.0]; mouth = [1.0, 1.0, 1.5]; " text " }"
#define CYLINDER_WITH(text) WIND_WITH("bore = ( [0.0, 0.015], [0.5, 0.015] ); " text)

static const struct bad {
    const char *text, *expected;
    int line; /* 0: not looked at */
} bad_instruments[] = {
    /* presets */
    {INSTRUMENTS("{ preset = \"tomm\"; position = [1.0, 1.0, 1.0]; }"),
     "instruments[0].preset: unknown preset \"tomm\"; did you mean \"tom\"?", 4},
    {INSTRUMENTS("{ preset = \"zzzzzz\"; }"), "define it under presets, or choose one from rooms/instruments.cfg", 4},
    {INSTRUMENTS("{ preset = 5; type = \"bar\"; }"), "instruments[0].preset: expected text in quotes", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; width = 0.1; }"),
     "instruments[0].width: is used with type = \"bar\" only", 4},
    {INSTRUMENTS("{ preset = \"own\"; }") "presets: { own = { preset = \"tom\"; }; };", "cannot use another preset", 6},
    {INSTRUMENTS(TOM) "presets: { own = { radiuss = 1.0; }; };",
     "presets.own.radiuss: unknown key; did you mean presets.own.radius?", 6},
    {INSTRUMENTS(TOM) "presets: { own = 5; };", "presets.own: expected a group", 6},
    {INSTRUMENTS("{ preset = \"own\"; }") "presets: { own = { type = \"bar\"; length = 0.3; width = -1.0; }; };",
     "presets.own.width: -1 is out of range: expected 0.001 to 2 m", 6},
    /* what a type needs and does not */
    {INSTRUMENTS("{ name = \"a\"; }"), "instruments[0].type: is missing; expected \"string\", \"bar\"", 4},
    {INSTRUMENTS("{ type = \"drum\"; }"),
     "unknown value \"drum\"; expected \"string\", \"bar\", \"membrane\", "
     "\"plate\" or \"wind\"",
     4},
    {INSTRUMENTS("{ type = \"plat\"; }"), "did you mean \"plate\"?", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; tension = 70.0;")),
     "instruments[0].tension: instruments[0].pitch is also set", 0},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; tension = 70.0;")), "is also set", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0;")), "instruments[0].tension: is missing, and so is pitch", 4},
    {INSTRUMENTS(STRING_WITH("pitch = 220.0;")), "instruments[0].density: is missing, and so is linear_density", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; position = [1.0, 1.0, 1.0];")),
     "instruments[0].position: is used with type = \"membrane\" or type = \"plate\" or type = \"wind\" only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; ends = \"free\";")), "cannot have free ends", 4},
    {INSTRUMENTS(BAR_WITH("")), "instruments[0].length: is missing, and so is pitch", 4},
    {INSTRUMENTS(BAR_WITH("length = 0.3; pitch = 300.0;")), "is also set", 4},
    {INSTRUMENTS("{ type = \"membrane\"; radius = 0.1; surface_density = 0.3; tension = 50.0; " DECAY " }"),
     "instruments[0].position: is missing", 4},
    {INSTRUMENTS("{ type = \"membrane\"; position = [1.0, 1.0, 1.0]; surface_density = 0.3; tension = 50.0; " DECAY
                 " }"),
     "instruments[0].radius: is missing, and so is sides", 4},
    {INSTRUMENTS("{ type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.1; outline = \"rectangle\"; "
                 "surface_density = 0.3; tension = 50.0; " DECAY " }"),
     "instruments[0].outline: a rectangle has sides, not a radius", 4},
    {INSTRUMENTS("{ type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.1; bottom = \"open\"; "
                 "surface_density = 0.3; tension = 50.0; " DECAY " }"),
     "instruments[0].bottom: is used with shell only", 4},
    {INSTRUMENTS("{ type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.1; played = \"pluck\"; "
                 "surface_density = 0.3; tension = 50.0; " DECAY " }"),
     "instruments[0].played: only strings and bars can be played with \"pluck\"; use \"strike\" or \"mallet\"", 4},
    /* mallets, bows and stretching */
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"hammer\";")),
     "instruments[0].mallet_mass: is missing; set it with played = \"hammer\"", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; mallet_mass = 0.01;")),
     "instruments[0].mallet_mass: is used with played = \"mallet\" or \"hammer\" only; remove it or set played", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"bow\"; mallet_loss = 0.5;")),
     "instruments[0].mallet_loss: is used with played = \"mallet\" or \"hammer\" only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; velocity = 2.0;")),
     "instruments[0].velocity: is used with played = \"mallet\", \"hammer\" or \"bow\" only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"mallet\"; mallet_mass = 0.01; "
                             "mallet_stiffness = 1e9; mallet_exponent = 0.5;")),
     "instruments[0].mallet_exponent: 0.5 is out of range: expected 1 to 6", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"bow\"; bow_friction = [0.3, 0.8];")),
     "instruments[0].bow_friction: friction must not grow with speed", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; torsion = true;")),
     "instruments[0].torsion: is used with played = \"bow\" only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"bow\"; torsion_quality = 20.0;")),
     "instruments[0].torsion_quality: is used with torsion only; set that or remove this", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"bow\"; torsion = true; "
                             "torsion_impedance_ratio = 6.0;")),
     "instruments[0].torsion_impedance_ratio: exceeds torsion_speed_ratio", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; torsion = true; }"),
     "instruments[0].torsion: is used with type = \"string\" only", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; played = \"bow\"; }"),
     "instruments[0].played: only strings and bars can be played with \"bow\"", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; fret_gap = 0.001;")), "is used with frets only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; rattle_stiffness = 1e6; rattle_place = [0.2, 0.3];")),
     "instruments[0].rattle_place: a position on a string is one number", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; snares = 4; }"),
     "instruments[0].snare_length: is missing; set it in m with snares", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; snares = 4; snare_length = 0.5; }"),
     "instruments[0].snare_length: exceeds the diameter", 4},
    {INSTRUMENTS(
         "{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; snares = 4; snare_length = 0.2; snare_spacing = 0.2; }"),
     "instruments[0].snare_spacing: spreads the wires over the edge", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; large_amplitude = true; }"),
     "instruments[0].young: is missing; set it in Pa with large_amplitude = true", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; young = 3.5e9; }"),
     "is used with large_amplitude only", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; ends = \"clamped\"; large_amplitude = true;")),
     "instruments[0].large_amplitude: a string that stretches needs ends = \"supported\"", 4},
    {INSTRUMENTS("{ type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.1; cells = 12.5; "
                 "surface_density = 0.3; tension = 50.0; " DECAY " }"),
     "instruments[0].cells: expected a whole number", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; cells = 129; }"),
     "instruments[0].cells: 129 is out of range: expected 0, or 4 to 128", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; cells = 600; }"),
     "more cells make no audible difference and take long to prepare", 4},
    {INSTRUMENTS(TOM "," TOM), "instruments: the name \"tom\" is already used", 4},
    /* wind instruments */
    {INSTRUMENTS(WIND_WITH("bore = ( [0.0, 0.015] );")), "instruments[0].bore: needs two points or more", 4},
    {INSTRUMENTS(WIND_WITH("bore = ( [0.1, 0.015], [0.5, 0.015] );")), "the first at 0 m, the mouth", 4},
    {INSTRUMENTS(WIND_WITH("bore = ( [0.0, 0.015], [0.5] );")),
     "instruments[0].bore[1]: expected a distance from the mouth and a diameter in m", 4},
    {INSTRUMENTS(WIND_WITH("bore = ( [0.0, 0.015], [0.5, 15.0] );")),
     "instruments[0].bore: [1]: a diameter of 15 m is out of range", 4},
    {INSTRUMENTS(WIND_WITH("bore = ( [0.0, 0.015], [0.0, 0.02] );")), "bore: [1]: 0 m does not follow 0 m", 4},
    {INSTRUMENTS(WIND_WITH("")), "instruments[0].bore: is missing", 4},
    {INSTRUMENTS(CYLINDER_WITH("holes = ( [0.4, 0.006, 0.008, 200.0] );")),
     "instruments[0].pitch: is missing; set it to the pitch with all holes closed", 4},
    {INSTRUMENTS(CYLINDER_WITH("pitch = 150.0; holes = ( [0.6, 0.006, 0.008, 200.0] );")),
     "instruments[0].holes: [0]: lies outside the bore", 4},
    {INSTRUMENTS(CYLINDER_WITH("pitch = 150.0; holes = ( [0.4, 0.006, 0.008, 140.0] );")),
     "instruments[0].holes: [0]: needs a pitch above", 4},
    {INSTRUMENTS(CYLINDER_WITH("pitch = 150.0; holes = ( [0.4, 0.006, 0.008, 200.0], [0.3, 0.006, 0.008, 300.0] );")),
     "instruments[0].holes: [1]: must lie farther from the mouth than the hole before, with a lower pitch", 4},
    {INSTRUMENTS(CYLINDER_WITH("pitch = 150.0; holes = ( [0.4, 0.006, 0.008] );")),
     "instruments[0].holes[0]: expected distance, diameter and height in m and a pitch in Hz", 4},
    {INSTRUMENTS(CYLINDER_WITH("reed = \"lips\"; pitch = 150.0; holes = ( [0.4, 0.006, 0.008, 200.0] );")),
     "instruments[0].holes: are used with reed = \"clarinet\" only", 4},
    {INSTRUMENTS(CYLINDER_WITH("breath = 60000.0;")), "instruments[0].breath: 60000 is out of range", 4},
    {INSTRUMENTS(CYLINDER_WITH("decay = [1.0, 0.5];")), "instruments[0].decay: is used with type =", 4},
    {INSTRUMENTS("{ type = \"wind\"; bore = ( [0.0, 0.015], [0.5, 0.015] ); position = [1.0, 1.0, 1.0]; mouth = [1.0, "
                 "1.0, 1.0]; }"),
     "instruments[0].mouth: is the same as position", 4},
    {INSTRUMENTS("{ type = \"wind\"; bore = ( [0.0, 0.015], [0.5, 0.015] ); position = [1.0, 1.0, 1.0]; mouth = [1.0, "
                 "1.0, 9.0]; }"),
     "instruments[0].mouth: must lie inside the room", 4},
    {INSTRUMENTS(CYLINDER_WITH("")) "pickups: ( { instrument = \"w\"; place = 0.5; } );",
     "pickups[0].place: a wind instrument has two positions; use 0", 6},
    {INSTRUMENTS(CYLINDER_WITH("")) "score: { events: ( { time = 0.5; instrument = \"w\"; } ); };",
     "score.events[0].hold: \"w\" is played with \"blow\"; set hold to the duration of the note, s", 6},
    {INSTRUMENTS(
         CYLINDER_WITH("")) "score: { events: ( { time = 0.5; instrument = \"w\"; hold = 1.0; force = 2.0; } ); "
                            "};",
     "score.events[0].force: \"w\" is played with \"blow\"; remove this; use breath and hold", 6},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"blow\";")),
     "instruments[0].played: unknown value \"blow\"", 4},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; breath = 1000.0; } ); };"),
     "score.events[0].breath: \"g\" is played with \"strike\"; remove this, which is for wind instruments", 9},
    /* decay */
    {INSTRUMENTS(BAR_WITH("length = 0.3; decay_at = [1000.0, 100.0];")), "decay_at: 1000 and 100 Hz are not ascending",
     4},
    {INSTRUMENTS(BAR_WITH("length = 0.3; decay_at = [1000.0, 1000.0];")), "are not ascending", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; decay = [-1.0, 0.2]; }"),
     "instruments[0].decay[0]: -1 is out of range: expected 0.001 to 1000 s", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; decay = [0.2, 1.0]; }"),
     "1 s at 1000 Hz is longer than 0.2 s at 100 Hz", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; decay = 0.2; }"), "two numbers in s such as", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; decay = [5.0, 0.04]; }"), "use at least 0.05 s", 4},
    /* where it is */
    {INSTRUMENTS("{ preset = \"tom\"; position = [0.1, 1.0, 1.0]; }"),
     "instruments[0].position: the instrument spans x = -0.05 to 0.25 m, outside the room, which spans 0 to "
     "4 m",
     4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 0.2]; shell = 0.3; }"),
     "the instrument with its shell spans z = -0.1 to 0.2 m", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 9.0]; }"), "spans z = 9 to 9 m", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; place = [0.8, 0.7]; }"),
     "instruments[0].place: [0.8, 0.7] lies outside the membrane, 1.06301 radii from its centre", 4},
    {INSTRUMENTS("{ preset = \"tom\"; position = [1.0, 1.0, 1.0]; place = [0.8, 1.7]; }"), "1.7 is out of range", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; place = [0.2, 0.1];")), "a string is one number", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; place = 1.5;")), "place: 1.5 is out of range", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; place = \"end\";")), "expected one number", 4},
    /* bodies */
    {INSTRUMENTS(TOM "," STRING_WITH("density = 7850.0; pitch = 220.0; body = \"tomm\";")),
     "instruments[1].body: unknown instrument \"tomm\"; did you mean \"tom\"?", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; body = \"g\";")),
     "instruments[0].body: \"g\" is a string; name a membrane or a plate", 4},
    {INSTRUMENTS(TOM "," STRING_WITH("density = 7850.0; pitch = 220.0; body = \"tom\"; body_place = [0.9, 0.9];")),
     "instruments[1].body_place: [0.9, 0.9] lies outside", 4},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; spring = 1e4;")), "is used with body only", 4},
    {INSTRUMENTS(TOM "," STRING_WITH("density = 7850.0; pitch = 220.0; body = \"tom\"; termination = \"spring\";")),
     "instruments[1].spring: is missing", 4},
    {INSTRUMENTS(TOM "," STRING_WITH("density = 7850.0; pitch = 220.0; body = \"tom\"; spring = 1e4;")),
     "is used with termination = \"spring\" only", 4},
    /* pickups and scores; ALL has nine lines */
    {WITH("pickups: ( { instrument = \"plat\"; place = [0.0, 0.0]; } );"),
     "pickups[0].instrument: unknown instrument \"plat\"; did you mean \"plate\"?", 9},
    {WITH("pickups: ( { instrument = \"tom\"; } );"), "pickups[0].place: is missing", 9},
    {WITH("pickups: ( { instrument = \"g\"; place = -0.1; } );"),
     "pickups[0].place: -0.1 lies beyond the end of the string", 9},
    {WITH("pickups: ( { instrument = \"plate\"; place = [0.5, 0.5]; name = \"a/b\"; } );"), "file name", 9},
    {WITH("score: { events: (\n { time = -0.5; instrument = \"g\"; } ); };"),
     "score.events[0].time: -0.5 is out of range: expected 0 to", 10},
    {WITH("score: { events: ( { time = 0.5; instrument = \"barr\"; } ); };"),
     "score.events[0].instrument: unknown instrument \"barr\"; did you mean \"bar\"?", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"zzzzzz\"; } ); };"), "the file has tom, plate, g, bar", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"tom\"; place = [1.0, 0.5]; } ); };"),
     "score.events[0].place: [1, 0.5] lies outside the membrane", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"plate\"; note = \"C4\"; } ); };"),
     "score.events[0].note: \"plate\" is a plate, whose pitch is fixed; remove the note", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; note = \"H4\"; } ); };"), "\"H4\" is not a note", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; note = 128; } ); };"), "its MIDI number, 0 to 127", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; note = 60; pitch = 50.0; } ); };"), "is also set", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; force = -1.0; } ); };"), "force: -1 is out of range",
     9},
    {INSTRUMENTS(STRING_WITH("density = 7850.0; pitch = 220.0; played = \"bow\";")) "score: { events: ( { time = 0.5; "
                                                                                    "instrument = \"g\"; } ); };",
     "score.events[0].hold: \"g\" is played with \"bow\"; set hold to the duration of the stroke, s", 0},
    {INSTRUMENTS(STRING_WITH(
         "density = 7850.0; pitch = 220.0; played = \"bow\";")) "score: { events: ( { time = 0.5; instrument = \"g\"; "
                                                                "hold = 1.0; duration = 0.1; } ); };",
     "score.events[0].duration: \"g\" is played with \"bow\"; use hold", 0},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; velocity = 1.0; } ); };"),
     "score.events[0].velocity: \"g\" is played with \"strike\"; use force", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; hold = 1.0; } ); };"),
     "score.events[0].hold: \"g\" is played with \"strike\"; remove this, or set played = \"bow\" there", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; force_curve = ( [0.5, 1.0], [0.2, 2.0] ); } ); };"),
     "score.events[0].force_curve[1]: 0.2 s does not follow 0.5 s; use ascending times", 9},
    {WITH("score: { events: ( { time = 0.5; instrument = \"g\"; place_curve = ( [0.5, 1.5] ); } ); };"),
     "score.events[0].place_curve[0][1]: 1.5 is out of range: expected 0 to 1", 9},
    {WITH("score: { channels: ( { channel = 17; instrument = \"g\"; } ); };"), "channel: 17 is out of range", 9},
    {WITH("score: { channels: ( { channel = 1; instrument = \"g\"; }, { channel = 1; instrument = \"tom\"; } ); };"),
     "channel 1 is already assigned", 9},
    /* what a room cannot do without */
    {BOX RECEIVER "instruments: ();", "sources: is missing", 0},
    {BOX "instruments: ( " TOM " );", "receivers: is missing", 0},
    {BOX RECEIVER "sources: ();", "sources: is empty", 3},
};

static void bad_instruments_are_refused_by_file_line_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_instruments / sizeof *bad_instruments; i++) {
        const struct bad *bad = &bad_instruments[i];
        struct error e;
        write_file("room.cfg", bad->text);
        if (read_room("room.cfg", NULL, 0, &e))
            fail_msg("taken: %s", bad->text);
        char *start = text_format("%s/room.cfg:%d: ", room_folder, bad->line);
        if (!tells(e.message, bad->line ? start : "", bad->expected))
            fail_msg("expected %s%s\n got %s\n for %s", start, bad->expected, e.message, bad->text);
        assert_int_equal(e.code, ERROR_INPUT);
        free(start);
    }
}

static void wrong_values_of_the_library_name_its_line(void **state)
{
    (void)state;
    struct error e;
    write_file("room.cfg", INSTRUMENTS("{ preset = \"gong\"; position = [1.0, 1.0, 1.0]; }"));
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "rooms/instruments.cfg:4: presets.gong.thickness: -3 is out of range"));
    write_file("room.cfg", INSTRUMENTS("{ preset = \"bell\"; position = [1.0, 1.0, 1.0]; }"));
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "rooms/instruments.cfg:6: presets.bell.radious: unknown key; did you mean"));
    setenv("AULA_DATA", "/nowhere", 1);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    setenv("AULA_DATA", room_folder, 1);
    assert_non_null(strstr(e.message, "preset \"bell\" is not in this file, and the library cannot be read: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_instruments_are_refused_by_file_line_and_key),
        cmocka_unit_test(wrong_values_of_the_library_name_its_line),
    };
    return cmocka_run_group_tests(tests, instruments_set_up, room_files_tear_down);
}
