/* SPDX-License-Identifier: MIT */
/* Rooms with corners and rooms from models, as texts. */
#ifndef AULA_TESTS_ROOM_FORMS_H
#define AULA_TESTS_ROOM_FORMS_H

#include "support/room_files.h"

#define L_PLAN "corners = ( [-1.0, 0.0], [5.0, 0.0], [5.0, 4.0], [2.0, 4.0], [2.0, 7.0], [-1.0, 7.0] );"
#define CORNERS(text) "room: { " L_PLAN " " text " };\n" ENDS

extern const char form_model[]; /* an OBJ file, 4 x 3 x 2.5 m from (-1, 0, 0) on: "model.obj" for form_from_model */
/* With every key of these rooms. */
extern const char form_with_corners[], form_from_model[];

#endif
