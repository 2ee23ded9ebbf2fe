/* SPDX-License-Identifier: MIT */
#include "io/drawing/png_indexed.h"

#include <png.h>

/* libpng fails by longjmp: all that has to be freed is in the caller. */
static int write_picture(png_structp png, png_infop info, FILE *stream, const uint8_t *pixels, size_t columns,
                         size_t rows, const png_color *palette, size_t colours, bool clear)
{
    const png_byte transparent = 0;
    if (setjmp(png_jmpbuf(png)))
        return -1;
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)columns, (png_uint_32)rows, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, (int)colours);
    if (clear)
        png_set_tRNS(png, info, &transparent, 1, NULL);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    for (size_t row = 0; row < rows; row++)
        png_write_row(png, pixels + row * columns);
    png_write_end(png, info);
    return 0;
}

int png_indexed(FILE *stream, const uint8_t *pixels, size_t columns, size_t rows, const uint32_t *palette,
                size_t colours, bool clear, struct error *e)
{
    png_color entries[256];
    for (size_t i = 0; i < colours && i < 256; i++)
        entries[i] =
            (png_color){(png_byte)(palette[i] >> 16), (png_byte)(palette[i] >> 8 & 255), (png_byte)(palette[i] & 255)};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const int status = info ? write_picture(png, info, stream, pixels, columns, rows, entries, colours, clear) : -1;
    if (png)
        png_destroy_write_struct(&png, info ? &info : NULL);
    return status ? fail(e, ERROR_MEMORY, "a picture could not be made: out of memory") : 0;
}
