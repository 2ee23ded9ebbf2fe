/* SPDX-License-Identifier: MIT */
#include "base/c_locale.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain; /* never freed: other threads may be in the library */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int c_locale_enter(locale_t *before, struct error *e)
{
    pthread_once(&once, make_plain);
    *before = plain ? uselocale(plain) : (locale_t)0;
    return *before ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void c_locale_leave(locale_t before)
{
    uselocale(before);
}
