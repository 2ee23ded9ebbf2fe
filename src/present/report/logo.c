/* SPDX-License-Identifier: MIT */
#include "present/report/logo.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* The text of an SVG file, with its end. */
struct svg {
    const char *at, *end;
};

static bool starts(const struct svg *s, const char *at, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(s->end - at) >= length && !strncasecmp(at, word, length);
}

static const char *skip_blanks(const struct svg *s, const char *at)
{
    while (at < s->end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* Whether a reference leaves the file; the text begins after "href=" or "url(". */
static bool leaves(const struct svg *s, const char *at)
{
    at = skip_blanks(s, at);
    if (starts(s, at, "&quot;") || starts(s, at, "&apos;"))
        at += 6;
    else if (at < s->end && (*at == '"' || *at == '\''))
        at++;
    at = skip_blanks(s, at);
    return at < s->end && *at != '#' && *at != '"' && *at != '\'' && !starts(s, at, "data:image/");
}

/* An attribute such as onload: a blank or a quote, "on", letters, "=". */
static bool is_handler(const struct svg *s, const char *at)
{
    if (at == s->at || !strchr(" \t\r\n\"'/", at[-1]) || !starts(s, at, "on"))
        return false;
    const char *letter = at + 2;
    while (letter < s->end && isalpha((unsigned char)*letter))
        letter++;
    const char *equals = skip_blanks(s, letter);
    return letter > at + 2 && equals < s->end && *equals == '=';
}

/* "href" of any prefix, with its value. */
static bool links_out(const struct svg *s, const char *at)
{
    if (!starts(s, at, "href"))
        return false;
    const char *equals = skip_blanks(s, at + 4);
    return equals < s->end && *equals == '=' && leaves(s, equals + 1);
}

static const char *fault_of_svg(const struct svg *s)
{
    static const char *const active[] = {"<script", "<foreignobject", "javascript:", "<handler"};
    for (const char *at = s->at; at < s->end; at++) {
        for (size_t i = 0; i < sizeof active / sizeof *active; i++)
            if (starts(s, at, active[i]))
                return "the SVG file contains scripts; export it without, or as PNG";
        if (is_handler(s, at))
            return "the SVG file contains event handlers; export it without, or as PNG";
        if (starts(s, at, "<!entity"))
            return "the SVG file declares entities; export it as plain SVG, or as PNG";
        if (links_out(s, at) || starts(s, at, "@import") || (starts(s, at, "url(") && leaves(s, at + 4)) ||
            starts(s, at, "<?xml-stylesheet"))
            return "the SVG file refers to other files; embed them, or export it as PNG";
    }
    return NULL;
}

/* Whether the first element is <svg>, after a declaration, comments and a document type. */
static bool is_svg(const struct svg *s)
{
    const char *at = starts(s, s->at, "\xEF\xBB\xBF") ? s->at + 3 : s->at;
    for (;;) {
        at = skip_blanks(s, at);
        const bool comment = starts(s, at, "<!--");
        if (!comment && !starts(s, at, "<?") && !starts(s, at, "<!doctype"))
            return starts(s, at, "<svg") || starts(s, at, "<svg:svg");
        const char *close = comment ? "-->" : ">";
        while (at < s->end && !starts(s, at, close))
            at++;
        at += at < s->end ? strlen(close) : 0;
    }
}

const char *logo_type(const char **why, const uint8_t *bytes, size_t count)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
    const struct svg s = {(const char *)bytes, (const char *)bytes + count};
    *why = NULL;
    if (count > sizeof png && !memcmp(bytes, png, sizeof png))
        return "image/png";
    if (count > sizeof jpeg && !memcmp(bytes, jpeg, sizeof jpeg))
        return "image/jpeg";
    if (!count || memchr(bytes, 0, count) || !is_svg(&s))
        *why = "not a PNG, JPEG or SVG picture; convert it to one of these";
    else
        *why = fault_of_svg(&s);
    return *why ? NULL : "image/svg+xml";
}

static int refuse(struct logo *logo, const char *path, const char *why, const char *reason, struct error *e)
{
    char safe[QUOTED];
    logo_free(logo);
    return fail(e, ERROR_INPUT, "--logo %s: %s%s%s", quoted(safe, path), why, reason ? ": " : "", reason ? reason : "");
}

int logo_read(struct logo *logo, const char *path, struct error *e)
{
    const char *why;
    *logo = (struct logo){.bytes = malloc(LOGO_MAX + 1)};
    if (!logo->bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    FILE *f = fopen(path, "rbe");
    if (!f)
        return refuse(logo, path, "cannot open", strerror(errno), e);
    logo->count = fread(logo->bytes, 1, LOGO_MAX + 1, f);
    const int reason = !ferror(f) ? 0 : errno ? errno : EIO;
    fclose(f);
    if (reason)
        return refuse(logo, path, "cannot read", strerror(reason), e);
    if (logo->count > LOGO_MAX)
        return refuse(logo, path, "larger than 1 MiB; reduce it to about 1000 pixels across", NULL, e);
    logo->type = logo_type(&why, logo->bytes, logo->count);
    return logo->type ? 0 : refuse(logo, path, why, NULL, e);
}

void logo_free(struct logo *logo)
{
    free(logo->bytes);
    memset(logo, 0, sizeof *logo);
}
