/* The C locale in the calling thread: numbers are read and written with a point, whatever locale the program around
 * libaula has set. The aula program never calls setlocale, so only the library enters it, in each public function. */
#ifndef AULA_BASE_C_LOCALE_H
#define AULA_BASE_C_LOCALE_H

#include <locale.h>

#include "base/error.h"

/* From here to c_locale_leave; *before is what the thread had. Other threads, and what setlocale sets, stay as they are.
 * Threads that are started meanwhile begin in the program's locale: they may not read or print numbers. ERROR_MEMORY. */
int c_locale_enter(locale_t *before, struct error *e);
void c_locale_leave(locale_t before);

#endif
