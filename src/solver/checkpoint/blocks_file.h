/* SPDX-License-Identifier: MIT */
/* A file of checked blocks, complete or absent: docs/guide/checkpoints.md. */
#ifndef AULA_SOLVER_CHECKPOINT_BLOCKS_FILE_H
#define AULA_SOLVER_CHECKPOINT_BLOCKS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/output_file.h"

#define CHECKPOINT_FORMAT 1 /* of the files; one more whenever their meaning changes */

enum block_kind {
    BLOCK_RUN = 1, /* text; first: serial number of the file */
    BLOCK_JOB,     /* text; first, count: the sources */
    BLOCK_FIGURES, /* doubles of the run so far; first: steps done */
    BLOCK_TRACE,   /* of channel `first`, one double a step */
    BLOCK_FIELD,   /* planes first .. first + count - 1 of an array */
    BLOCK_PIECES,  /* of the state, first .. first + count - 1: their sizes, 64 bits each, and their bytes */
    BLOCK_END      /* the last; first: blocks before it */
};

/* Before the bytes of each block. */
struct block_head {
    uint32_t kind, array;
    uint64_t first, count;
    uint64_t bytes;
    uint64_t checksum; /* of these bytes */
    uint64_t of_head;  /* of the members before */
};

/* Writes a file under a temporary name. Zeroed: closed. */
struct blocks_out {
    struct output_file file;
    uint64_t blocks, bytes;
};
/* ERROR_OUTPUT where something else has that name: it stays. */
int blocks_create(struct blocks_out *f, const char *path, struct error *e);
int blocks_put(struct blocks_out *f, struct block_head head, const void *bytes, size_t count, struct error *e);
/* Ends the file, flushes it and its folder to disk and gives it its name. Closed in either case. */
int blocks_commit(struct blocks_out *f, struct error *e);
void blocks_discard(struct blocks_out *f); /* safe when closed */

/* Whether `name` in a folder is a regular file that begins as ours do, as far as it goes: an empty one does, too. No
 * link is followed. */
bool blocks_are_ours(int folder, const char *name);

/* Reads a file block by block. Zeroed: closed. */
struct blocks_in {
    char *path;
    int descriptor;
    bool open, ended; /* ended: the last block was read, and nothing follows it */
    uint64_t blocks, left;
    struct block_head head;
    char *bytes; /* [head.bytes + 1]: of the block read last, with a 0 behind them */
    size_t room;
};
/* ERROR_USAGE for a file of another format, ERROR_INPUT for one that cannot be read or is none of ours. */
int blocks_open(struct blocks_in *f, const char *path, struct error *e);
/* The next block. ERROR_INPUT when it is damaged or the file ends too early. */
int blocks_next(struct blocks_in *f, struct error *e);
void blocks_close(struct blocks_in *f); /* safe when closed */

#endif
