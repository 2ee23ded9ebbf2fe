/* SPDX-License-Identifier: MIT */
#include "io/base64.h"

#include "io/text_stream.h"

void base64_write(FILE *stream, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        fputc(digits[word >> 18], stream);
        fputc(digits[word >> 12 & 63], stream);
        fputc(left > 1 ? digits[word >> 6 & 63] : '=', stream);
        fputc(left > 2 ? digits[word & 63] : '=', stream);
    }
}

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    return c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

int base64_read(uint8_t *bytes, size_t *count, const char *text)
{
    uint32_t word = 0;
    size_t digits = 0;
    *count = 0;
    for (int value; (value = digit(*text)) >= 0; text++) {
        word = word << 6 | (uint32_t)value;
        if (digits++ % 4)
            bytes[(*count)++] = (uint8_t)(word >> (6 - 2 * ((digits - 1) % 4)) & 255);
    }
    size_t padding = 0;
    for (; *text == '='; text++)
        padding++;
    return *text || digits % 4 == 1 || padding > 2 || (padding && (digits + padding) % 4) ? -1 : 0;
}
