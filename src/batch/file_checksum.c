/* SPDX-License-Identifier: MIT */
#include "batch/file_checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_checksum(const char *path, char text[CHECKSUM_TEXT], uint64_t *bytes, struct error *e)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status)) {
        const int reason = errno;
        if (file >= 0)
            close(file);
        return fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(reason));
    }
    *bytes = (uint64_t)status.st_size;
    const int result = sha256_of_file(text, file, path, e);
    close(file);
    return result;
}
