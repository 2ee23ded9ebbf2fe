/* Ctrl-C and SIGTERM ask for a stop; work looks at the flag between blocks. A second one ends the program at once. */
#ifndef AULA_BASE_STOP_H
#define AULA_BASE_STOP_H

#include <stdbool.h>

void stop_on_signals(void);
bool stop_requested(void);

#endif
