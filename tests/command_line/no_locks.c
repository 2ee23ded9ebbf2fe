/* SPDX-License-Identifier: MIT */
/* Loaded before the C library (LD_PRELOAD): a file system without locks, such as Lustre without the option flock. */
#include <errno.h>
#include <sys/file.h>

int flock(int descriptor, int operation)
{
    (void)descriptor, (void)operation;
    errno = ENOSYS;
    return -1;
}
