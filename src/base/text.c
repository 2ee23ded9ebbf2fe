/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sanitize_text.h"
#include "base/synonyms.h"

char *text_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *text_copy(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

const char *text_plain(char text[PLAIN_TEXT], double value, int digits)
{
    snprintf(text, PLAIN_TEXT, "%.*g", digits, value);
    if (strchr(text, 'e') && fabs(value) >= 1.0 && fabs(value) < 1e15)
        snprintf(text, PLAIN_TEXT, "%.0f", value);
    return text;
}

const char *quoted(char text[QUOTED], const char *given)
{
    char line[2 * QUOTED];
    sanitize_line(line, sizeof line, given);
    size_t n = strlen(line);
    if (n > QUOTED - 4) {
        n = QUOTED - 4;
        while (n && ((unsigned char)line[n] & 0xC0) == 0x80) /* not within a multibyte character */
            n--;
        memcpy(line + n, "...", 4);
        n += 3;
    }
    memcpy(text, line, n + 1);
    return text;
}

size_t text_letter(const char *text, uint32_t *letter)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000}; /* smallest code of each length */
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    *letter = length > 1 ? first & (0x7Fu >> length) : first;
    for (size_t i = 1; i < length; i++) {
        const unsigned char more = (unsigned char)text[i];
        if (more >> 6 != 2)
            return 0;
        *letter = *letter << 6 | (more & 0x3Fu);
    }
    const bool half = *letter >= 0xD800 && *letter < 0xE000;
    return !length || *letter < min[length] || half || *letter > 0x10FFFF ? 0 : length;
}

enum { LONGEST = 64 };

static int same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *above = rows[1], *current = rows[2];
    for (size_t j = 0; j <= nb; j++)
        above[j] = j;
    for (size_t i = 1; i <= na; i++) {
        current[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (current[j - 1] + 1 < best)
                best = current[j - 1] + 1;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            current[j] = best;
        }
        size_t *spare = before;
        before = above;
        above = current;
        current = spare;
    }
    return above[nb];
}

static size_t synonyms_among(size_t *meant, size_t max, const char *word, const struct synonym *table,
                             const char *const *names, size_t count)
{
    size_t found = 0;
    const struct synonym *s = synonym_of(table, word);
    for (const char *const *name = s ? s->names : NULL; name && *name; name++)
        for (size_t i = 0; i < count && found < max; i++)
            if (!strcmp(names[i], *name)) {
                meant[found++] = i;
                break;
            }
    return found;
}

/* Index, or `count`. */
static size_t distance_min(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word), best = count;
    size_t best_distance = length / 3 + 2;
    if (length > LONGEST)
        return count;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]);
        if (n > LONGEST || n >= length + best_distance || length >= n + best_distance)
            continue;
        size_t d = distance(word, length, names[i], n);
        if (d < best_distance) {
            best_distance = d;
            best = i;
        }
    }
    return best;
}

static size_t names_around(size_t *meant, size_t max, const char *word, const char *const *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; strlen(word) >= 4 && i < count && found < max; i++)
        if (strcasestr(names[i], word))
            meant[found++] = i;
    return found;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A synonym of the word, else the name that it is, in any case. */
static size_t named_among(size_t *meant, size_t max, const char *word, const struct synonym *table,
                          const char *const *names, size_t count)
{
    const size_t found = synonyms_among(meant, max, word, table, names, count);
    for (size_t i = 0; !found && i < count; i++)
        if (!strcasecmp(names[i], word)) {
            meant[0] = i;
            return 1;
        }
    return found;
}

/* Names for one of the words in a compound, the last one that there are any for. */
static size_t names_of_parts(size_t *meant, size_t max, const char *word, const struct synonym *table,
                             const char *const *names, size_t count)
{
    size_t found = 0, end = strlen(word);
    char part[LONGEST + 1];
    while (end && !found) {
        while (end && !is_letter(word[end - 1]))
            end--;
        size_t start = end;
        while (start && is_letter(word[start - 1]))
            start--;
        const size_t length = end - start;
        if (length && length <= LONGEST) {
            memcpy(part, word + start, length);
            part[length] = '\0';
            found = named_among(meant, max, part, table, names, count);
        }
        end = start;
    }
    return found;
}

size_t text_meant(size_t *meant, size_t max, const char *word, const struct synonym *table, const char *const *names,
                  size_t count)
{
    size_t found = synonyms_among(meant, max, word, table, names, count);
    if (found || !max)
        return found;
    meant[0] = distance_min(word, names, count);
    found = meant[0] < count ? 1 : names_around(meant, max, word, names, count);
    return found ? found : names_of_parts(meant, max, word, table, names, count);
}

ptrdiff_t text_closest(const char *word, const char *const *names, size_t count)
{
    size_t meant;
    return text_meant(&meant, 1, word, synonyms, names, count) ? (ptrdiff_t)meant : -1;
}

const char *text_hint(char text[HINT], const char *word, const char *const *names, size_t count)
{
    const ptrdiff_t closest = text_closest(word, names, count);
    char name[QUOTED];
    if (closest < 0)
        text[0] = '\0';
    else
        snprintf(text, HINT, "; did you mean %s?", quoted(name, names[closest]));
    return text;
}

int text_number(const char *text, double *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return -1;
    double parsed = strtod(text, &end); /* the decimal point is '.': base/c_locale.h */
    if (*end || !isfinite(parsed))
        return -1;
    *value = parsed;
    return 0;
}

static bool make_room(struct growing_text *t, size_t more)
{
    if (t->lost || more > SIZE_MAX / 4 - t->length)
        return false;
    if (t->length + more < t->room)
        return true;
    const size_t room = 2 * (t->length + more + 64);
    char *larger = realloc(t->text, room);
    if (!larger)
        return false;
    t->text = larger;
    t->room = room;
    return true;
}

void growing_text_bytes(struct growing_text *t, const char *bytes, size_t count)
{
    if (!make_room(t, count)) {
        t->lost = true;
        return;
    }
    memcpy(t->text + t->length, bytes, count);
    t->length += count;
    t->text[t->length] = '\0';
}

void growing_text_add(struct growing_text *t, const char *format, ...)
{
    char *piece = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&piece, format, arguments);
    va_end(arguments);
    if (length < 0) {
        t->lost = true;
        return;
    }
    growing_text_bytes(t, piece, (size_t)length);
    free(piece);
}

char *growing_text_take(struct growing_text *t, size_t *length)
{
    growing_text_bytes(t, "", 0); /* so that an empty text is not NULL */
    char *text = t->lost ? NULL : t->text;
    if (t->lost)
        free(t->text);
    if (length)
        *length = t->length;
    *t = (struct growing_text){0};
    return text;
}

int lines_add(char ***lines, size_t *count, struct error *e, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    char **longer = length < 0 ? NULL : realloc(*lines, (*count + 1) * sizeof *longer);
    if (!longer) {
        if (length >= 0)
            free(text);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    *lines = longer;
    longer[(*count)++] = text;
    return 0;
}

void lines_free(char **lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}
