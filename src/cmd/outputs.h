/* Names of the files that subcommands write. */
#ifndef AULA_CMD_OUTPUTS_H
#define AULA_CMD_OUTPUTS_H

#include <stdbool.h>

#include "base/error.h"

/* What -o names, up to .wav, in fresh memory. ERROR_USAGE for folders, what is no regular file, and other suffixes. */
int output_stem(char **stem, const char *output, struct error *e);

/* Whether two names lead to the same file, by links too. */
bool same_file(const char *a, const char *b);

#endif
