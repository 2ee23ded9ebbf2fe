/* SPDX-License-Identifier: MIT */
#include "present/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "io/base64.h"
#include "io/text_stream.h"
#include "io/xml.h"
#include "present/report/listening.h"
#include "present/report/room_3d.h"
#include "present/report/section.h"
#include "present/report/style.h"
#include "present/report/tables.h"

void wet_free(struct wet *w)
{
    if (!w)
        return;
    audio_free(&w->audio);
    memset(w, 0, sizeof *w);
}

int wet_read(struct wet *w, const char *path, struct error *e)
{
    memset(w, 0, sizeof *w);
    w->path = path;
    if (audio_read(&w->audio, path, e))
        return -1;
    for (size_t i = 0; i < w->audio.channels * w->audio.frames; i++)
        w->peak = fmax(w->peak, fabs(w->audio.samples[i]));
    if (w->peak > 0.0)
        return 0;
    wet_free(w);
    return fail(e, ERROR_INPUT, "%s: is silent: there is nothing to listen to", path);
}

static void head(FILE *stream, const struct subject *subjects, size_t count)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "img-src data:; media-src data:; script-src ",
          stream);
    room_3d_policy(stream);
    fputs("\">\n<meta name=\"generator\" content=\"aula " AULA_VERSION "\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    xml_text(stream, subjects[0].name);
    if (count > 1)
        fprintf(stream, " and %zu more", count - 1);
    fputs(" – room acoustics</title>\n<style>\n", stream);
    style_write(stream);
    fputs("</style>\n</head>\n<body>\n<main>\n<header><h1>Room acoustics</h1>\n<p class=\"lead\">", stream);
    size_t channels = 0;
    for (size_t i = 0; i < count; i++)
        channels += subjects[i].recording.audio.channels;
    fprintf(stream,
            "%zu response%s in %zu file%s, measured after ISO 3382-1. Figures in the octaves within the valid "
            "band can be believed; what is missing is said to be missing.</p></header>\n",
            channels, channels == 1 ? "" : "s", count, count == 1 ? "" : "s");
}

/* One player for one or two channels, else one for each channel. */
static int wet_part(FILE *stream, const struct wet *w, struct error *e)
{
    const struct audio *a = &w->audio;
    const size_t together = a->channels <= 2 ? a->channels : 1;
    fputs("<div class=\"sound\"><p><b>", stream);
    xml_text(stream, path_name(w->path));
    fprintf(stream, "</b> %zu channel%s, %.3g s%s; normalised, %s", a->channels, a->channels == 1 ? "" : "s",
            (double)a->frames / a->rate,
            (double)a->frames > PLAYER_LONGEST * a->rate ? ", of which the first 30 s" : "", w->peak < 1.0 ? "+" : "");
    write_number(stream, 1, -20.0 * log10(w->peak));
    fputs(" dB, 16 bit</p>\n", stream);
    for (size_t c = 0; c < a->channels && c < SECTION_CHANNELS; c += together)
        if (listening_write(stream, a, c, together, 1.0 / w->peak, path_name(w->path), e))
            return -1;
    if (a->channels > SECTION_CHANNELS)
        fprintf(stream, "<p>The first %d of its channels.</p>\n", SECTION_CHANNELS);
    fputs("</div>\n", stream);
    return 0;
}

static void foot(FILE *stream, const struct subject *subjects, size_t count)
{
    bool rooms = false;
    for (size_t i = 0; i < count; i++)
        rooms = rooms || subjects[i].room;
    fputs("<footer><p>EDT, T20, T30: reverberation time from the first 10, 20 and 30 dB of the decay. C50, C80: early "
          "to late energy. D50: early to all. Ts: centre time. G: level re the free field at 10 m. LF, LFC: early "
          "lateral "
          "energy. LG: late lateral level. IACC: correlation of the ears. Made by "
          "aula " AULA_VERSION ".</p></footer>\n</main>\n",
          stream);
    if (rooms)
        room_3d_script(stream);
    fputs("</body>\n</html>\n", stream);
}

static int write_page(FILE *stream, const struct subject *subjects, size_t count, const struct wet *wets,
                      size_t wet_count, const struct page_picture *pictures, size_t picture_count, struct error *e)
{
    head(stream, subjects, count);
    if (count > 1 || subjects[0].recording.audio.channels > 1) {
        fputs("<section>\n<h2>Comparison</h2>\n", stream);
        table_of_comparison(stream, subjects, count, SECTION_CHANNELS);
        fputs("</section>\n", stream);
    }
    if (wet_count)
        fputs("<section class=\"heard\">\n<h2>Auralizations</h2>\n", stream);
    for (size_t i = 0; i < wet_count; i++)
        if (wet_part(stream, &wets[i], e))
            return -1;
    if (wet_count)
        fputs("</section>\n", stream);
    if (picture_count)
        fputs("<section>\n<h2>Sound in the room</h2>\n", stream);
    for (size_t i = 0; i < picture_count; i++)
        page_picture_write(stream, &pictures[i]);
    if (picture_count)
        fputs("</section>\n", stream);
    for (size_t i = 0; i < count; i++)
        if (section_write(stream, &subjects[i], i, e))
            return -1;
    foot(stream, subjects, count);
    return 0;
}

int report_text(char **text, const struct subject *subjects, size_t count, const struct wet *wets, size_t wet_count,
                const struct page_picture *pictures, size_t picture_count, struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    *text = NULL;
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = write_page(stream, subjects, count, wets, wet_count, pictures, picture_count, e);
    *text = text_stream_close(&page, NULL);
    if (!*text && !status)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

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
