/* Output files that are whole or absent: written under a temporary name in the same folder, renamed when complete. */
#ifndef AULA_BASE_FILE_H
#define AULA_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct output_file {
    char *path;      /* the final name */
    char *temporary; /* the name it has while it is written */
};

/* Reserves a temporary name beside `path` by creating it empty. Fails (ERROR_OUTPUT, message with remedy) when the
 * folder is missing or cannot be written, or when `path` exists and is not a regular file. Nothing is left behind on
 * failure. */
int output_file_open(struct output_file *f, const char *path, struct error *e);

/* The temporary file is complete and closed: flush it to disk and give it its final name. On failure it is removed. */
int output_file_commit(struct output_file *f, struct error *e);

/* Removes the temporary file if there still is one. Safe on a zeroed struct and after commit. */
void output_file_discard(struct output_file *f);

/* Whole small text file at once, by the same temporary name. */
int output_file_text(const char *path, const char *text, struct error *e);

/* Whole text of a file in fresh memory, 0-terminated; ERROR_INPUT when it is longer than `most` bytes or is no text: holds a
 * NUL byte, or begins as UTF-16 does. */
int file_read_text(const char *path, size_t most, char **text, struct error *e);

/* "a/b/c.wav" -> "a/b" ("." when there is no folder); fresh memory. */
char *path_folder(const char *path);
/* A path named inside a file: absolute as it is, else relative to `folder`; fresh memory. */
char *path_join(const char *folder, const char *path);
/* "a/b/c.wav" with ".json" -> "a/b/c.json"; fresh memory. A name without a suffix gets one. */
char *path_with_suffix(const char *path, const char *suffix);
/* "a/b/c.wav" -> "c"; fresh memory. */
char *path_stem(const char *path);
/* The name without its folder: the end of `path` itself. */
const char *path_name(const char *path);

/* Whether two names lead to the same file, by links too. */
bool same_file(const char *a, const char *b);

/* Finds a file that ships with aula, such as "rooms/materials.cfg". In this order: in $AULA_DATA, which is the folder that
 * holds rooms/, or rooms itself, and when it is set no other place counts; beside the program or libaula (a bundle); in
 * the prefix that these are installed in, wherever that was moved; in the source tree; in the prefix that was
 * configured. Fresh memory, or NULL with every place that was tried in *e. */
char *data_path(const char *name, struct error *e);

#endif
