/* SPDX-License-Identifier: MIT */
/* Room files with instruments, and a library of presets. */
#ifndef AULA_TESTS_INSTRUMENTS_H
#define AULA_TESTS_INSTRUMENTS_H

#include "support/room_files.h"

#define DECAY "decay = [2.0, 0.5];"
#define TOM                                                                                                            \
    "{ name = \"tom\"; type = \"membrane\"; position = [1.0, 1.0, 1.0]; radius = 0.15; surface_density = 0.26; "       \
    "tension = 3000.0; " DECAY " }"
#define PLATE                                                                                                          \
    "{ name = \"plate\"; type = \"plate\"; position = [2.0, 1.0, 1.0]; sides = [0.4, 0.3]; thickness = 0.001; "        \
    "density = 7850.0; young = 2e11; " DECAY " }"
#define STRING_WITH(text)                                                                                              \
    "{ name = \"g\"; type = \"string\"; length = 0.65; diameter = 0.0003; young = 2e11; " DECAY text " }"
#define STRING STRING_WITH("density = 7850.0; pitch = 220.0;")
#define BAR_WITH(text)                                                                                                 \
    "{ name = \"bar\"; type = \"bar\"; width = 0.05; thickness = 0.01; density = 1000.0; young = 2e10; " DECAY text " }"
#define INSTRUMENTS(list) BOX RECEIVER "instruments: (\n" list "\n);\n"
#define ALL INSTRUMENTS(TOM ",\n" PLATE ",\n" STRING ",\n" BAR_WITH("length = 0.4;"))
#define WITH(tail) ALL tail

/* The set-up of a group: room_files_set_up, and a library of presets. */
int instruments_set_up(void **state);

#endif
