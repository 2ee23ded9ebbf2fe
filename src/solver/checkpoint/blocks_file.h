/* SPDX-License-Identifier: MIT */
/* A file of blocks with checksums, either complete or absent: docs/guide/checkpoints.md. */
#ifndef AULA_SOLVER_CHECKPOINT_BLOCKS_FILE_H
#define AULA_SOLVER_CHECKPOINT_BLOCKS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/output_file.h"

#define CHECKPOINT_FORMAT 1 /* incremented whenever the meaning of the file changes */

enum block_kind {
    BLOCK_RUN = 1, /* text; first: serial number of the file */
    BLOCK_JOB,     /* text; first, count: the sources */
    BLOCK_FIGURES, /* doubles of the run so far; first: steps done */
    BLOCK_TRACE,   /* samples of channel `first`, one double per step */
    BLOCK_FIELD,   /* planes first .. first + count - 1 of an array */
    BLOCK_PIECES,  /* pieces first .. first + count - 1 of the state: their sizes, 64 bits each, then their bytes */
    BLOCK_END      /* the last block; first: number of blocks before it */
};

/* Precedes the bytes of each block. */
struct block_head {
    uint32_t kind, array;
    uint64_t first, count;
    uint64_t bytes;
    uint64_t checksum; /* of the bytes of the block */
    uint64_t of_head;  /* checksum of the members above */
};

/* Writes a file under a temporary name. Zero-initialized: closed. */
struct blocks_out {
    struct output_file file;
    uint64_t blocks, bytes;
};
/* ERROR_OUTPUT if another kind of file has that name; that file is left untouched. */
int blocks_create(struct blocks_out *f, const char *path, struct error *e);
int blocks_put(struct blocks_out *f, struct block_head head, const void *bytes, size_t count, struct error *e);
/* Completes the file, flushes it and its folder to disk and renames it. The file is closed in
 * either case. */
int blocks_commit(struct blocks_out *f, struct error *e);
void blocks_discard(struct blocks_out *f); /* safe when closed */

/* Whether `name` in a folder is a regular file that begins like a checkpoint, as far as it
 * extends: an empty file qualifies. Links are not followed. */
bool blocks_are_ours(int folder, const char *name);

/* Reads a file block by block. Zero-initialized: closed. */
struct blocks_in {
    char *path;
    int descriptor;
    bool open, ended; /* ended: the end block was read and no data follow it */
    uint64_t blocks, left;
    struct block_head head;
    char *bytes; /* [head.bytes + 1]: the last block read, terminated by 0 */
    size_t room;
};
/* ERROR_USAGE for a file of another format, ERROR_INPUT for one that is unreadable or not a
 * checkpoint. */
int blocks_open(struct blocks_in *f, const char *path, struct error *e);
/* Reads the next block. ERROR_INPUT if it is damaged or the file ends too early. */
int blocks_next(struct blocks_in *f, struct error *e);
void blocks_close(struct blocks_in *f); /* safe when closed */

#endif
