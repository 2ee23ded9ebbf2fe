/* SPDX-License-Identifier: MIT */
#include "render/batch/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "render/batch/room_task.h"

enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

bool inside_is_of_room(const char *name, size_t room)
{
    char *stem = room_stem(room);
    const size_t length = stem ? strlen(stem) : 0;
    const bool is = stem && !strncmp(name, stem, length) && (name[length] == '.' || name[length] == '_') &&
                    !strchr(name + length, '/');
    free(stem);
    return is;
}

/* Steps from an open folder, which is closed, into the one of this name. -1 with errno. */
static int step(int above, const char *name, bool make)
{
    int below = -1;
    if (!make || !mkdirat(above, name, 0777) || errno == EEXIST)
        below = openat(above, name, FOLDER_FLAGS | O_NOFOLLOW);
    const int reason = errno;
    close(above);
    errno = reason;
    return below;
}

/* The folder that `name` is in. *failed: length of the part of `name` that could not be opened; 0: the folder itself. */
static int walk(const char *folder, const char *name, bool make, size_t *failed)
{
    char *text = text_copy(name);
    int at = text && (!make || !mkdir(folder, 0777) || errno == EEXIST) ? open(folder, FOLDER_FLAGS) : -1;
    *failed = 0;
    for (char *part = text, *end; at >= 0 && (end = strchr(part, '/')); part = end + 1) {
        *end = '\0';
        *failed = (size_t)(end - text);
        at = step(at, part, make);
    }
    const int reason = errno;
    free(text);
    errno = reason;
    return at;
}

int inside_make(const char *folder, const char *name, struct error *e)
{
    size_t failed;
    const int at = walk(folder, name, true, &failed);
    if (at >= 0)
        return at;
    const bool is_other = errno == ENOTDIR || errno == ELOOP;
    return fail(e, ERROR_OUTPUT,
                is_other ? "%s/%.*s: is a link or a file, not a folder of the data set: move it away"
                         : "%s/%.*s: the folder cannot be made: %s",
                folder, (int)failed, name, strerror(errno));
}

bool inside_look(const char *folder, const char *name, uint64_t *bytes, char checksum[CHECKSUM_TEXT], struct error *e)
{
    struct stat status;
    size_t failed;
    const int at = walk(folder, name, false, &failed);
    const int file = at < 0 ? -1 : openat(at, path_name(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_there = file >= 0 && !fstat(file, &status) && S_ISREG(status.st_mode);
    e->code = ERROR_NONE;
    if (is_there) {
        *bytes = (uint64_t)status.st_size;
        is_there = !checksum || !sha256_of_file(checksum, file, name, e);
    }
    if (file >= 0)
        close(file);
    if (at >= 0)
        close(at);
    return is_there;
}
