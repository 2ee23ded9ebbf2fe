/* SPDX-License-Identifier: MIT */
/* Layers of a wall in the words of a command line: "porous 50 mm 10000, air 100 mm". */
#ifndef AULA_PRESENT_MATERIALS_LAYER_WORDS_H
#define AULA_PRESENT_MATERIALS_LAYER_WORDS_H

#include <stdbool.h>

#include "base/error.h"

/* The name of the material that layer_words_definition defines. */
#define LAYER_WORDS_MATERIAL "description"

/* Whether a text describes layers, and is not the name of a material: it has a space, a comma or the name of a kind. */
bool layer_words_are(const char *text);

/* The definition of that material in a room file, its layer i on line i of the text, to be freed: *definition is
 * "materials: { description = { layers = ( .. ); }; };". ERROR_USAGE for words that are no layers; the keys of the room
 * file check ranges and order. ERROR_MEMORY. */
int layer_words_definition(char **definition, const char *words, struct error *e);

/* "porous THICKNESS FLOW_RESISTIVITY" and so on, one line for each kind, on standard output. */
void layer_words_print(void);

#endif
