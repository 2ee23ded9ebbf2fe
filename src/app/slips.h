/* SPDX-License-Identifier: MIT */
/* Slips on the command line that can be recognized by their form: a value or a name without its option. */
#ifndef AULA_APP_SLIPS_H
#define AULA_APP_SLIPS_H

#include "app/options.h"

/* ERROR_USAGE for --set KEY VALUE, where `next` is the word after KEY or NULL; 0 otherwise. */
int slip_of_setting(const char *key, const char *next, struct error *e);

/* ERROR_USAGE for KEY=VALUE without --set and for an output name without -o; 0 if the arguments have neither. */
int slip_of_words(const struct common_options *o, const char *output, const struct command *command, struct error *e);

#endif
