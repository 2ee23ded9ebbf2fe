/* SPDX-License-Identifier: MIT */
/* Temporary names of output files. */
#ifndef AULA_BASE_OUTPUT_PARTS_H
#define AULA_BASE_OUTPUT_PARTS_H

#include "base/error.h"

#define OUTPUT_PART_MARK ".part-" /* between the target's name and the rest */

/* TARGET.part-PROCESS-RANDOM, with the process and a random number; long names are cut to what the file system allows.
 * Fresh memory. */
char *output_part_name(const char *target);

/* The permissions of the file `target`, which the file that replaces it keeps; NO_MODE: none is there. A part for it is
 * private (PART_PRIVATE) until it is complete. */
enum { NO_MODE = -1, PART_PRIVATE = 0600 };
int output_part_mode(const char *target);

/* Gives a complete part those permissions. File systems without any refuse, which is no error. `path` stands in the
 * message. ERROR_OUTPUT. */
int output_part_keep_mode(int descriptor, int mode, const char *path, struct error *e);

/* Removes the parts of `target`, of any process, that no living run has locked. */
void output_parts_clean(const char *target);

#endif
