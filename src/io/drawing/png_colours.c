/* SPDX-License-Identifier: MIT */
#include "io/drawing/png_colours.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* libpng fails by longjmp: all that has to be freed is in the caller, and so is the message. */
struct colours_writer {
    png_structp png;
    png_infop info;
    FILE *file;
    png_byte *row; /* [3 columns] */
};

static _Noreturn void end_writing(png_structp png, png_const_charp message)
{
    (void)message; /* "Write Error", which the message of the caller says with the name of the file */
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void add_notes(const struct colours_writer *w, const struct png_note *notes, size_t count)
{
    png_text chunks[PNG_NOTES_MAX];
    char keys[PNG_NOTES_MAX][80], texts[PNG_NOTES_MAX][256];
    memset(chunks, 0, sizeof chunks);
    const size_t used = count < PNG_NOTES_MAX ? count : PNG_NOTES_MAX;
    for (size_t i = 0; i < used; i++) {
        snprintf(keys[i], sizeof keys[i], "%s", notes[i].key);
        snprintf(texts[i], sizeof texts[i], "%s", notes[i].text);
        chunks[i].compression = PNG_TEXT_COMPRESSION_NONE;
        chunks[i].key = keys[i];
        chunks[i].text = texts[i];
    }
    png_set_text(w->png, w->info, chunks, (int)used);
}

static int write_colours(struct colours_writer *w, const uint32_t *pixels, size_t columns, size_t rows,
                         const struct png_note *notes, size_t note_count)
{
    if (setjmp(png_jmpbuf(w->png)))
        return -1;
    png_init_io(w->png, w->file);
    png_set_IHDR(w->png, w->info, (png_uint_32)columns, (png_uint_32)rows, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    add_notes(w, notes, note_count);
    png_write_info(w->png, w->info);
    for (size_t row = 0; row < rows && !stop_requested(); row++) {
        for (size_t column = 0; column < columns; column++) {
            const uint32_t colour = pixels[row * columns + column];
            w->row[3 * column] = (png_byte)(colour >> 16 & 255u);
            w->row[3 * column + 1] = (png_byte)(colour >> 8 & 255u);
            w->row[3 * column + 2] = (png_byte)(colour & 255u);
        }
        png_write_row(w->png, w->row);
    }
    if (stop_requested()) /* a large picture takes a second */
        return -1;
    png_write_end(w->png, w->info);
    return 0;
}

int png_colours_put(struct output_file *output, const uint32_t *pixels, size_t columns, size_t rows,
                    const struct png_note *notes, size_t note_count, struct error *e)
{
    struct colours_writer w = {0};
    w.file = output_file_stream(output, e);
    if (!w.file)
        return -1;
    w.row = malloc(3 * columns);
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, end_writing, ignore);
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    int status = w.row && w.info ? write_colours(&w, pixels, columns, rows, notes, note_count) : -1;
    if (w.png)
        png_destroy_write_struct(&w.png, w.info ? &w.info : NULL);
    if (fclose(w.file))
        status = -1;
    free(w.row);
    if (status && !stop_check(e))
        fail(e, ERROR_OUTPUT, "%s: cannot write the picture; check the free disk space", output->path);
    return status;
}

int png_colours(const char *path, bool no_clobber, const uint32_t *pixels, size_t columns, size_t rows,
                const struct png_note *notes, size_t note_count, struct error *e)
{
    struct output_file output = {0};
    if (output_file_open(&output, path, e))
        return -1;
    output.no_clobber = no_clobber;
    int status = png_colours_put(&output, pixels, columns, rows, notes, note_count, e);
    if (!status)
        status = output_file_commit(&output, e);
    output_file_discard(&output);
    return status;
}

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
    return status ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}
