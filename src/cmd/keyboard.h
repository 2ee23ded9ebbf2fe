/* Single keys from the terminal, or from a pipe. */
#ifndef AULA_CMD_KEYBOARD_H
#define AULA_CMD_KEYBOARD_H

#include <stdbool.h>

/* Keys come without Enter and are not shown, until keyboard_close; also when the program is stopped by a signal. */
void keyboard_open(void);
void keyboard_close(void);

/* Of the terminal that stderr is; 80 when it does not say. */
int keyboard_columns(void);

/* Waits `seconds` at most for a key: -1 when none came, -2 when there will be none any more. */
int keyboard_key(double seconds);

#endif
