/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/responses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct source source_of(enum signal_kind kind)
{
    static char name[] = "S1";
    return (struct source){.name = name,
                           .signal = kind,
                           .gain = 1.0,
                           .width = 0.001,
                           .low = 20.0,
                           .high = 0.0,
                           .length = 1.0,
                           .origin = {"hall.cfg", 12}};
}

/* The response to one channel of samples, through the whole chain. */
struct response respond(double *samples, size_t frames, double rate, const struct excitation *x,
                        const struct response_settings *s)
{
    struct traces t = {.samples = samples, .channels = 1, .frames = frames, .rate = rate};
    struct response r;
    struct error e = {0};
    if (response_make(&r, &t, x, s, &e)) {
        print_error("%s\n", e.message);
        fail();
    }
    return r;
}
