/* SPDX-License-Identifier: MIT */
#include "studio/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "studio/folders.h"

static const char pattern[] = "aula-studio-XXXXXX", lock_name[] = "lock";

static int is_session(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return strlen(name) == sizeof pattern - 1 && !strncmp(name, pattern, sizeof pattern - sizeof "XXXXXX");
}

/* A folder of this user with a lock that nobody holds. One without a lock is just being made. */
static bool is_abandoned(const char *folder)
{
    struct stat status;
    if (lstat(folder, &status) || !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        return false;
    char *path = text_format("%s/%s", folder, lock_name);
    const int lock = path ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const bool free_now = lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB);
    if (lock >= 0)
        close(lock);
    free(path);
    return free_now;
}

static void sweep(const char *parent)
{
    struct dirent **entries = NULL;
    const int count = scandir(parent, &entries, is_session, NULL);
    for (int i = 0; i < count; i++) {
        char *folder = text_format("%s/%s", parent, entries[i]->d_name);
        if (folder && is_abandoned(folder))
            folder_remove(folder);
        free(folder);
        free(entries[i]);
    }
    free(entries);
}

/* The lock has its name from the moment on at which it is held. */
static int hold(struct temporary *t)
{
    char *early = text_format("%s/new", t->path), *path = text_format("%s/%s", t->path, lock_name);
    t->lock = early && path ? open(early, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    const bool held = t->lock >= 0 && !flock(t->lock, LOCK_EX) && !rename(early, path);
    free(early);
    free(path);
    return held ? 0 : -1;
}

int temporary_make(struct temporary *t, struct error *e)
{
    const char *set = getenv("TMPDIR"), *parent = set && *set ? set : "/tmp";
    t->lock = -1;
    sweep(parent);
    t->path = text_format("%s/%s", parent, pattern);
    if (t->path && mkdtemp(t->path) && !hold(t))
        return 0;
    fail(e, ERROR_OUTPUT, "cannot make a folder for temporary files in %s: %s; set TMPDIR to another", parent,
         strerror(errno));
    if (t->path && strcmp(t->path + strlen(t->path) - 6, "XXXXXX") != 0)
        rmdir(t->path);
    free(t->path);
    t->path = NULL;
    return -1;
}

void temporary_remove(struct temporary *t)
{
    if (!t->path)
        return;
    folder_remove(t->path);
    close(t->lock);
    free(t->path);
    t->path = NULL;
}
