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

/* For a file that has FUNCTIONS(X), the name of each function as X(name): `loaded`, a pointer to each of them, and the
 * rows of their names. */
#define LOADED_POINTER(name) __typeof__(&name) name;
#define LOADED_ROW(name) {#name, &loaded.name},
#define LOADED_FUNCTIONS                                                                                               \
    static struct {                                                                                                    \
        FUNCTIONS(LOADED_POINTER)                                                                                      \
    } loaded;                                                                                                          \
    static const struct loaded_function functions[] = {FUNCTIONS(LOADED_ROW)};

/* A function of the library: with a result, and without. */
#define CALL(result, name, parameters, arguments)                                                                      \
    result name parameters                                                                                             \
    {                                                                                                                  \
        return loaded.name arguments;                                                                                  \
    }
#define TELL(name, parameters, arguments)                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        loaded.name arguments;                                                                                         \
    }

#endif
