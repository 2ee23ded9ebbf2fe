/* SPDX-License-Identifier: MIT */
/* aula info --reflections: the first reflections between sources and receivers. */
#ifndef AULA_APP_REFLECTIONS_H
#define AULA_APP_REFLECTIONS_H

#include "app/options.h"

/* Prints the reflections of a room file as tables, or as JSON. source, receiver: names; NULL: all. */
int show_reflections(const struct common_options *o, const char *source, const char *receiver, int threads,
                     struct error *e);

#endif
