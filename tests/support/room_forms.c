/* SPDX-License-Identifier: MIT */
#include "support/room_forms.h"

#include "support/room_files.h"

const char form_model[] = "v -1 0 0\nv 3 0 0\nv -1 3 0\nv 3 3 0\nv -1 0 2.5\nv 3 0 2.5\nv -1 3 2.5\nv 3 3 2.5\n"
                          "usemtl Wall 1\nf 1 3 7 5\nf 2 6 8 4\nusemtl Wall 2\nf 1 5 6 2\nf 3 4 8 7\n"
                          "usemtl Floor\nf 1 2 4 3\nusemtl Brik\nf 5 7 8 6\nusemtl never used\n";

const char form_with_corners[] =
    "room: { " L_PLAN " height = [3.0, 3.0, 2.4, 2.4, 2.4, 3.0];\n"
    "  walls: { default = \"brick\"; z_max = \"foam\";\n"
    "    sides = ( \"plaster\", \"brick\", \"brick\", \"rigid\", \"own\", \"plaster\" ); };\n"
    "  objects: ( { shape = \"box\"; from = [0.2, 0.2, 0.0]; to = [0.6, 0.8, 0.7]; material = \"rigid\";\n"
    "      rotation = [30.0, -10.5, 5.25]; },\n"
    "    { shape = \"sphere\"; name = \"lamp\"; position = [3.0, 2.0, 2.0]; radius = 0.3; material = \"rigid\"; },\n"
    "    { shape = \"wedge\"; from = [3.0, 3.0, 0.0]; to = [4.0, 3.5, 0.5]; rises = \"y_min\"; material = \"foam\"; "
    "},\n"
    "    { shape = \"polygon\"; corners = ( [-0.5, 5.0], [0.5, 5.0], [0.0, 6.0] ); bottom = 0.5; top = 1.25;\n"
    "      material = \"foam\"; } ); };\n" ENDS "materials: { own = { impedance = 10.5; }; };\n";
const char form_from_model[] =
    "room: { geometry = { file = \"model.obj\"; unit = \"m\"; up = \"z\"; seal = 0.125; flip = true;\n"
    "    materials = ( { name = \"Wall ?\"; material = \"brick\"; }, { name = \"Floor\"; material = \"own\"; } );\n"
    "    default = \"foam\"; };\n"
    "  objects: ( { shape = \"sphere\"; position = [-1.0, 2.0, 1.0]; radius = 0.25; material = \"rigid\"; } ); };\n"
    "sources: ( { position = [-2.9, 1.0, 1.0]; } );\nreceivers: ( { position = [0.9, 1.0, 1.0]; } );\n"
    "materials: { own = { impedance = 10.5; }; };\n";
