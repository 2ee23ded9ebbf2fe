/* SPDX-License-Identifier: MIT */
#include "base/output_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

enum { RANDOM_DIGITS = 8, END_MAX = 40 }; /* ".part-", a process number, a random number, the final 0 */

/* Number of bytes of the target's name in the names of its parts. */
static int kept_length(const char *target)
{
    const size_t length = strlen(path_name(target)), max = NAME_MAX - END_MAX;
    return (int)(length < max ? length : max);
}

/* Process numbers are not unique across containers. */
char *output_part_name(const char *target)
{
    uint32_t random;
    const char *name = path_name(target);
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return NULL;
    return text_format("%.*s%.*s" OUTPUT_PART_MARK "%ld-%0*x", (int)(name - target), target, kept_length(target), name,
                       (long)getpid(), RANDOM_DIGITS, (unsigned)random);
}

int output_part_mode(const char *target)
{
    struct stat status;
    return !stat(target, &status) && S_ISREG(status.st_mode) ? (int)(status.st_mode & 0777) : NO_MODE;
}

int output_part_keep_mode(int descriptor, int mode, const char *path, struct error *e)
{
    return mode != NO_MODE && fchmod(descriptor, (mode_t)mode) && errno != EPERM && errno != ENOTSUP
               ? fail(e, ERROR_OUTPUT, "%s: cannot preserve its permissions: %s", path, strerror(errno))
               : 0;
}

/* Whether it is NAME.part-PROCESS-RANDOM; other files are never removed. */
static bool is_part(const char *name, const char *target)
{
    const size_t length = (size_t)kept_length(target);
    if (strncmp(name, path_name(target), length) ||
        strncmp(name + length, OUTPUT_PART_MARK, sizeof OUTPUT_PART_MARK - 1))
        return false;
    const char *process = name + length + sizeof OUTPUT_PART_MARK - 1, *dash = process + strspn(process, "0123456789");
    return dash > process && *dash == '-' && strspn(dash + 1, "0123456789abcdef") == RANDOM_DIGITS &&
           !dash[1 + RANDOM_DIGITS];
}

/* Removes a part whose lock is free: a writer holds it, on any machine and in any container. The lock is taken on the
 * file that the name still leads to, so that a name reused in between is left alone. */
static void clean_one(int folder, const char *name)
{
    struct stat opened, named;
    const int part = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (part < 0)
        return;
    if (!fstat(part, &opened) && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        !flock(part, LOCK_EX | LOCK_NB) && !fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) &&
        named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
        unlinkat(folder, name, 0);
    close(part);
}

void output_parts_clean(const char *target)
{
    char *path = path_folder(target);
    DIR *folder = path ? opendir(path) : NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (is_part(entry->d_name, target))
            clean_one(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
    free(path);
}
