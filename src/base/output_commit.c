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
#include "base/output_parts.h"

/* The previous file of a name, until all files have their names. */
struct older {
    char *kept; /* name it is kept under; NULL: no previous file */
    bool moved; /* renamed, as the file system has no links */
    bool named; /* the new file has the name */
};

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

static int keep_older(struct older *o, const struct output_file *f, struct error *e)
{
    struct stat status;
    if (lstat(f->target, &status))
        return 0;
    if (!S_ISREG(status.st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is not a regular file any more: its name is not taken", f->path);
    o->kept = output_part_name(f->target, "kept-");
    if (!o->kept)
        return fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
    if (!link(f->target, o->kept))
        return 0;
    o->moved = !rename(f->target, o->kept);
    if (o->moved)
        return 0;
    fail(e, ERROR_OUTPUT, "%s: the older file cannot be kept meanwhile: %s", f->path, strerror(errno));
    free(o->kept);
    o->kept = NULL;
    return -1;
}

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

/* Undoes all renames. A file that cannot be restored keeps its temporary name, which the message gives. */
static void put_back(struct older *o, const struct output_file *f, struct error *e)
{
    bool back = true;
    if (o->kept && (o->named || o->moved))
        back = !rename(o->kept, f->target);
    else if (o->kept)
        unlink(o->kept);
    else if (o->named)
        unlink(f->target);
    if (!back && e) {
        const struct error first = *e;
        fail(e, first.code, "%.500s; the older %.200s is kept as %.200s", first.message, f->path, o->kept);
    }
}

static int take_names(struct output_file *files, struct older *older, size_t count, struct error *e)
{
    int status = 0;
    for (size_t i = 0; !status && i < count; i++)
        status = count > 1 ? keep_older(&older[i], &files[i], e) : 0; /* a single rename is atomic */
    for (size_t i = 0; !status && i < count; i++) {
        status = take_name(&files[i], e);
        older[i].named = !status;
    }
    for (size_t i = 0; status && i < count; i++)
        put_back(&older[i], &files[i], e);
    for (size_t i = 0; i < count; i++) {
        if (!status && older[i].kept)
            unlink(older[i].kept);
        free(older[i].kept);
    }
    for (size_t i = 0; !status && i < count; i++)
        status = flush_folder(&files[i], e);
    return status;
}

static int flush(const struct output_file *f, struct error *e)
{
    return fsync(f->descriptor) ? fail(e, ERROR_OUTPUT, "%s: cannot be flushed to disk: %s", f->path, strerror(errno))
                                : 0;
}

int output_files_commit(struct output_file *files, size_t count, struct error *e)
{
    int status = 0;
    if (count == 1 && !files->target) {
        status = anonymous_file_print(files->descriptor, e);
    } else {
        struct older *older = calloc(count, sizeof *older);
        status = older ? 0 : fail(e, ERROR_MEMORY, "out of memory");
        for (size_t i = 0; !status && i < count; i++)
            status = flush(&files[i], e);
        status = status || take_names(files, older, count, e);
        free(older);
    }
    for (size_t i = 0; i < count; i++)
        output_file_discard(&files[i]);
    return status ? -1 : 0;
}

int output_file_commit(struct output_file *f, struct error *e)
{
    return output_files_commit(f, 1, e);
}
