/* Output files that are whole or absent: written under a temporary name in the same folder, renamed when complete. */
#ifndef AULA_BASE_OUTPUT_FILE_H
#define AULA_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* The path that means standard output for files that are written, standard input for files that are read. */
#define STANDARD_STREAM "-"

struct output_file {
    char *path;      /* as it was given, for messages */
    char *target;    /* its final name: path, or what the link `path` leads to; NULL: standard output */
    char *temporary; /* the name it has while it is written; NULL: it has none */
    int descriptor;  /* of the file while it is open, for reading and writing; locked as long */
    bool open;
    bool no_clobber; /* set by the caller: commit fails rather than take the place of another file */
};

/* Reserves a temporary name beside `path` by creating it empty: NAME.part-PROCESS-RANDOM, of a name that nothing had before.
 * Left-over files of that kind, for this path, whose writer is gone are removed. A symbolic link is followed: what it leads
 * to will be replaced. For "-" the file has no name, and commit copies it to standard output. Fails (ERROR_OUTPUT, message
 * with remedy) when the folder is missing or cannot be written, when `path` exists and is not a regular file, or when
 * standard output is a terminal. Nothing is left behind on failure. */
int output_file_open(struct output_file *f, const char *path, struct error *e);

/* Whether output_file_open would do; nothing is left of it. For before the work. */
int output_file_try(const char *path, struct error *e);

/* A stream onto the file, for the caller to close and to check; NULL with *e. The file stays open. */
FILE *output_file_stream(struct output_file *f, struct error *e);

/* The whole text, and that it arrived. */
int output_file_put(struct output_file *f, const char *text, struct error *e);

/* The files are complete: flushes them to disk, and gives all of them their final names or none, in which case every older
 * file is as it was. They are discarded in either case. Should the program be killed between two names, what the files were
 * before is left as NAME.part-kept-PROCESS-RANDOM, which nothing removes. */
int output_files_commit(struct output_file *files, size_t count, struct error *e);

/* The same for one. */
int output_file_commit(struct output_file *f, struct error *e);

/* Removes the temporary file if there still is one. Safe on a zeroed struct and after commit. */
void output_file_discard(struct output_file *f);

/* Whole small text file at once, by the same temporary name. */
int output_file_text(const char *path, const char *text, struct error *e);

#endif
