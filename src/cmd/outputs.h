/* Names of the files that subcommands write. */
#ifndef AULA_CMD_OUTPUTS_H
#define AULA_CMD_OUTPUTS_H

#include "base/error.h"

/* What -o names, up to .wav, in fresh memory. ERROR_USAGE for folders, what is no regular file, and other suffixes. */
int output_stem(char **stem, const char *output, struct error *e);

#endif
