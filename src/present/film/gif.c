/* SPDX-License-Identifier: MIT */
/* GIF by giflib: one table of colours for the whole film, frames as they come, repeated without end. */
#include <gif_lib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/stop.h"
#include "present/film/outlet.h"

enum { COLOURS = 256, CACHE = 1 << 16, DELAY_LEAST = 2 /* 1/100 s: shorter ones are shown as 1/10 s */ };

struct gif {
    struct film_format format;
    struct output_file file;
    FILE *stream;
    GifFileType *gif;
    uint32_t palette[COLOURS];
    uint32_t *seen;    /* [CACHE]: colours met before, + 1 */
    uint8_t *indices;  /* [CACHE]: theirs */
    GifPixelType *row; /* [columns] */
    size_t written;
};

static int write_bytes(GifFileType *gif, const GifByteType *bytes, int count)
{
    const struct gif *g = gif->UserData;
    return (int)fwrite(bytes, 1, (size_t)count, g->stream);
}

static int lost(const struct gif *g, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: the film could not be written: is the disk full?", g->format.path);
}

static size_t nearest(const struct gif *g, uint32_t colour)
{
    size_t best = 0;
    long least = 1L << 30;
    for (size_t i = 0; i < COLOURS && least; i++) {
        long distance = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            const long d = (long)(colour >> shift & 255u) - (long)(g->palette[i] >> shift & 255u);
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static GifPixelType index_of(struct gif *g, uint32_t colour)
{
    const size_t slot = (colour * 2654435761u) >> 16;
    if (g->seen[slot] != colour + 1) {
        g->indices[slot] = (uint8_t)nearest(g, colour);
        g->seen[slot] = colour + 1;
    }
    return g->indices[slot];
}

/* The colours that are kept, then greys. */
static ColorMapObject *make_table(struct gif *g)
{
    GifColorType entries[COLOURS];
    const size_t kept = g->format.palette_count < COLOURS ? g->format.palette_count : COLOURS;
    for (size_t i = 0; i < COLOURS; i++) {
        const uint32_t grey = (uint32_t)(255 * (i - kept + 1) / (COLOURS - kept));
        g->palette[i] = i < kept ? g->format.palette[i] & 0xffffffu : grey << 16 | grey << 8 | grey;
        entries[i] = (GifColorType){(GifByteType)(g->palette[i] >> 16), (GifByteType)(g->palette[i] >> 8 & 255u),
                                    (GifByteType)(g->palette[i] & 255u)};
    }
    return GifMakeMapObject(COLOURS, entries);
}

static int write_head(struct gif *g, struct error *e)
{
    ColorMapObject *table = make_table(g);
    const int columns = (int)g->format.columns, rows = (int)g->format.rows;
    if (!table)
        return fail(e, ERROR_MEMORY, "out of memory");
    EGifSetGifVersion(g->gif, true);
    const bool good = EGifPutScreenDesc(g->gif, columns, rows, 8, 0, table) == GIF_OK &&
                      EGifPutExtensionLeader(g->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
                      EGifPutExtensionBlock(g->gif, 11, "NETSCAPE2.0") == GIF_OK &&
                      EGifPutExtensionBlock(g->gif, 3, "\1\0\0") == GIF_OK && EGifPutExtensionTrailer(g->gif) == GIF_OK;
    GifFreeMapObject(table);
    return good ? 0 : lost(g, e);
}

static int gif_open(void **state, const struct film_format *format, struct error *e)
{
    struct gif *g = *state = calloc(1, sizeof *g);
    int why;
    if (!g)
        return fail(e, ERROR_MEMORY, "out of memory");
    g->format = *format;
    g->seen = calloc(CACHE, sizeof *g->seen);
    g->indices = calloc(CACHE, sizeof *g->indices);
    g->row = calloc(format->columns, sizeof *g->row);
    if (!g->seen || !g->indices || !g->row)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (output_file_open(&g->file, format->path, e) || !(g->stream = output_file_stream(&g->file, e)))
        return -1;
    g->file.no_clobber = format->no_clobber;
    g->gif = EGifOpen(g, write_bytes, &why);
    return g->gif ? write_head(g, e) : fail(e, ERROR_MEMORY, "out of memory");
}

/* 1/100 s: delays are whole ones, and keep the rate on average. */
static int delay_of(const struct gif *g)
{
    const double step = 100.0 / g->format.rate;
    const double delay = rint(step * (double)(g->written + 1)) - rint(step * (double)g->written);
    return (int)fmax(DELAY_LEAST, fmin(65535.0, delay));
}

static int gif_frame(void *state, const uint32_t *pixels, double time, struct error *e)
{
    struct gif *g = state;
    (void)time;
    const GraphicsControlBlock control = {DISPOSE_DO_NOT, false, delay_of(g), NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    const size_t count = EGifGCBToExtension(&control, bytes);
    const int columns = (int)g->format.columns, rows = (int)g->format.rows;
    if (EGifPutExtension(g->gif, GRAPHICS_EXT_FUNC_CODE, (int)count, bytes) != GIF_OK ||
        EGifPutImageDesc(g->gif, 0, 0, columns, rows, false, NULL) != GIF_OK)
        return lost(g, e);
    for (size_t row = 0; row < g->format.rows; row++) {
        if (stop_check(e))
            return -1;
        for (size_t i = 0; i < g->format.columns; i++)
            g->row[i] = index_of(g, pixels[row * g->format.columns + i]);
        if (EGifPutLine(g->gif, g->row, columns) != GIF_OK)
            return lost(g, e);
    }
    g->written++;
    return 0;
}

static int gif_commit(void *state, struct error *e)
{
    struct gif *g = state;
    int why;
    bool good = EGifCloseFile(g->gif, &why) == GIF_OK;
    g->gif = NULL;
    good = !fclose(g->stream) && good;
    g->stream = NULL;
    return good ? output_file_commit(&g->file, e) : lost(g, e);
}

static void gif_close(void *state)
{
    struct gif *g = state;
    int why;
    if (!g)
        return;
    if (g->gif)
        EGifCloseFile(g->gif, &why);
    if (g->stream)
        fclose(g->stream);
    output_file_discard(&g->file);
    free(g->seen);
    free(g->indices);
    free(g->row);
    free(g);
}

const struct film_outlet film_gif = {
    .suffix = ".gif", .open = gif_open, .frame = gif_frame, .commit = gif_commit, .close = gif_close};
