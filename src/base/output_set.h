/* SPDX-License-Identifier: MIT */
/* The output files of one command or result, such as a sound, its sidecar and a picture. All of them are complete before
 * the first one is renamed. */
#ifndef AULA_BASE_OUTPUT_SET_H
#define AULA_BASE_OUTPUT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/output_file.h"

struct output_set {
    struct output_file **files; /* [count], in the order in which they take their names */
    size_t count;
    bool no_clobber;   /* set by the caller: commit fails if one of the final names exists */
    const int *folder; /* set by the caller: all files are in this open folder (output_file_open_in); NULL: anywhere */
};

/* Opens one more file (output_file_open), which stays where it is until the end: to be written by its descriptor,
 * output_file_put or output_file_stream. NULL with *e; the others stay open. */
struct output_file *output_set_add(struct output_set *s, const char *path, struct error *e);

/* Adds a file with this text. */
int output_set_text(struct output_set *s, const char *path, const char *text, struct error *e);

/* The complete files get their names, in the order in which they were added (output_files_commit). The set is empty
 * after it in any case. Without files it does nothing. */
int output_set_commit(struct output_set *s, struct error *e);

/* Removes all. Safe on a zeroed set, and after commit. */
void output_set_discard(struct output_set *s);

/* Detection of outputs of one run that would be the same file. */

/* Finds two of these paths (NULL: none) that are the same by name, or lead to the same file: their indices, ascending.
 * *found: whether there are such. ERROR_MEMORY. */
int output_clash_find(bool *found, size_t pair[2], const char *const *paths, size_t count, struct error *e);

#endif
