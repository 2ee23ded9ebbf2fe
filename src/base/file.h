/* SPDX-License-Identifier: MIT */
/* Paths, and texts read from files. Files are written by base/output_file.h. */
#ifndef AULA_BASE_FILE_H
#define AULA_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/output_file.h"

/* Whole text of a file in fresh memory, 0-terminated. ERROR_INPUT when it is longer than `max` bytes, holds a NUL byte
 * or begins as UTF-16. */
int file_read_text(const char *path, size_t max, char **text, struct error *e);

/* "a/b/c.wav" -> "a/b" ("." when there is no folder); fresh memory. */
char *path_folder(const char *path);
/* A path given in a file: absolute paths unchanged, others relative to `folder`; fresh memory. */
char *path_join(const char *folder, const char *path);
/* The path of a file as seen from a folder, "../models/hall.obj", both absolute and without links; fresh memory. The path
 * itself where they have the root alone in common. */
char *path_relative(const char *folder, const char *path);
/* "a/b/c.wav" with ".json" -> "a/b/c.json"; fresh memory. Without a suffix it is appended. */
char *path_with_suffix(const char *path, const char *suffix);
/* "a/b/c.wav" -> "c"; fresh memory. */
char *path_stem(const char *path);
/* The name without its folder; points into `path`. */
const char *path_name(const char *path);

/* Whether two paths lead to the same file, through links as well. */
bool same_file(const char *a, const char *b);

/* Finds a file that ships with aula, such as "rooms/materials.cfg": in $AULA_DATA, the folder that holds rooms/ or
 * rooms itself, and nowhere else if that is set; else beside the program or libaula (a bundle), in the prefix they are
 * installed in, in the source tree, in the configured prefix. Fresh memory, or NULL with every place tried in *e. */
char *data_path(const char *name, struct error *e);

/* The file that ships for a path that leads to nothing, as sounds/voice.flac, ../sounds/voice.flac or
 * share/sounds/voice.flac: these names hold wherever aula was installed. Fresh memory; NULL: there is none. */
char *data_path_of_missing(const char *path);

/* A module of the program, such as "aula_mpi.so", beside the program or where an installation has it. Fresh memory; NULL if it
 * is not there. */
char *module_path(const char *name);

/* Unnamed temporary files for sound on standard input or output: sound files are read and written with seeks, which a
 * pipe does not allow. */

/* An empty file in $TMPDIR or /tmp, open for reading and writing, deleted when closed; -1 with *e. */
int anonymous_file(struct error *e);

/* A copy of all of standard input, positioned at its start. -1 with *e. */
int anonymous_file_of_input(struct error *e);

/* A copy of everything read from a descriptor, which messages call `said`. Fails if a stop is requested or the data exceed
 * the available memory. */
int anonymous_file_copy(int from, const char *said, struct error *e);

/* Copies the whole file to standard output. */
int anonymous_file_print(int file, struct error *e);

#endif
