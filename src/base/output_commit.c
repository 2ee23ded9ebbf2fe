/* SPDX-License-Identifier: MIT */
/* Commits several output files: all of them get their final names, or none. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/anonymous_file.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/output_journal.h"
#include "base/output_parts.h"

/* The files, but for standard output, and the journals of their folders. */
struct commit {
    struct output_file **files; /* [count] */
    size_t count;
    struct output_journal *journals; /* [journal_count] */
    size_t journal_count;
};

static int fail_naming(const struct output_file *f, struct error *e)
{
    if (errno == EEXIST && f->no_clobber)
        return fail(e, ERROR_OUTPUT, "%s: is there already, and --no-clobber keeps it", f->path);
    return fail(e, ERROR_OUTPUT, "%s: cannot take its final name: %s", f->path, strerror(errno));
}

/* On success the temporary name no longer exists. */
static int take_name(struct output_file *f, struct error *e)
{
    int bad;
    if (!f->no_clobber)
        bad = rename(f->temporary, f->target);
    else if ((bad = renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->target, RENAME_NOREPLACE)) && errno == EINVAL)
        bad = link(f->temporary, f->target) || unlink(f->temporary);
    if (bad)
        return fail_naming(f, e);
    free(f->temporary);
    f->temporary = NULL;
    return 0;
}

/* A rename is durable once its folder is flushed, which some file systems do not support. */
static int flush_folder(const struct output_file *f, struct error *e)
{
    char *path = path_folder(f->target);
    const int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int status = 0;
    if (folder >= 0 && fsync(folder) && errno != EINVAL && errno != ENOTSUP && errno != EBADF && errno != EROFS)
        status = fail(e, ERROR_OUTPUT, "%s: its folder cannot be flushed to disk: %s", f->path, strerror(errno));
    if (folder >= 0)
        close(folder);
    free(path);
    return status;
}

/* The journal of the file's folder, begun if it is new; NULL with *e. */
static struct output_journal *journal_of(struct commit *c, const struct output_file *f, struct error *e)
{
    char *folder = path_folder(f->target);
    struct output_journal *found = NULL;
    for (size_t i = 0; folder && i < c->journal_count && !found; i++)
        found = same_file(folder, c->journals[i].folder) ? &c->journals[i] : NULL;
    if (!folder)
        fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
    else if (!found && !output_journal_begin(&c->journals[c->journal_count++], f->target, f->path, e))
        found = &c->journals[c->journal_count - 1];
    free(folder);
    return found;
}

static int keep_older(struct commit *c, struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < c->count && !status; i++) {
        struct output_journal *j = journal_of(c, c->files[i], e);
        status = j ? output_journal_add(j, c->files[i]->target, c->files[i]->descriptor, e) : -1;
    }
    for (size_t i = 0; i < c->journal_count && !status; i++)
        status = output_journal_keep(&c->journals[i], e);
    return status;
}

/* The first of several folders that is complete settles it: what fails after it is not undone there. */
static int take_names(struct commit *c, struct error *e)
{
    int status = keep_older(c, e);
    for (size_t i = 0; i < c->count && !status; i++)
        status = take_name(c->files[i], e);
    for (size_t i = 0; i < c->journal_count && !status; i++)
        status = output_journal_complete(&c->journals[i], e);
    bool undone = true;
    for (size_t i = c->journal_count; status && i-- > 0;)
        undone = !output_journal_undo(&c->journals[i]) && undone;
    if (!undone && e) {
        const struct error first = *e;
        fail(e, first.code, "%.500s; the older files cannot be given back yet: the next run that writes there does it",
             first.message);
    }
    return status;
}

static int name_files(struct commit *c, struct error *e)
{
    if (c->count == 1) /* a single rename is atomic */
        return take_name(c->files[0], e) || flush_folder(c->files[0], e) ? -1 : 0;
    c->journals = calloc(c->count, sizeof *c->journals);
    int status = c->journals ? take_names(c, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < c->journal_count; i++)
        output_journal_free(&c->journals[i]);
    free(c->journals);
    return status;
}

static int flush(const struct output_file *f, struct error *e)
{
    if (output_part_keep_mode(f->descriptor, f->mode, f->path, e))
        return -1;
    return fsync(f->descriptor) ? fail(e, ERROR_OUTPUT, "%s: cannot be flushed to disk: %s", f->path, strerror(errno))
                                : 0;
}

int output_files_commit(struct output_file *const *files, size_t count, struct error *e)
{
    struct commit c = {.files = calloc(count + 1, sizeof(struct output_file *))};
    int status = c.files ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++)
        if (files[i]->target) {
            status = flush(files[i], e);
            c.files[c.count++] = files[i];
        }
    for (size_t i = 0; i < count && !status; i++)
        if (!files[i]->target)
            status = anonymous_file_print(files[i]->descriptor, e);
    if (!status && c.count)
        status = name_files(&c, e);
    for (size_t i = 0; i < count; i++)
        output_file_discard(files[i]);
    free(c.files);
    return status ? -1 : 0;
}

int output_file_commit(struct output_file *f, struct error *e)
{
    return output_files_commit(&(struct output_file *){f}, 1, e);
}
