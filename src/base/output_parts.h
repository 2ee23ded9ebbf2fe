/* Names of files that are being written. */
#ifndef AULA_BASE_OUTPUT_PARTS_H
#define AULA_BASE_OUTPUT_PARTS_H

/* TARGET.part-PROCESS-RANDOM, or with "kept-" before the process; a long name is cut so that the file system takes it. Fresh
 * memory. */
char *output_part_name(const char *target, const char *kind);

/* Removes the parts of `target`, of any process, that nobody holds the lock of. */
void output_parts_clean(const char *target);

#endif
