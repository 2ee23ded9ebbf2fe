/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/instruments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char instrument_library[] =
    "presets: {\n"
    "  tom = { type = \"membrane\"; radius = 0.15; surface_density = 0.35; tension = 1500.0; decay = [1.2, 0.25];\n"
    "          source = \"A\"; description = \"round\"; };\n"
    "  gong = { type = \"plate\"; radius = 0.2; thickness = -3.0; density = 8800.0; young = 1.1e11; ends = \"free\";\n"
    "           decay = [25.0, 4.0]; };\n"
    "  bell = { type = \"plate\"; radious = 0.2; };\n"
    "};\n";

int instruments_set_up(void **state)
{
    const int bad = room_files_set_up(state);
    write_file("rooms/instruments.cfg", instrument_library);
    return bad;
}
