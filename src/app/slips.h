/* SPDX-License-Identifier: MIT */
/* Slips of the command line that are known by their form: a value or a name without the option that it belongs to. */
#ifndef AULA_APP_SLIPS_H
#define AULA_APP_SLIPS_H

#include "app/options.h"

/* Refuses --set KEY VALUE. `next`: the word after KEY, or NULL. 0: this is none. */
int slip_of_setting(const char *key, const char *next, struct error *e);

/* Refuses KEY=VALUE without --set, and the name of an output without -o. 0: neither is among the arguments. */
int slip_of_words(const struct common_options *o, const char *output, const struct command *command, struct error *e);

#endif
