/* SPDX-License-Identifier: MIT */
/* Finds the files that ship with aula. */
#include "base/data_path.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

/* Set by the build: the source tree; the data of an installation, absolute and relative to its program and library. */
#ifndef AULA_SOURCE_DATA
#define AULA_SOURCE_DATA ""
#endif
#ifndef AULA_INSTALLED_DATA
#define AULA_INSTALLED_DATA "/usr/local/share/aula"
#endif
#ifndef AULA_DATA_FROM_PROGRAM
#define AULA_DATA_FROM_PROGRAM "../share/aula"
#endif
#ifndef AULA_MODULES_FROM_PROGRAM
#define AULA_MODULES_FROM_PROGRAM "../lib/aula"
#endif
#ifndef AULA_DATA_FROM_LIBRARY
#define AULA_DATA_FROM_LIBRARY "../share/aula"
#endif

/* The folder of the file that this code was loaded from: libaula or (*is_library false) the program. Fresh memory. */
static char *own_folder(bool *is_library)
{
    Dl_info info;
    struct link_map *map = NULL;
    static const char here = 0;
    const bool known = dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) && map;
    *is_library = known && map->l_name && *map->l_name; /* the program's own has no name */
    char *file = realpath(*is_library ? map->l_name : "/proc/self/exe", NULL);
    char *folder = file ? path_folder(file) : NULL;
    free(file);
    return folder;
}

/* "FOLDER/NAME" in fresh memory if it is readable. */
static char *readable(const char *folder, const char *name)
{
    char *path = folder && *folder ? text_format("%s/%s", folder, name) : NULL;
    if (path && !access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

/* In a folder of data, where those of the source tree have all but rooms/ in share/. */
static char *find_in(const char *folder, const char *name)
{
    char *path = readable(folder, name), *in_share = path ? NULL : text_format("share/%s", name);
    if (in_share)
        path = readable(folder, in_share);
    free(in_share);
    return path;
}

/* The list `tried` with a folder more, where there is one; takes `tried`, gives fresh memory. */
static char *with_folder(char *tried, const char *folder)
{
    if (!folder || !*folder)
        return tried;
    char *longer = text_format("%s%s\"%s\"", tried ? tried : "", tried ? ", " : "", folder);
    free(tried);
    return longer;
}

/* If AULA_DATA is set, no other place is tried: a missing file is an error. */
static char *in_aula_data(const char *folder, const char *name, struct error *e)
{
    char *found = find_in(folder, name);
    if (!found)
        found = readable(folder, path_name(name));
    if (!found)
        fail(e, ERROR_INPUT, "%s: not found in AULA_DATA (%s); set AULA_DATA to the folder that contains %s", name,
             folder, name);
    return found;
}

char *data_path(const char *name, struct error *e)
{
    const char *ordered = getenv("AULA_DATA");
    if (ordered && *ordered)
        return in_aula_data(ordered, name, e);
    bool is_library;
    char *own = own_folder(&is_library);
    char *prefix = own ? path_join(own, is_library ? AULA_DATA_FROM_LIBRARY : AULA_DATA_FROM_PROGRAM) : NULL;
    const char *const folders[] = {own, prefix, AULA_SOURCE_DATA, AULA_INSTALLED_DATA};
    char *found = NULL;
    char *tried = NULL; /* "FOLDER", "FOLDER" .. */
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++) {
        found = find_in(folders[i], name);
        tried = with_folder(tried, folders[i]);
    }
    if (!found)
        fail(e, ERROR_INPUT, "%s: not found in %s; set AULA_DATA to the folder that contains %s", name,
             tried ? tried : "any folder", name);
    free(tried);
    free(prefix);
    free(own);
    return found;
}

char *data_path_of_missing(const char *path)
{
    static const char *const folders[] = {"plans/", "sounds/", "directivities/"};
    while (!strncmp(path, "../", 3))
        path += 3;
    if (!strncmp(path, "share/", 6))
        path += 6;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return data_path(path, NULL);
    return NULL;
}

char *module_path(const char *name)
{
    bool is_library;
    char *own = own_folder(&is_library), *installed = own ? path_join(own, AULA_MODULES_FROM_PROGRAM) : NULL;
    char *path = is_library ? NULL : readable(own, name);
    if (!path && !is_library)
        path = readable(installed, name);
    free(installed);
    free(own);
    return path;
}

bool is_installed(const char *name)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        char *path = text_format("%.*s/%s", (int)length, at, name);
        const bool found = path && length && !access(path, X_OK);
        free(path);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}
