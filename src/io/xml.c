/* SPDX-License-Identifier: MIT */
#include "io/xml.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Length of the UTF-8 sequence that starts here, 0 when it is none that XML allows. */
static size_t utf8_length(const unsigned char *s)
{
    size_t length = s[0] < 0x80                   ? 1
                    : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                    : (s[0] & 0xF0) == 0xE0       ? 3
                    : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xED && s[1] > 0x9F;
    bool beyond = s[0] == 0xF4 && s[1] > 0x8F;
    bool no_character = s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE;
    return overlong || surrogate || beyond || no_character ? 0 : length;
}

/* One character as XML: a constant text, or the character itself, *length bytes of *s. */
static const char *letter(const unsigned char *s, size_t *length)
{
    const size_t there = utf8_length(s);
    *length = there ? there : 1;
    if (!there)
        return "?";
    if (*s < 0x20 || *s == 0x7F)
        return " ";
    return *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '"' ? "&quot;" : NULL;
}

void xml_text(FILE *stream, const char *text)
{
    size_t length;
    for (const unsigned char *s = (const unsigned char *)text; s && *s; s += length) {
        const char *instead = letter(s, &length);
        if (instead)
            fputs(instead, stream);
        else
            fwrite(s, 1, length, stream);
    }
}

void xml_add(struct growing_text *t, const char *text)
{
    size_t length;
    for (const unsigned char *s = (const unsigned char *)text; s && *s; s += length) {
        const char *instead = letter(s, &length);
        growing_text_bytes(t, instead ? instead : (const char *)s, instead ? strlen(instead) : length);
    }
}
