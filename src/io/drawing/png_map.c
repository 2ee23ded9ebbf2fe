/* SPDX-License-Identifier: MIT */
#include "io/drawing/png_map.h"

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"

/* libpng fails by longjmp: all that has to be freed is in the caller. */
struct writer {
    png_structp png;
    png_infop info;
    FILE *file;
    png_byte *row;
};

static void write_row(struct writer *w, const double *values, size_t nx, double low, double high)
{
    for (size_t x = 0; x < nx; x++) {
        const double share = (values[x] - low) / (high > low ? high - low : 1.0);
        const double cut = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
        const unsigned grey = (unsigned)(cut * 65535.0 + 0.5);
        w->row[2 * x] = (png_byte)(grey >> 8); /* most significant first */
        w->row[2 * x + 1] = (png_byte)(grey & 255u);
    }
    png_write_row(w->png, w->row);
}

static int write_map(struct writer *w, const double *values, size_t nx, size_t ny, double low, double high)
{
    char text[2][32];
    char names[2][8] = {"low", "high"};
    png_text chunks[2];
    if (setjmp(png_jmpbuf(w->png)))
        return -1;
    snprintf(text[0], sizeof text[0], "%.9g", low);
    snprintf(text[1], sizeof text[1], "%.9g", high);
    memset(chunks, 0, sizeof chunks);
    for (int i = 0; i < 2; i++) {
        chunks[i].compression = PNG_TEXT_COMPRESSION_NONE;
        chunks[i].key = names[i];
        chunks[i].text = text[i];
    }
    png_init_io(w->png, w->file);
    png_set_IHDR(w->png, w->info, (png_uint_32)nx, (png_uint_32)ny, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_text(w->png, w->info, chunks, 2);
    png_write_info(w->png, w->info);
    for (size_t y = ny; y-- > 0;) /* a picture begins at the top */
        write_row(w, values + y * nx, nx, low, high);
    png_write_end(w->png, w->info);
    return 0;
}

int png_map(const char *path, const double *values, size_t nx, size_t ny, double low, double high, struct error *e)
{
    struct output_file output = {0};
    struct writer w = {0};
    if (output_file_open(&output, path, e))
        return -1;
    w.file = output_file_stream(&output, e);
    w.row = malloc(2 * nx);
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    int status = w.file && w.row && w.info ? write_map(&w, values, nx, ny, low, high) : -1;
    if (w.png)
        png_destroy_write_struct(&w.png, w.info ? &w.info : NULL);
    if (w.file && fclose(w.file))
        status = -1;
    free(w.row);
    if (status)
        fail(e, ERROR_OUTPUT, "%s: cannot write the picture; check the free disk space", path);
    else
        status = output_file_commit(&output, e);
    output_file_discard(&output);
    return status;
}
