/* SPDX-License-Identifier: MIT */
#include "present/report/cover.h"

#include <stdlib.h>
#include <string.h>

#include "dsp/measure/comparison.h"
#include "io/base64.h"
#include "io/xml.h"
#include "present/report/tables.h"
#include "present/report/verdicts.h"

bool cover_wanted(const struct cover *c)
{
    return c->title || c->client || c->author || c->note || c->logo || c->target_count;
}

static void fact(FILE *stream, const char *name, const char *text)
{
    if (!text)
        return;
    fprintf(stream, "<div><dt>%s</dt><dd translate=\"no\">", name);
    xml_text(stream, text);
    fputs("</dd></div>\n", stream);
}

void cover_letterhead(FILE *stream, const struct cover *c)
{
    if (c->logo) {
        fprintf(stream, "<img class=\"logo\" alt=\"logo\" src=\"data:%s;base64,", c->logo->type);
        base64_write(stream, c->logo->bytes, c->logo->count);
        fputs("\">\n", stream);
    }
    fputs("<h1>", stream);
    xml_text(stream, c->title ? c->title : "Room acoustics");
    fputs("</h1>\n", stream);
    if (!c->client && !c->author)
        return;
    fputs("<dl class=\"parties\">\n", stream);
    fact(stream, "Client", c->client);
    fact(stream, "Author", c->author);
    fputs("</dl>\n", stream);
}

/* A paragraph for each line. */
static int write_note(FILE *stream, const char *note, struct error *e)
{
    for (const char *line = note; line && *line;) {
        const size_t length = strcspn(line, "\n");
        char *text = length ? strndup(line, length) : NULL;
        if (length && !text)
            return fail(e, ERROR_MEMORY, "out of memory");
        if (text) {
            fputs("<p class=\"note\" translate=\"no\">", stream);
            xml_text(stream, text);
            fputs("</p>\n", stream);
        }
        free(text);
        line += length + (line[length] == '\n');
    }
    return 0;
}

static void file_name(FILE *stream, const struct subject *s)
{
    fputs("<span translate=\"no\">", stream);
    xml_text(stream, s->name);
    fputs("</span>", stream);
}

/* "tiles.wav against plaster.wav: clearer: C80 +2.1 dB". */
static int compare(FILE *stream, const struct subject *first, const struct subject *second, struct error *e)
{
    const struct compared_file files[2] = {{first->path, &first->recording, first->channel},
                                           {second->path, &second->recording, second->channel}};
    struct comparison c = {0};
    struct error why = {ERROR_NONE, ""};
    char *summary = NULL;
    int status = comparison_make(&c, &files[0], &files[1], NULL, &why);
    if (!status)
        summary = comparison_summary(&c);
    if (status ? why.code == ERROR_MEMORY : !summary) {
        comparison_free(&c);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    fputs("<li class=\"compared\">", stream);
    file_name(stream, second);
    fputs(" compared with ", stream);
    file_name(stream, first);
    fputs(status ? " – not compared: " : " – ", stream);
    if (status)
        xml_text(stream, why.message);
    else
        write_words(stream, summary);
    fputs(".</li>\n", stream);
    free(summary);
    comparison_free(&c);
    return 0;
}

int cover_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count, struct error *e)
{
    if (!cover_wanted(c))
        return 0;
    fputs("<section class=\"cover\">\n", stream);
    if (c->target_count || count > 1)
        fputs("<h2>Results</h2>\n<ul class=\"verdicts\">\n", stream);
    for (size_t t = 0; t < c->target_count; t++)
        for (size_t i = 0; i < count; i++) {
            struct target_room room;
            struct judgement j;
            verdict_of(&j, &room, c->targets[t], &subjects[i], c->volume);
            fputs("<li class=\"judged\">", stream);
            verdict_badge(stream, &j, &room, c->targets[t]);
            file_name(stream, &subjects[i]);
            verdict_words(stream, &j, &room, c->targets[t]);
            fputs("</li>\n", stream);
        }
    for (size_t i = 1; i < count; i++)
        if (compare(stream, &subjects[0], &subjects[i], e))
            return -1;
    if (c->target_count || count > 1)
        fputs("</ul>\n", stream);
    if (write_note(stream, c->note, e))
        return -1;
    fputs("</section>\n", stream);
    return 0;
}
