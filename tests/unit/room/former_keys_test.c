/* SPDX-License-Identifier: MIT */
/* Keys by their names in the previous release give the same room, and are noted. */
#include "base/text.h"
#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static void assert_values(const struct room *room)
{
    assert_true(!room->hybrid.full && room->hybrid.given && !room->hybrid.edges);
    assert_true(room->hybrid.order == 4 && room->hybrid.rays == 5000 && room->hybrid.seed == 7);
}

static void assert_note(const struct room *room, const char *expected)
{
    assert_non_null(room->former_keys.file);
    char *note = former_keys_note(&room->former_keys);
    assert_non_null(note);
    if (!strstr(note, expected))
        fail_msg("%s is not in %s", expected, note);
    free(note);
}

static void a_file_by_the_former_names_gives_the_same_room(void **state)
{
    (void)state;
    struct room *present =
        good_room(BOX ENDS "hybrid: { full = false; edges = false; order = 4; rays = 5000; seed = 7; };\n");
    assert_values(present);
    assert_null(present->former_keys.file);
    room_free(present);
    struct room *former =
        good_room(BOX ENDS "band: { full = false; edges = false; order = 4; rays = 5000; seed = 7; };\n");
    assert_values(former);
    assert_note(former, "/room.cfg, line 4: the keys band.* have been renamed to hybrid.*");
    room_free(former);
}

static void settings_by_the_former_names_replace_the_present_ones(void **state)
{
    (void)state;
    static const char *const group[] = {"band={full=false; edges=false; order=4; rays=5000; seed=7;}"};
    struct error e;
    write_file("room.cfg", BOX ENDS "hybrid: { full = true; order = 2; };\n");
    struct room *room = read_room("room.cfg", group, 1, &e);
    assert_non_null(room);
    assert_values(room);
    assert_note(room, "--set band={full=false;");
    room_free(room);
    static const char *const typed[] = {"band.full=false", "band.order=4", "hybrid.rays=9000",
                                        "band.rays=5000",  "band.seed=7",  "band.edges=false"};
    room = read_room("room.cfg", typed, 6, &e);
    assert_non_null(room);
    assert_values(room);
    assert_note(room, "--set band.full=false: the keys band.* have been renamed to hybrid.*");
    room_free(room);
}

static void json_by_the_former_names_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "{ \"input\": { \"room\": { \"size\": [4, 3, 2.5], \"walls\": { \"default\": \"rigid\" } },"
        " \"band\": { \"full\": false, \"edges\": false, \"order\": 4, \"rays\": 5000, \"seed\": 7 },"
        " \"sources\": [ { \"position\": [1, 1, 1] } ], \"receivers\": [ { \"position\": [2, 1, 1] } ] } }";
    struct error e;
    write_file("room.json", text);
    struct room *room = read_room("room.json", NULL, 0, &e);
    assert_non_null(room);
    assert_values(room);
    assert_note(room, "/room.json: the keys band.*");
    room_free(room);
}

static void both_names_in_one_file_are_refused(void **state)
{
    (void)state;
    struct error e;
    write_file("room.cfg", BOX ENDS "hybrid: { rays = 0; };\nband: { order = 2; };\n");
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "room.cfg:5: band: is the former name of hybrid, and hybrid is also set ("));
    assert_non_null(strstr(e.message, "room.cfg:4); move these keys there"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_by_the_former_names_gives_the_same_room),
        cmocka_unit_test(settings_by_the_former_names_replace_the_present_ones),
        cmocka_unit_test(json_by_the_former_names_is_read),
        cmocka_unit_test(both_names_in_one_file_are_refused),
    };
    return cmocka_run_group_tests_name("former keys", tests, room_files_set_up, room_files_tear_down);
}
