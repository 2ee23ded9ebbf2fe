/* SPDX-License-Identifier: MIT */
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output_parts.h"
#include "base/text.h"

static int fail_creating(const char *path, const char *target, int reason, struct error *e)
{
    struct stat status;
    char *folder = path_folder(target);
    if (folder && stat(folder, &status))
        fail(e, ERROR_OUTPUT, "%s: folder %s does not exist; create it (mkdir -p %s)", path, folder, folder);
    else
        fail(e, ERROR_OUTPUT, "%s: cannot write to folder %s: %s; choose another", path, folder ? folder : "",
             strerror(reason));
    free(folder);
    return -1;
}

/* Target of a link as the kernel resolves it: it does not follow links of other users in sticky folders. */
static char *follow(const char *link)
{
    char real[PATH_MAX], *name = NULL;
    const int place = open(link, O_PATH | O_CLOEXEC);
    char *entry = place < 0 ? NULL : text_format("/proc/self/fd/%d", place);
    const ssize_t length = entry ? readlink(entry, real, sizeof real - 1) : -1;
    const int reason = errno;
    if (length > 0) {
        real[length] = '\0';
        name = text_copy(real);
    }
    free(entry);
    if (place >= 0)
        close(place);
    errno = reason;
    return name;
}

/* What `path` leads to. A dangling link is refused. */
static int find_target(struct output_file *f, struct error *e)
{
    struct stat status;
    const bool absent = lstat(f->path, &status) != 0;
    if (absent && errno == ENAMETOOLONG) /* the names of parts are cut, so only the final rename would fail */
        return fail_creating(f->path, f->path, errno, e);
    const bool is_link = !absent && S_ISLNK(status.st_mode);
    f->target = is_link ? follow(f->path) : text_copy(f->path);
    if (f->target)
        return 0;
    if (is_link && errno == ENOENT)
        return fail(e, ERROR_OUTPUT, "%s: is a link to a missing file; remove the link or create the file", f->path);
    return is_link ? fail(e, ERROR_OUTPUT, "%s: cannot follow the link: %s", f->path, strerror(errno))
                   : fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
}

/* Locks the file while it is written. False: another process removed it as left over. On file systems without locks
 * nothing is removed as left over either. */
static bool lock(int descriptor)
{
    struct stat status;
    if (flock(descriptor, LOCK_EX | LOCK_NB))
        return errno != EWOULDBLOCK;
    return !fstat(descriptor, &status) && status.st_nlink > 0;
}

/* Creates a file under a name that does not exist, not even as a link. */
static int create_part(struct output_file *f, struct error *e)
{
    enum { TRIALS = 100 };
    int reason = EEXIST;
    f->mode = output_part_mode(f->target);
    for (int i = 0; i < TRIALS && reason == EEXIST; i++) {
        free(f->temporary);
        f->temporary = output_part_name(f->target);
        if (!f->temporary)
            return fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
        f->descriptor = open(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             f->mode == NO_MODE ? 0666 : PART_PRIVATE);
        if (f->descriptor >= 0 && lock(f->descriptor)) {
            f->open = true;
            return 0;
        }
        reason = f->descriptor >= 0 ? EEXIST : errno;
        if (f->descriptor >= 0)
            close(f->descriptor);
    }
    free(f->temporary); /* not ours */
    f->temporary = NULL;
    return fail_creating(f->path, f->target, reason, e);
}

static int open_standard(struct output_file *f, struct error *e)
{
    if (isatty(STDOUT_FILENO))
        return fail(e, ERROR_USAGE,
                    "-o -: standard output is a terminal; redirect it to a file or a program, as in | aplay");
    f->descriptor = anonymous_file(e);
    f->open = f->descriptor >= 0;
    return f->open ? 0 : -1;
}

/* The name in a folder as a path that leads nowhere else, whatever the names above the folder become. */
static int find_target_in(struct output_file *f, int folder, struct error *e)
{
    struct stat status;
    const char *name = path_name(f->path);
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        return fail(e, ERROR_OUTPUT, "%s: is not a file name", f->path);
    if (!fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) && !S_ISREG(status.st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is %s, not a regular file; move it away", f->path,
                    S_ISLNK(status.st_mode)   ? "a link"
                    : S_ISDIR(status.st_mode) ? "a folder"
                                              : "a pipe or a device");
    f->target = text_format("/proc/self/fd/%d/%s", folder, name);
    return f->target ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
}

int output_file_open_in(struct output_file *f, int folder, const char *path, struct error *e)
{
    memset(f, 0, sizeof *f);
    f->path = text_copy(path);
    int result = f->path ? find_target_in(f, folder, e) : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (!result) {
        output_parts_clean(f->target);
        result = create_part(f, e);
    }
    if (result)
        output_file_discard(f);
    return result;
}

int output_file_open(struct output_file *f, const char *path, struct error *e)
{
    memset(f, 0, sizeof *f);
    f->path = text_copy(path);
    struct stat status;
    int result = f->path ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (!result && !strcmp(path, STANDARD_STREAM))
        result = open_standard(f, e);
    else if (!result && !stat(path, &status) && !S_ISREG(status.st_mode))
        result = fail(e, ERROR_OUTPUT, "%s: is %s; use a file name", path,
                      S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    else if (!result && !(result = find_target(f, e))) {
        output_parts_clean(f->target);
        result = create_part(f, e);
    }
    if (result)
        output_file_discard(f);
    return result;
}

int output_file_try(const char *path, struct error *e)
{
    struct output_file trial;
    if (output_file_open(&trial, path, e))
        return -1;
    output_file_discard(&trial);
    return 0;
}

static int fail_writing(const struct output_file *f, int reason, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: cannot write: %s", f->path, strerror(reason));
}

FILE *output_file_stream(struct output_file *f, struct error *e)
{
    const int copy = fcntl(f->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "w");
    if (!stream) {
        fail_writing(f, errno, e);
        if (copy >= 0)
            close(copy);
    }
    return stream;
}

int output_file_put(struct output_file *f, const char *text, struct error *e)
{
    for (size_t left = strlen(text); left;) {
        const ssize_t written = write(f->descriptor, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_writing(f, errno, e);
        text += written;
        left -= (size_t)written;
    }
    return 0;
}

void output_file_discard(struct output_file *f)
{
    if (f->temporary)
        unlink(f->temporary);
    if (f->open)
        close(f->descriptor);
    free(f->temporary);
    free(f->target);
    free(f->path);
    memset(f, 0, sizeof *f);
}

int output_file_text(const char *path, const char *text, struct error *e)
{
    struct output_file f;
    if (output_file_open(&f, path, e))
        return -1;
    if (!output_file_put(&f, text, e))
        return output_file_commit(&f, e);
    output_file_discard(&f);
    return -1;
}
