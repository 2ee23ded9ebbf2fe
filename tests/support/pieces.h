/* SPDX-License-Identifier: MIT */
/* Pieces of music: a room with instruments, and scores read with it. */
#ifndef AULA_TESTS_PIECES_H
#define AULA_TESTS_PIECES_H

#include "render/synth/score.h"
#include "support/room_files.h"

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

/* A bowed string. */
#define BOWED(text)                                                                                                    \
    BOX RECEIVER                                                                                                       \
        "instruments: ( { name = \"v\"; type = \"string\"; length = 0.33; diameter = 0.0006; young = 5e9;\n"           \
        "  linear_density = 0.00095; pitch = 440.0; decay = [2.0, 0.2]; decay_at = [300.0, 5000.0]; played = "         \
        "\"bow\";\n  velocity = 0.3; bow_force = 0.8; place = 0.9; } );\n score: { " text " };\n"

struct score score_of(const char *text, struct room **room);
/* Fails unless the score is refused with a message that contains `expected`. */
void score_refused(const char *text, const char *expected);

#endif
