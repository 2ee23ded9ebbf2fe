/* SPDX-License-Identifier: MIT */
#include "base/sanitize_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t length_of_letter(unsigned char first)
{
    return first >= 0xC2 && first < 0xE0   ? 2
           : first >= 0xE0 && first < 0xF0 ? 3
           : first >= 0xF0 && first < 0xF5 ? 4
                                           : 1;
}

/* What has no shape of its own but changes that of other text: controls, separators of lines, and the format characters
 * of Unicode, but the joiners U+200C and U+200D, without which Persian words and emoji fall apart. */
static const struct {
    unsigned first, last;
} shapeless[] = {
    {0x7F, 0x9F},     {0xAD, 0xAD},     {0x061C, 0x061C}, {0x180E, 0x180E}, {0x200B, 0x200B},   {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

static bool is_control(const struct sanitize_text *v, unsigned code)
{
    const bool between = (code == '\n' || code == '\t') && v->form != SANITIZE_LINE;
    bool control = code < 0x20 && !between;
    for (size_t i = 0; i < sizeof shapeless / sizeof *shapeless; i++)
        control = control || (code >= shapeless[i].first && code <= shapeless[i].last);
    return control;
}

static size_t put_code(const struct sanitize_text *v, char *out, unsigned code)
{
    char text[16];
    int length;
    if (code > 0xFFFF && v->form == SANITIZE_JSON) /* as a pair of surrogates */
        length = snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
    else if (code > 0xFFFF)
        length = snprintf(text, sizeof text, "\\U%08x", code);
    else
        length = snprintf(text, sizeof text, v->form == SANITIZE_JSON || code > 0xFF ? "\\u%04x" : "\\x%02x", code);
    memcpy(out, text, (size_t)length);
    return (size_t)length;
}

/* A byte that is not UTF-8: single-byte terminals take some of them for control characters. */
static size_t put_stray(const struct sanitize_text *v, char *out, unsigned char byte)
{
    if (byte >= 0x80 && byte <= 0x9F)
        return put_code(v, out, v->form == SANITIZE_JSON ? 0xFFFD : byte);
    *out = (char)byte;
    return 1;
}

static size_t put_letter(const struct sanitize_text *v, char *out)
{
    static const unsigned char bits_of_first[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = v->letter[0] & bits_of_first[v->length];
    for (size_t i = 1; i < v->length; i++)
        code = code << 6 | (v->letter[i] & 0x3Fu);
    if (is_control(v, code))
        return put_code(v, out, code);
    memcpy(out, v->letter, v->length);
    return v->length;
}

size_t sanitize_end(struct sanitize_text *v, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < v->count; i++)
        used += put_stray(v, out + used, v->letter[i]);
    v->count = 0;
    return used;
}

size_t sanitize_piece(struct sanitize_text *v, char *out, const char *piece, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)piece[i];
        const bool continues = (byte & 0xC0) == 0x80;
        if (v->count && !continues)
            used += sanitize_end(v, out + used);
        if (!v->count && (continues || (byte >= 0x80 && length_of_letter(byte) == 1))) {
            used += put_stray(v, out + used, byte);
            continue;
        }
        if (!v->count)
            v->length = length_of_letter(byte);
        v->letter[v->count++] = byte;
        if (v->count == v->length) {
            used += put_letter(v, out + used);
            v->count = 0;
        }
    }
    return used;
}

void sanitize_line(char *to, size_t size, const char *text)
{
    enum { PIECE = 64 };
    struct sanitize_text v = {.form = SANITIZE_LINE};
    char shown[SANITIZE_MAX(PIECE)];
    size_t used = 0, left = strlen(text);
    do {
        const size_t piece = left < PIECE ? left : PIECE;
        size_t count = sanitize_piece(&v, shown, text, piece);
        text += piece;
        left -= piece;
        if (!left)
            count += sanitize_end(&v, shown + count);
        count = count < size - 1 - used ? count : size - 1 - used;
        memcpy(to + used, shown, count);
        used += count;
    } while (left);
    to[used] = '\0';
}

const char *sanitize_name(const char *name)
{
    enum { BUFFERS = 8, ROOM = 4096 };
    static _Thread_local char buffers[BUFFERS][ROOM];
    static _Thread_local unsigned next;
    char *shown = buffers[next++ % BUFFERS];
    sanitize_line(shown, ROOM, name);
    return strcmp(shown, name) ? shown : name;
}
