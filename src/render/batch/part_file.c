/* SPDX-License-Identifier: MIT */
#include "render/batch/part_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "render/batch/folder.h"

int part_file_open(struct part_file *p, const char *folder, const char *name, struct error *e)
{
    *p = (struct part_file){.place = -1};
    p->name = text_copy(name);
    p->path = text_format("%s/%s", folder, name);
    if (!p->name || !p->path)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->place = inside_make(folder, name, e);
    if (p->place < 0 || output_file_open_in(&p->file, p->place, p->path, e))
        return -1;
    p->stream = output_file_stream(&p->file, e);
    sha256_start(&p->sum);
    return p->stream ? 0 : -1;
}

static int put(void *context, const void *bytes, size_t count, struct error *e)
{
    struct part_file *p = context;
    sha256_add(&p->sum, bytes, count);
    p->bytes += count;
    return fwrite(bytes, 1, count, p->stream) == count ? 0 : fail(e, ERROR_OUTPUT, "%s: cannot write", p->path);
}

struct byte_sink part_file_sink(struct part_file *p)
{
    return (struct byte_sink){put, p};
}

int part_file_commit(struct part_file *p, struct error *e)
{
    FILE *stream = p->stream;
    p->stream = NULL;
    sha256_finish(&p->sum, p->checksum);
    if (fclose(stream))
        return fail(e, ERROR_OUTPUT, "%s: cannot write", p->path);
    return output_file_commit(&p->file, e);
}

void part_file_close(struct part_file *p)
{
    if (p->stream)
        fclose(p->stream);
    output_file_discard(&p->file);
    if (p->path && p->place >= 0)
        close(p->place);
    free(p->name);
    free(p->path);
    *p = (struct part_file){.place = -1};
}
