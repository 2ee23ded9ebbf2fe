/* SPDX-License-Identifier: MIT */
/* Single key presses from a terminal or a pipe. */
#ifndef AULA_APP_KEYBOARD_H
#define AULA_APP_KEYBOARD_H

#include <stdbool.h>

/* Delivers keys without Enter and without echo until keyboard_close or the end of the program. */
void keyboard_open(void);
void keyboard_close(void);

/* Columns of the terminal on stderr; 80 if unknown. */
int keyboard_columns(void);

/* Keys that a terminal sends as a sequence of bytes. */
enum { KEY_UP = 256, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_OTHER };

/* Waits at most `seconds` for a key; -1: none, -2: end of input. */
int keyboard_key(double seconds);

#endif
