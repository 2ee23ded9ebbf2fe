/* SPDX-License-Identifier: MIT */
/* Output files that are complete or absent: written under a temporary name in the same folder, then renamed. */
#ifndef AULA_BASE_OUTPUT_FILE_H
#define AULA_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Path of standard output for files written, of standard input for files read. */
#define STANDARD_STREAM "-"

struct output_file {
    char *path;      /* as given, for messages */
    char *target;    /* final name: path, or the target of the link `path`; NULL: standard output */
    char *temporary; /* name while it is written; NULL: none */
    int descriptor;  /* for reading and writing; locked while open */
    bool open;
    int mode;        /* permissions of the file that is replaced; NO_MODE (base/output_parts.h): there is none */
    bool no_clobber; /* set by the caller: commit fails if the final name exists */
};

/* Reserves a temporary name beside `path` by creating an empty file NAME.part-PROCESS-RANDOM, and removes such files of
 * this path whose writer no longer runs. Symbolic links are followed: their target is replaced. A file that is replaced
 * hands on its permissions; a new one has those of the umask. "-": a file without name, which commit copies to standard
 * output. ERROR_OUTPUT, with a remedy, when the folder is missing or not
 * writable, `path` is not a regular file, or standard output is a terminal. Nothing is left behind on failure. */
int output_file_open(struct output_file *f, const char *path, struct error *e);

/* The same in an open folder, by the name that `path` ends in; the folder of `path` stands in messages alone. No link is
 * followed: anything but a regular file of that name is refused, ERROR_OUTPUT, and stays. The descriptor of the folder
 * stays open, and the caller's, until the file is committed or discarded. */
int output_file_open_in(struct output_file *f, int folder, const char *path, struct error *e);

/* Whether output_file_open would succeed; leaves nothing behind. */
int output_file_try(const char *path, struct error *e);

/* A stream onto the file, which the caller closes and checks; NULL with *e. The file stays open. */
FILE *output_file_stream(struct output_file *f, struct error *e);

/* Writes and checks the whole text. */
int output_file_put(struct output_file *f, const char *text, struct error *e);

/* Flushes the complete files to disk, then renames them one after the other in their order; all are discarded in any
 * case. Standard output, at most one of them, is written first. Each name leads to the whole older or the whole newer
 * file at any instant. A run that is killed between two renames leaves the first files new and the others old: put a
 * sound before the JSON with its checksum, and pictures of them last.
 * ERROR_OUTPUT before the first rename where a final name cannot be taken as it stands (a folder; an existing file and
 * no_clobber); where a rename fails later, the message lists the new and the unchanged files. */
int output_files_commit(struct output_file *const *files, size_t count, struct error *e);

/* Commits a single file. */
int output_file_commit(struct output_file *f, struct error *e);

/* Removes the temporary file, if any. Safe on a zeroed struct and after commit. */
void output_file_discard(struct output_file *f);

/* Opens, writes and commits a small text file. */
int output_file_text(const char *path, const char *text, struct error *e);

#endif
