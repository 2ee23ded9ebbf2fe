/* Temporary names of output files. */
#ifndef AULA_BASE_OUTPUT_PARTS_H
#define AULA_BASE_OUTPUT_PARTS_H

/* TARGET.part-PROCESS-RANDOM, or with "kept-" before the process; long names are cut to what the file system allows.
 * Fresh memory. */
char *output_part_name(const char *target, const char *kind);

/* Removes the parts of `target`, of any process, that are not locked. */
void output_parts_clean(const char *target);

#endif
