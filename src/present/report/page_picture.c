/* SPDX-License-Identifier: MIT */
#include "present/report/page_picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "io/base64.h"
#include "io/text_stream.h"
#include "io/xml.h"

static const struct {
    const char *type, *begin;
} kinds[] = {{"image/png", "\x89PNG"}, {"image/gif", "GIF8"}, {"video/webm", "\x1a\x45\xdf\xa3"}};
enum { BEGIN = 4 };

static const char *type_of(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (count >= BEGIN && !memcmp(bytes, kinds[i].begin, BEGIN))
            return kinds[i].type;
    return NULL;
}

static int refuse(struct page_picture *p, struct error *e, const char *option, const char *reason)
{
    char safe[QUOTED];
    fail(e, ERROR_INPUT, "%s %s: %s", option, quoted(safe, p->path), reason);
    page_picture_free(p);
    return -1;
}

int page_picture_read(struct page_picture *p, const char *option, const char *path, const char *caption,
                      struct error *e)
{
    *p = (struct page_picture){.path = path, .caption = caption};
    p->bytes = malloc(PAGE_PICTURE_MAX + 1);
    if (!p->bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    FILE *f = fopen(path, "rbe");
    if (!f)
        return refuse(p, e, option, strerror(errno));
    p->count = fread(p->bytes, 1, PAGE_PICTURE_MAX + 1, f);
    const int bad = ferror(f);
    fclose(f);
    if (bad)
        return refuse(p, e, option, "cannot be read");
    if (p->count > PAGE_PICTURE_MAX)
        return refuse(p, e, option, "has more than 16 MiB: make it smaller with aula film --size or --ms");
    p->type = type_of(p->bytes, p->count);
    return p->type ? 0 : refuse(p, e, option, "is neither PNG, GIF nor WebM: give what aula film or aula map wrote");
}

void page_picture_free(struct page_picture *p)
{
    free(p->bytes);
    memset(p, 0, sizeof *p);
}

void page_picture_write(FILE *stream, const struct page_picture *p)
{
    const int is_film = !strncmp(p->type, "video", 5);
    fputs("<figure><figcaption><b>", stream);
    xml_text(stream, p->caption);
    fputs("</b> ", stream);
    xml_text(stream, path_name(p->path));
    fprintf(stream, "</figcaption>\n<%s class=\"shown\" ", is_film ? "video controls loop muted playsinline" : "img");
    fputs(is_film ? "aria-label=\"" : "alt=\"", stream);
    xml_text(stream, p->caption);
    fprintf(stream, "\" src=\"data:%s;base64,", p->type);
    base64_write(stream, p->bytes, p->count);
    fprintf(stream, "\">%s</figure>\n", is_film ? "</video>" : "");
}
