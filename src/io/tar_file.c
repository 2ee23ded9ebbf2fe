/* SPDX-License-Identifier: MIT */
#include "io/tar_file.h"

#include <stdio.h>
#include <string.h>

/* Offsets and widths of the fields of a header, in bytes. */
enum {
    NAME = 0,
    MODE = 100,
    USER = 108,
    GROUP = 116,
    SIZE = 124,
    TIME = 136,
    CHECKSUM = 148,
    TYPE = 156,
    MAGIC = 257,
    SHORT_FIELD = 8,
    LONG_FIELD = 12
};

/* Octal digits with leading zeros and a NUL behind them. */
static void put_octal(char *field, size_t width, unsigned long long value)
{
    field[width - 1] = '\0';
    for (size_t i = width - 1; i-- > 0; value >>= 3)
        field[i] = (char)('0' + (value & 7));
}

static void fill_header(char header[TAR_BLOCK], const char *name, size_t count)
{
    unsigned sum = 0;
    memset(header, 0, TAR_BLOCK);
    memcpy(header + NAME, name, strlen(name));
    put_octal(header + MODE, SHORT_FIELD, 0644);
    put_octal(header + USER, SHORT_FIELD, 0);
    put_octal(header + GROUP, SHORT_FIELD, 0);
    put_octal(header + SIZE, LONG_FIELD, count);
    put_octal(header + TIME, LONG_FIELD, 0);
    header[TYPE] = '0'; /* a regular file */
    memcpy(header + MAGIC, "ustar\00000", 8);
    memset(header + CHECKSUM, ' ', SHORT_FIELD); /* as which the field counts in its own sum */
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)header[i];
    put_octal(header + CHECKSUM, SHORT_FIELD - 1, sum);
}

int tar_add(const struct byte_sink *sink, const char *name, const void *bytes, size_t count, struct error *e)
{
    static const char zeros[TAR_BLOCK];
    char header[TAR_BLOCK];
    if (strlen(name) > TAR_NAME_MAX || (unsigned long long)count >> 33)
        return fail(e, ERROR_FAILED, "%s: too large, or its name too long, for a tar archive", name);
    fill_header(header, name, count);
    return sink->put(sink->context, header, sizeof header, e) || sink->put(sink->context, bytes, count, e) ||
                   sink->put(sink->context, zeros, (TAR_BLOCK - count % TAR_BLOCK) % TAR_BLOCK, e)
               ? -1
               : 0;
}

int tar_end(const struct byte_sink *sink, struct error *e)
{
    static const char zeros[2 * TAR_BLOCK];
    return sink->put(sink->context, zeros, sizeof zeros, e);
}
