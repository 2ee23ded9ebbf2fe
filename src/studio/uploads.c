/* SPDX-License-Identifier: MIT */
#include "studio/uploads.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static bool copy(FILE *to, int from)
{
    char bytes[65536];
    ssize_t got;
    bool good = true;
    while (good && (got = read(from, bytes, sizeof bytes)) != 0)
        good = got > 0 && fwrite(bytes, 1, (size_t)got, to) == (size_t)got;
    return good;
}

/* The drop that a name begins with, or a new one; 0: refused. Counts the bytes. */
static unsigned take(struct uploads *u, const char *name, unsigned named, uint64_t bytes, struct error *e)
{
    unsigned drop = 0;
    pthread_mutex_lock(&u->lock);
    if (named > u->drops)
        fail(e, ERROR_INPUT, "%s: there is no such drop", name);
    else if (bytes > u->most - u->bytes)
        fail(e, ERROR_OUTPUT,
             "%s: the files dropped on this page would exceed %.3g GB; start aula studio again, or open the room "
             "file by its path",
             name, (double)u->most / 1e9);
    else
        drop = named ? named : ++u->drops;
    u->bytes += drop ? bytes : 0;
    pthread_mutex_unlock(&u->lock);
    return drop;
}

char *uploads_keep(struct uploads *u, const char *name, int from, unsigned *drop, struct error *e)
{
    const size_t digits = strspn(name, "0123456789");
    const bool follows = digits && digits < 10 && name[digits] == '/';
    const unsigned named = follows ? (unsigned)strtoul(name, NULL, 10) : 0;
    struct stat status;
    name += follows ? digits + 1 : 0;
    if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > 200 || (follows && !named)) {
        fail(e, ERROR_INPUT, "%s: is no name of a file", name);
        return NULL;
    }
    *drop = take(u, name, named, fstat(from, &status) ? 0 : (uint64_t)status.st_size, e);
    char *folder = *drop ? text_format("%s/upload-%u", u->folder, *drop) : NULL;
    char *path = folder ? text_format("%s/%s", folder, name) : NULL;
    FILE *to = path && (named || !mkdir(folder, 0700)) ? fopen(path, "wbx") : NULL;
    bool good = to && copy(to, from);
    if (to && fclose(to))
        good = false;
    if (!good && *drop)
        fail(e, ERROR_OUTPUT, "%s: cannot keep the file: %s", name, strerror(errno));
    free(folder);
    if (!good)
        free(path);
    return good ? path : NULL;
}
