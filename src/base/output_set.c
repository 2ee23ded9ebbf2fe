/* SPDX-License-Identifier: MIT */
#include "base/output_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output_file.h"
#include "base/output_parts.h"
#include "base/text.h"

struct output_file *output_set_add(struct output_set *s, const char *path, struct error *e)
{
    struct output_file **more = reallocarray(s->files, s->count + 1, sizeof *more);
    struct output_file *file = calloc(1, sizeof *file);
    if (more)
        s->files = more;
    if (!more || !file ||
        (s->folder ? output_file_open_in(file, *s->folder, path, e) : output_file_open(file, path, e))) {
        if (!more || !file)
            fail(e, ERROR_MEMORY, "%s: out of memory", path);
        free(file);
        return NULL;
    }
    s->files[s->count++] = file;
    return file;
}

int output_set_text(struct output_set *s, const char *path, const char *text, struct error *e)
{
    struct output_file *file = output_set_add(s, path, e);
    return file ? output_file_put(file, text, e) : -1;
}

int output_set_commit(struct output_set *s, struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < s->count; i++)
        s->files[i]->no_clobber = s->no_clobber;
    if (s->count)
        status = output_files_commit(s->files, s->count, e);
    output_set_discard(s);
    return status;
}

void output_set_discard(struct output_set *s)
{
    for (size_t i = 0; i < s->count; i++) {
        output_file_discard(s->files[i]);
        free(s->files[i]);
    }
    free(s->files);
    s->files = NULL;
    s->count = 0;
}

/* Commits several output files: their names change one after the other, in their order. */

/* The files, but for standard output. */
struct commit {
    struct output_file **files; /* [count] */
    size_t count;
};

static int fail_clobbering(const struct output_file *f, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: already exists, and --no-clobber is set", f->path);
}

/* Finds before the first rename what has come in the place of a final name while the files were written. */
static int check_name(const struct output_file *f, struct error *e)
{
    struct stat status;
    if (lstat(f->target, &status))
        return 0;
    if (f->no_clobber)
        return fail_clobbering(f, e);
    return S_ISREG(status.st_mode) ? 0
                                   : fail(e, ERROR_OUTPUT, "%s: became %s while the output was written; move it away",
                                          f->path, S_ISDIR(status.st_mode) ? "a folder" : "a link or a device");
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
        return errno == EEXIST && f->no_clobber
                   ? fail_clobbering(f, e)
                   : fail(e, ERROR_OUTPUT, "%s: cannot rename the finished file: %s", f->path, strerror(errno));
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
        status = fail(e, ERROR_OUTPUT, "%s: cannot flush its folder to disk: %s", f->path, strerror(errno));
    if (folder >= 0)
        close(folder);
    free(path);
    return status;
}

static bool in_one_folder(const struct output_file *a, const struct output_file *b)
{
    const size_t length = (size_t)(path_name(a->target) - a->target);
    return length == (size_t)(path_name(b->target) - b->target) && !memcmp(a->target, b->target, length);
}

static void add_names(struct growing_text *text, const char *title, struct output_file *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        growing_text_add(text, "%s%s", i ? ", " : title, files[i]->path);
}

/* Says which of the files are new when those from `done` on could not be named. */
static int fail_between(const struct commit *c, size_t done, struct error *e)
{
    struct growing_text text = {0};
    if (!done || !e)
        return -1;
    growing_text_add(&text, "%s", e->message);
    add_names(&text, "; new: ", c->files, done);
    add_names(&text, "; unchanged: ", c->files + done, c->count - done);
    char *message = growing_text_take(&text, NULL);
    if (message)
        fail(e, e->code, "%s", message);
    free(message);
    return -1;
}

/* A folder is flushed before the first rename in the next one, so that the order holds through a loss of power. */
static int name_files(const struct commit *c, struct error *e)
{
    for (size_t i = 0; i < c->count; i++)
        if (check_name(c->files[i], e))
            return -1;
    for (size_t i = 0; i < c->count; i++) {
        const bool ends = i + 1 == c->count || !in_one_folder(c->files[i], c->files[i + 1]);
        if (take_name(c->files[i], e))
            return fail_between(c, i, e);
        if (ends && flush_folder(c->files[i], e))
            return fail_between(c, i + 1, e);
    }
    return 0;
}

static int flush(const struct output_file *f, struct error *e)
{
    if (output_part_keep_mode(f->descriptor, f->mode, f->path, e))
        return -1;
    return fsync(f->descriptor) ? fail(e, ERROR_OUTPUT, "%s: cannot flush to disk: %s", f->path, strerror(errno)) : 0;
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

struct named {
    const char *path;
    size_t index;
    bool exists;
    dev_t device;
    ino_t file;
};

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->path, ((const struct named *)b)->path);
}

/* Those that do not exist last. */
static int by_file(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->exists != y->exists)
        return x->exists ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static bool same_path(const struct named *a, const struct named *b)
{
    return !by_path(a, b);
}

static bool same_existing(const struct named *a, const struct named *b)
{
    return a->exists && b->exists && !by_file(a, b);
}

/* Whether two are alike, which sorting puts side by side. */
static bool search(size_t pair[2], struct named *all, size_t count, int (*order)(const void *a, const void *b),
                   bool (*alike)(const struct named *a, const struct named *b))
{
    qsort(all, count, sizeof *all, order);
    for (size_t i = 1; i < count; i++)
        if (alike(&all[i - 1], &all[i])) {
            const size_t a = all[i - 1].index, b = all[i].index;
            pair[0] = a < b ? a : b;
            pair[1] = a < b ? b : a;
            return true;
        }
    return false;
}

int output_clash_find(bool *found, size_t pair[2], const char *const *paths, size_t count, struct error *e)
{
    struct named *all = calloc(count + 1, sizeof *all);
    size_t given = 0;
    *found = false;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (paths[i]) {
            struct stat status;
            struct named *one = &all[given++];
            *one = (struct named){.path = paths[i], .index = i, .exists = !stat(paths[i], &status)};
            if (one->exists) {
                one->device = status.st_dev;
                one->file = status.st_ino;
            }
        }
    *found = search(pair, all, given, by_path, same_path) || search(pair, all, given, by_file, same_existing);
    free(all);
    return 0;
}
