/* SPDX-License-Identifier: MIT */
#include "solver/checkpoint/blocks_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "solver/checkpoint/checksum.h"

static const char magic[16] = "aula checkpoint\n";

/* Header of the file. */
struct file_head {
    char magic[16];
    uint32_t format, order; /* order: ORDER in the byte order of the writer */
};
static const uint32_t ORDER = 0x01020304;

static uint64_t sum_of_head(const struct block_head *head)
{
    return checksum_add(CHECKSUM_START, head, offsetof(struct block_head, of_head));
}

bool blocks_are_ours(int folder, const char *name)
{
    char begin[sizeof magic];
    struct stat status;
    size_t got = 0;
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool ours = file >= 0 && !fstat(file, &status) && S_ISREG(status.st_mode);
    while (ours && got < sizeof begin) {
        const ssize_t count = pread(file, begin + got, sizeof begin - got, (off_t)got);
        if (!count)
            break;
        ours = count > 0 || errno == EINTR;
        got += count > 0 ? (size_t)count : 0;
    }
    if (file >= 0)
        close(file);
    return ours && !memcmp(begin, magic, got);
}

/* --- writing --- */

/* Refuses to replace a file that is not a checkpoint. */
static int check_older(const char *path, struct error *e)
{
    struct stat status;
    if (!lstat(path, &status) && !blocks_are_ours(AT_FDCWD, path))
        return fail(e, ERROR_OUTPUT, "%s: not an aula checkpoint, refusing to overwrite it; move the file away", path);
    return 0;
}

static int put(struct blocks_out *f, const void *bytes, size_t count, struct error *e)
{
    for (const char *at = bytes; count;) {
        const ssize_t written = write(f->file.descriptor, at, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(e, ERROR_OUTPUT, "%s: cannot write: %s", f->file.path, strerror(written ? errno : ENOSPC));
        at += written;
        count -= (size_t)written;
        f->bytes += (uint64_t)written;
    }
    return 0;
}

int blocks_create(struct blocks_out *f, const char *path, struct error *e)
{
    struct file_head head = {.format = CHECKPOINT_FORMAT, .order = ORDER};
    memset(f, 0, sizeof *f);
    memcpy(head.magic, magic, sizeof magic);
    if (check_older(path, e) || output_file_open(&f->file, path, e))
        return -1;
    if (!put(f, &head, sizeof head, e))
        return 0;
    blocks_discard(f);
    return -1;
}

int blocks_put(struct blocks_out *f, struct block_head head, const void *bytes, size_t count, struct error *e)
{
    head.bytes = count;
    head.checksum = checksum_add(CHECKSUM_START, bytes, count);
    head.of_head = sum_of_head(&head);
    f->blocks++;
    return put(f, &head, sizeof head, e) || put(f, bytes, count, e) ? -1 : 0;
}

int blocks_commit(struct blocks_out *f, struct error *e)
{
    const struct block_head end = {.kind = BLOCK_END, .first = f->blocks};
    if (!blocks_put(f, end, "", 0, e)) {
        const int status = output_file_commit(&f->file, e);
        blocks_discard(f);
        return status;
    }
    blocks_discard(f);
    return -1;
}

void blocks_discard(struct blocks_out *f)
{
    output_file_discard(&f->file);
    memset(f, 0, sizeof *f);
}

/* --- reading --- */

static int take(struct blocks_in *f, void *to, size_t count, struct error *e)
{
    if (count > f->left)
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: the file ends too early", f->path);
    f->left -= count;
    for (char *at = to; count;) {
        const ssize_t got = read(f->descriptor, at, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(e, ERROR_INPUT, "%s: cannot read: %s", f->path,
                        got ? strerror(errno) : "the file ends too early");
        at += got;
        count -= (size_t)got;
    }
    return 0;
}

static int open_file(struct blocks_in *f, struct error *e)
{
    struct file_head head;
    struct stat status;
    f->descriptor = open(f->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    f->open = f->descriptor >= 0;
    if (!f->open)
        return fail(e, ERROR_INPUT, "%s: cannot read: %s", f->path, strerror(errno));
    if (fstat(f->descriptor, &status) || !S_ISREG(status.st_mode))
        return fail(e, ERROR_INPUT, "%s: not a regular file", f->path);
    f->left = (uint64_t)status.st_size;
    if (take(f, &head, sizeof head, e))
        return -1;
    if (memcmp(head.magic, magic, sizeof magic) != 0)
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: the header is invalid", f->path);
    if (head.order != ORDER)
        return fail(e, ERROR_USAGE, "%s: the checkpoint was written on a machine with a different byte order", f->path);
    if (head.format != CHECKPOINT_FORMAT)
        return fail(e, ERROR_USAGE,
                    "%s: is of another version: format %u of checkpoints, and this is aula " AULA_VERSION
                    ", which has format %u",
                    f->path, head.format, CHECKPOINT_FORMAT);
    return 0;
}

int blocks_open(struct blocks_in *f, const char *path, struct error *e)
{
    memset(f, 0, sizeof *f);
    f->path = text_copy(path);
    if (!f->path)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (!open_file(f, e))
        return 0;
    blocks_close(f);
    return -1;
}

/* A sparse file that occupies a few bytes on disk may claim gigabytes. */
static int make_room(struct blocks_in *f, struct error *e)
{
    const size_t count = (size_t)f->head.bytes + 1;
    if (count <= f->room)
        return 0;
    if (memory_demand((double)count, e, "%s: its blocks", f->path))
        return -1;
    char *longer = realloc(f->bytes, count);
    if (!longer)
        return fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
    f->bytes = longer;
    f->room = count;
    return 0;
}

/* Reads the bytes of a block in pieces, with a check for stop before each. */
static int take_bytes(struct blocks_in *f, struct error *e)
{
    enum { PIECE = 1 << 23 };
    const size_t count = (size_t)f->head.bytes;
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < PIECE ? count - done : PIECE;
        if (stop_check(e) || take(f, f->bytes + done, piece, e))
            return -1;
        done += piece;
    }
    f->bytes[count] = '\0';
    return 0;
}

int blocks_next(struct blocks_in *f, struct error *e)
{

    if (take(f, &f->head, sizeof f->head, e))
        return -1;
    if (f->head.of_head != sum_of_head(&f->head) || f->head.bytes > f->left)
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: wrong checksum in the header of block %llu", f->path,
                    (unsigned long long)f->blocks);
    if (make_room(f, e) || take_bytes(f, e))
        return -1;
    if (f->head.checksum != checksum_add(CHECKSUM_START, f->bytes, (size_t)f->head.bytes))
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: wrong checksum in block %llu", f->path,
                    (unsigned long long)f->blocks);
    f->ended = f->head.kind == BLOCK_END && f->head.first == f->blocks && f->left == 0;
    if (f->head.kind == BLOCK_END && !f->ended)
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: blocks are missing, or data follow the last one", f->path);
    f->blocks++;
    return 0;
}

void blocks_close(struct blocks_in *f)
{
    if (f->open)
        close(f->descriptor);
    free(f->path);
    free(f->bytes);
    memset(f, 0, sizeof *f);
}
