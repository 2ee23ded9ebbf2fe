/* SPDX-License-Identifier: MIT */
/* Layers of a wall in words. */
#ifndef AULA_PRESENT_MATERIALS_LAYERS_TEXT_H
#define AULA_PRESENT_MATERIALS_LAYERS_TEXT_H

#include "room/room.h"

/* "porous 50 mm", "cloth": the kind, and the thickness of kinds that have one; in a buffer of the caller. */
enum { LAYER_TEXT = 128 };
const char *layer_name_text(char text[LAYER_TEXT], const struct layer *layer);

/* "10 kPa s/m2", "holes 8 mm every 32 mm, 4.9 % open": the other values; "" for air. */
const char *layer_values_text(char text[LAYER_TEXT], const struct layer *layer);

/* The section on one line: "cloth 300 Pa s/m | porous 50 mm, 10 kPa s/m2 | air 100 mm | rigid; 150 mm", with
 * ", partitioned" at the end if the gaps are; in a buffer of the caller. The material has layers. */
enum { SECTION_TEXT = 2 * LAYERS_MAX * LAYER_TEXT };
const char *layers_section_text(char text[SECTION_TEXT], const struct material *material);

#endif
