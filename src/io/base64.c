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
