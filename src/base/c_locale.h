/* SPDX-License-Identifier: MIT */
/* The C locale in the calling thread: numbers are read and written with a decimal point in any locale of the program
 * that uses libaula. The aula program never calls setlocale, so only the library enters it, in each public function. */
#ifndef AULA_BASE_C_LOCALE_H
#define AULA_BASE_C_LOCALE_H

#include <locale.h>

#include "base/error.h"

/* Enters the C locale until c_locale_leave; *before: the thread's previous locale. Other threads and the process's
 * locale are unchanged. Threads started meanwhile have the program's locale: they must not read or print numbers.
 * ERROR_MEMORY. */
int c_locale_enter(locale_t *before, struct error *e);
void c_locale_leave(locale_t before);

#endif
