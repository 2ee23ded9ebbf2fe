/* SPDX-License-Identifier: MIT */
/* A file of the data set that is written in order, and takes its name when it is complete. */
#ifndef AULA_RENDER_BATCH_PART_FILE_H
#define AULA_RENDER_BATCH_PART_FILE_H

#include <stdio.h>

#include "base/checksum.h"
#include "base/output_file.h"
#include "io/tar_file.h"

struct part_file {
    char *name, *path; /* relative to the folder, and with it */
    int place;         /* the open folder that it is in */
    struct output_file file;
    FILE *stream; /* NULL: not open */
    uint64_t bytes;
    struct sha256 sum;
    char checksum[CHECKSUM_TEXT]; /* once complete */
};

/* Opens "FOLDER/NAME", and makes the folders that NAME begins with. Zeroed before; ERROR_OUTPUT, ERROR_MEMORY. Close in any
 * case. */
int part_file_open(struct part_file *p, const char *folder, const char *name, struct error *e);

/* A sink for its bytes. */
struct byte_sink part_file_sink(struct part_file *p);

/* Gives it its name. */
int part_file_commit(struct part_file *p, struct error *e);
void part_file_close(struct part_file *p);

#endif
