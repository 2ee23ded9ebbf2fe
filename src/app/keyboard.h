/* SPDX-License-Identifier: MIT */
/* Single keys from the terminal, or from a pipe. */
#ifndef AULA_APP_KEYBOARD_H
#define AULA_APP_KEYBOARD_H

#include <stdbool.h>

/* Keys without Enter and without echo, until keyboard_close or the end of the program. */
void keyboard_open(void);
void keyboard_close(void);

/* Columns of the terminal on stderr; 80: not known. */
int keyboard_columns(void);

/* Keys that a terminal sends as a sequence of bytes. */
enum { KEY_UP = 256, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_OTHER };

/* Waits `seconds` at most for a key; -1: none, -2: end of input. */
int keyboard_key(double seconds);

#endif
