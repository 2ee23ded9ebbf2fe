/* SPDX-License-Identifier: MIT */
#include "present/report/decimals.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const commas[] = {"bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr",
                                     "hu", "id", "is", "it", "lt", "lv", "nb", "nl", "nn", "no", "pl",
                                     "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi"};
static const char *const points[] = {"en", "he", "ja", "ko", "th", "zh"};
/* Regions whose sign differs from that of their language. */
static const char *const regions[] = {"de-CH", "de-LI", "it-CH", "es-CU", "es-DO", "es-GT", "es-HN", "es-MX",
                                      "es-NI", "es-PA", "es-PE", "es-PR", "es-SV", "es-US", "es-BZ"};
enum { LANGUAGE = 2, REGION = 5 };
enum { LONGEST_TAG = 200 }; /* searched for a mark; data: URLs are longer */
#define MINUS "\xE2\x88\x92"

static bool listed(const char *word, size_t length, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && !strncasecmp(word, list[i], length))
            return true;
    return false;
}

#define LISTED(word, length, list) listed(word, length, list, sizeof(list) / sizeof *(list))

char decimals_of_locale(const char *locale)
{
    char name[REGION + 1] = "";
    const size_t length = strcspn(locale, ".@");
    if (length != LANGUAGE && !(length == REGION && strchr("-_", locale[LANGUAGE]) &&
                                isalpha((unsigned char)locale[3]) && isalpha((unsigned char)locale[4])))
        return 0;
    memcpy(name, locale, length);
    if (length == REGION)
        name[LANGUAGE] = '-';
    if (length == REGION && LISTED(name, REGION, regions))
        return '.';
    return LISTED(name, LANGUAGE, commas) ? ',' : LISTED(name, LANGUAGE, points) ? '.' : 0;
}

/* Part of a word: a point between digits of "8.1.2", "room2.5.wav" and "10.1121/1.36" is none of a number. */
static bool in_word(char c)
{
    return isalnum((unsigned char)c) || strchr("._-/:", c) ? c != '\0' : false;
}

/* Whether a list of numbers goes on: ", 0.5", ", -0.5". */
static bool another_follows(const char *after)
{
    const char *next = after + 2;
    if (strncmp(after, ", ", 2) != 0)
        return false;
    next += strspn(next, "+-");
    next += !strncmp(next, MINUS, sizeof MINUS - 1) ? sizeof MINUS - 1 : 0;
    next += strspn(next, "0123456789");
    return *next == '.';
}

/* The word of `length` letters, its sign and the last signs of a sentence left out, as digits, a point, and digits. In a
 * list of such numbers, semicolons then stand between them. */
static void set_word(char *word, size_t length, char sign)
{
    while (length && strchr(".:", word[length - 1]))
        length--;
    if (length && *word == '-') {
        word++;
        length--;
    }
    size_t whole = 0, part = 0;
    while (whole < length && isdigit((unsigned char)word[whole]))
        whole++;
    while (whole + 1 + part < length && isdigit((unsigned char)word[whole + 1 + part]))
        part++;
    if (!whole || !part || word[whole] != '.' || whole + 1 + part != length)
        return;
    word[whole] = sign;
    if (sign == ',' && another_follows(word + length))
        word[length] = ';';
}

/* The text between two tags. */
static void set_text(char *text, char *end, char sign)
{
    while (text < end) {
        char *word = text;
        while (text < end && in_word(*text))
            text++;
        if (text > word)
            set_word(word, (size_t)(text - word), sign);
        else
            text++;
    }
}

/* "0.5", "0.5 m": a label of an axis or a scale, and no name. */
static bool is_label(const char *text, const char *end)
{
    text += !strncmp(text, MINUS, sizeof MINUS - 1) ? sizeof MINUS - 1 : 0;
    const char *unit = text;
    while (unit < end && (isdigit((unsigned char)*unit) || *unit == '.'))
        unit++;
    return unit > text && end - unit <= 4;
}

static bool begins(const char *tag, const char *with)
{
    const size_t length = strlen(with);
    return !strncmp(tag, with, length) && !isalnum((unsigned char)tag[length]);
}

/* The end tag up to which nothing changes, for the tag at "<"; NULL: text follows. */
static const char *kept_until(const char *tag, const char *end)
{
    static const char *const kept[][2] = {{"<script", "</script>"}, {"<style", "</style>"}, {"<title", "</title>"},
                                          {"<h1", "</h1>"},         {"<h2", "</h2>"},       {"<h3", "</h3>"}};
    static const char mark[] = "translate=\"no\"", row[] = "scope=\"row\"";
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (begins(tag, kept[i][0]))
            return kept[i][1];
    for (const char *at = tag; at < end && at - tag < LONGEST_TAG; at++)
        if (!strncmp(at, mark, sizeof mark - 1))
            return begins(tag, "<p") ? "</p>" : begins(tag, "<dd") ? "</dd>" : "</span>";
        else if (!strncmp(at, row, sizeof row - 1))
            return "</th>";
    return NULL;
}

void decimals_set(char *page, char sign)
{
    bool drawing = false;
    char *at = strchr(page, '<');
    while (at) {
        char *end = strchr(at, '>');
        if (!end)
            return;
        drawing = begins(at, "<svg") || (drawing && strncmp(at, "</svg", 5) != 0);
        const char *until = kept_until(at, end);
        if (until) {
            at = strstr(end, until);
            continue;
        }
        at = strchr(end, '<');
        if (at && (!drawing || is_label(end + 1, at)))
            set_text(end + 1, at, sign);
    }
}
