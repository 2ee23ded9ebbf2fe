/* SPDX-License-Identifier: MIT */
#include "base/output_set.h"

#include <stdlib.h>

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
