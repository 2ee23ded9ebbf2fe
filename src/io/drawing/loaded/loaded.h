/* SPDX-License-Identifier: MIT */
/* A library that is loaded when it is needed. */
#ifndef AULA_IO_DRAWING_LOADED_LOADED_H
#define AULA_IO_DRAWING_LOADED_LOADED_H

#include <stddef.h>

struct loaded_function {
    const char *name;
    void *pointer; /* to the pointer to the function */
};

struct loaded_library {
    const char *file, *package; /* "libcairo.so.2", "libcairo2" of Debian */
    const struct loaded_function *functions;
    size_t count;
};

extern const struct loaded_library loaded_cairo, loaded_png;

#endif
