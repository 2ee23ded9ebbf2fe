/* Paths, and texts read from files. Files are written by base/output_file.h. */
#ifndef AULA_BASE_FILE_H
#define AULA_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/output_file.h"

/* Whole text of a file in fresh memory, 0-terminated; ERROR_INPUT when it is longer than `most` bytes or is no text: holds a
 * NUL byte, or begins as UTF-16 does. */
int file_read_text(const char *path, size_t max, char **text, struct error *e);

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
