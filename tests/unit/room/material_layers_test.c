/* SPDX-License-Identifier: MIT */
/* Materials of layers in room files: what is read, and refusals. */
/* before cmocka, which defines a macro `fail` */
#include <math.h>

#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* A material on every wall. */
#define CURTAIN(text) WALL("curtain") ENDS "materials: {\ncurtain = { " text " }; };"
#define LAYERED(layers) CURTAIN("layers = ( " layers " );")
#define WOOL "{ kind = \"porous\"; thickness = 0.05; flow_resistivity = 10000.0; }"
#define GAP "{ kind = \"air\"; thickness = 0.1; }"

static void layers_are_read_with_their_table_and_in_the_air_of_the_room(void **state)
{
    (void)state;
    write_file("back.csv", "frequency,real,imaginary\r\n100, 0.1, -0.2\r\n# a comment\r\n200;0.3;0.4\r\n");
    struct room *room = good_room(
        "air: { temperature = 0.0; };" LAYERED("{ kind = \"cloth\"; flow_resistance = 300; mass = 0.2; }, " WOOL
                                               ", { kind = \"table\"; file = \"back.csv\"; }"));
    const struct layered_wall *wall = &room->materials[0].layered;
    assert_int_equal(room->material_count, 1);
    assert_int_equal(wall->count, 3);
    assert_int_equal(wall->layers[0].kind, LAYER_CLOTH);
    assert_true(wall->layers[0].flow_resistance == 300.0 && wall->layers[0].cloth_mass == 0.2);
    assert_true(wall->layers[1].thickness == 0.05 && wall->layers[1].flow_resistivity == 1e4);
    assert_int_equal(wall->layers[2].count, 2);
    assert_true(wall->rows[1].frequency == 200.0 && wall->rows[1].real == 0.3 && wall->rows[1].imaginary == 0.4);
    assert_true(fabs(wall->sound_speed - 331.3) <= 0.1 && fabs(wall->density - 1.292) <= 0.002);
    room_free(room);
}

static void layers_that_cannot_be_are_refused_with_the_remedy(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message, *csv;
    } rooms[] = {
        {LAYERED("{ kind = \"cloth\"; flow_resistance = 300.0; }"), "a cloth directly on the rigid wall does nothing",
         ""},
        {LAYERED("{ kind = \"wool\"; thickness = 0.05; }"), "wool", ""},
        {LAYERED("{ kind = \"porous\"; thickness = 50.0; flow_resistivity = 10000.0; }"), "0.05 for 50 mm", ""},
        {LAYERED("{ kind = \"porous\"; thickness = 0.05; flow_resistivity = 10.0; }"), "10000 for 10 kPa", ""},
        {LAYERED("{ kind = \"porous\"; thickness = 0.05; }"), "flow_resistivity", ""},
        {LAYERED("{ kind = \"perforated\"; thickness = 0.01; hole = 0.02; spacing = 0.01; }, " GAP), "leave no plate",
         ""},
        {LAYERED("{ kind = \"slotted\"; thickness = 0.01; slot = 0.02; spacing = 0.01; }, " GAP), "leave no boards",
         ""},
        {LAYERED("{ kind = \"table\"; file = \"t.csv\"; }, " WOOL), "make it the last layer", "1,1,1\n2,1,1\n"},
        {LAYERED("{ kind = \"table\"; file = \"t.csv\"; }"), "t.csv: line 2: frequencies must ascend",
         "9,1,1\n2,1,1\n"},
        {LAYERED("{ kind = \"table\"; file = \"t.csv\"; }"), "t.csv: line 1: a passive wall", "9,-1,1\n"},
        {LAYERED("{ kind = \"table\"; file = \"t.csv\"; }"), "t.csv: line 1: expected frequency", "9,1\n"},
        {LAYERED("{ kind = \"table\"; file = \"t.csv\"; }"), "two or more rows", "9,1,1\n"},
        {CURTAIN("layers = ( );"), "layers", ""},
        {LAYERED(GAP ", " GAP ", " GAP ", " GAP ", " GAP ", " GAP ", " GAP ", " GAP ", " GAP),
         "has 9 layers; use 1 to 8", ""},
        {CURTAIN("absorption = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]; layers = ( " GAP " );"), "layers", ""},
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct error e;
        write_file("t.csv", rooms[i].csv);
        write_file("room.cfg", rooms[i].text);
        if (read_room("room.cfg", NULL, 0, &e) || !strstr(e.message, rooms[i].message))
            fail_msg("%s\n  got: %s", rooms[i].text, e.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_read_with_their_table_and_in_the_air_of_the_room),
        cmocka_unit_test(layers_that_cannot_be_are_refused_with_the_remedy),
    };
    return cmocka_run_group_tests_name("material layers", tests, room_files_set_up, room_files_tear_down);
}
