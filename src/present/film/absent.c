/* SPDX-License-Identifier: MIT */
/* Stands in for giflib in a build without it: films are WebM or pictures. */
#include "present/film/outlet.h"

static const char *missing(void)
{
    return "this aula was built without giflib: install it (Debian: apt install libgif-dev) and build again";
}

/* Never asked to open: missing() gives a reason. */
const struct film_outlet film_gif = {.suffix = ".gif", .missing = missing};
