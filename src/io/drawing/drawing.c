/* SPDX-License-Identifier: MIT */
#include "io/drawing/drawing.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/xml.h"

struct drawing {
    char name[32]; /* "": a separate file */
    bool pixels;   /* not SVG: no texts then */
    double width, height;
    cairo_surface_t *surface;
    cairo_t *cairo;
    struct text_stream geometry_text, labels_text;
    FILE *geometry, *labels; /* into the two texts */
};

/* A colour is passed to cairo as the mark rgb(index + 1, MARK_GREEN, MARK_BLUE) of 255, and replaced in its output. */
static const double MARK_GREEN = 51.0, MARK_BLUE = 102.0;

static double quarter(double value)
{
    return round(4.0 * value) / 4.0;
}

static cairo_status_t take_bytes(void *stream, const unsigned char *bytes, unsigned count)
{
    return fwrite(bytes, 1, count, stream) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Colours of a separate file: those of the page's style for light. */
static const char *const light[DRAWING_COLOURS] = {"#1f2933", "#5a6772", "#e3e7ec", "#c9d1da", "#0b6fb8",
                                                   "#d1492b", "#1d8f5f", "#8a4fb5", "#b07d00", "#c2397b",
                                                   "#178f9c", "#7a5c3e", "#616e7c"};

int drawing_open(struct drawing **d, const char *name, double width, double height, struct error *e)
{
    static const size_t need = (size_t)32 << 20; /* cairo 1.16 crashes when it ends a drawing without memory */
    struct drawing *new = *d = memory_is_there(need) ? calloc(1, sizeof *new) : NULL;
    if (!new)
        return fail(e, ERROR_MEMORY, "out of memory");
    snprintf(new->name, sizeof new->name, "%s", name ? name : "");
    new->width = width;
    new->height = height;
    new->geometry = text_stream_open(&new->geometry_text);
    new->labels = text_stream_open(&new->labels_text);
    if (new->geometry &&new->labels) {
        new->surface = cairo_svg_surface_create_for_stream(take_bytes, new->geometry, width, height);
        new->cairo = cairo_create(new->surface);
        cairo_set_line_join(new->cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(new->cairo, CAIRO_LINE_CAP_ROUND);
        if (cairo_status(new->cairo) == CAIRO_STATUS_SUCCESS)
            return 0;
    }
    drawing_free(new);
    *d = NULL;
    return fail(e, ERROR_MEMORY, "out of memory");
}

int drawing_open_pixels(struct drawing **d, size_t columns, size_t rows, struct error *e)
{
    struct drawing *new = *d = calloc(1, sizeof *new);
    if (!new)
        return fail(e, ERROR_MEMORY, "out of memory");
    new->pixels = true;
    new->width = (double)columns;
    new->height = (double)rows;
    new->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)columns, (int)rows);
    new->cairo = cairo_create(new->surface);
    cairo_set_line_join(new->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(new->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_select_font_face(new->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    if (cairo_status(new->cairo) == CAIRO_STATUS_SUCCESS)
        return 0;
    drawing_free(new);
    *d = NULL;
    return fail(e, ERROR_MEMORY, "out of memory");
}

int drawing_finish_pixels(struct drawing *d, uint32_t **pixels, struct error *e)
{
    const size_t columns = (size_t)d->width, rows = (size_t)d->height;
    cairo_surface_flush(d->surface);
    const unsigned char *bytes = cairo_image_surface_get_data(d->surface);
    const size_t stride = (size_t)cairo_image_surface_get_stride(d->surface);
    *pixels = cairo_status(d->cairo) == CAIRO_STATUS_SUCCESS && bytes ? malloc(columns * rows * sizeof **pixels) : NULL;
    for (size_t row = 0; *pixels && row < rows; row++)
        memcpy(*pixels + row * columns, bytes + row * stride, columns * sizeof **pixels);
    drawing_free(d);
    return *pixels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void drawing_free(struct drawing *d)
{
    if (!d)
        return;
    cairo_destroy(d->cairo);
    cairo_surface_destroy(d->surface); /* writes into the stream, which therefore closes after it */
    free(text_stream_close(&d->geometry_text, NULL));
    free(text_stream_close(&d->labels_text, NULL));
    free(d);
}

static void set_colour(struct drawing *d, int colour, double opacity)
{
    if (d->pixels) {
        const uint32_t rgb = drawing_light(colour);
        cairo_set_source_rgba(d->cairo, (rgb >> 16) / 255.0, (rgb >> 8 & 255u) / 255.0, (rgb & 255u) / 255.0, opacity);
        return;
    }
    cairo_set_source_rgba(d->cairo, (colour + 1) / 255.0, MARK_GREEN / 255.0, MARK_BLUE / 255.0, opacity);
}

void drawing_move(struct drawing *d, double x, double y)
{
    cairo_move_to(d->cairo, quarter(x), quarter(y));
}

void drawing_line(struct drawing *d, double x, double y)
{
    cairo_line_to(d->cairo, quarter(x), quarter(y));
}

void drawing_close_path(struct drawing *d)
{
    cairo_close_path(d->cairo);
}

void drawing_circle(struct drawing *d, double x, double y, double radius)
{
    cairo_new_sub_path(d->cairo);
    cairo_arc(d->cairo, quarter(x), quarter(y), radius, 0.0, 2.0 * M_PI);
    cairo_close_path(d->cairo);
}

void drawing_stroke(struct drawing *d, int colour, double width)
{
    set_colour(d, colour, 1.0);
    cairo_set_line_width(d->cairo, width);
    cairo_stroke(d->cairo);
}

void drawing_stroke_dashed(struct drawing *d, int colour, double width)
{
    cairo_set_dash(d->cairo, (const double[]){4.0, 4.0}, 2, 0.0);
    drawing_stroke(d, colour, width);
    cairo_set_dash(d->cairo, NULL, 0, 0.0);
}

void drawing_fill(struct drawing *d, int colour, double opacity)
{
    set_colour(d, colour, opacity);
    cairo_fill_preserve(d->cairo);
}

void drawing_hatch(struct drawing *d, int colour, double width, double spacing)
{
    double x0, y0, x1, y1;
    cairo_path_t *path = cairo_copy_path(d->cairo);
    cairo_path_extents(d->cairo, &x0, &y0, &x1, &y1);
    cairo_save(d->cairo);
    cairo_clip(d->cairo);
    for (double at = floor((x0 + y0) / spacing) * spacing; at < x1 + y1; at += spacing) { /* x + y */
        cairo_move_to(d->cairo, quarter(at - y0), quarter(y0));
        cairo_line_to(d->cairo, quarter(at - y1), quarter(y1));
    }
    drawing_stroke(d, colour, width);
    cairo_restore(d->cairo);
    cairo_append_path(d->cairo, path);
    cairo_path_destroy(path);
}

void drawing_clip(struct drawing *d, double x, double y, double width, double height)
{
    cairo_save(d->cairo);
    cairo_rectangle(d->cairo, x, y, width, height);
    cairo_clip(d->cairo);
}

void drawing_unclip(struct drawing *d)
{
    cairo_restore(d->cairo);
}

void drawing_image(struct drawing *d, double x, double y, double width, double height, const uint32_t *pixels,
                   size_t columns, size_t rows)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)columns, (int)rows);
    unsigned char *bytes = cairo_image_surface_get_data(image);
    if (bytes) {
        const size_t stride = (size_t)cairo_image_surface_get_stride(image);
        for (size_t row = 0; row < rows; row++)
            memcpy(bytes + row * stride, pixels + row * columns, columns * sizeof *pixels);
        cairo_surface_mark_dirty(image);
    }
    cairo_save(d->cairo);
    cairo_translate(d->cairo, x, y);
    cairo_scale(d->cairo, width / (double)columns, height / (double)rows);
    cairo_set_source_surface(d->cairo, image, 0.0, 0.0);
    cairo_pattern_set_extend(cairo_get_source(d->cairo), CAIRO_EXTEND_PAD);
    cairo_rectangle(d->cairo, 0.0, 0.0, (double)columns, (double)rows);
    cairo_fill(d->cairo);
    cairo_restore(d->cairo);
    cairo_surface_destroy(image);
}

uint32_t drawing_light(int colour)
{
    return (uint32_t)strtoul(light[colour] + 1, NULL, 16);
}

const char *drawing_variable(int colour, char text[32])
{
    static const char *const names[] = {"ink", "faint", "grid", "solid"};
    if (colour < DRAWING_SERIES)
        snprintf(text, 32, "var(--%s)", names[colour]);
    else
        snprintf(text, 32, "var(--series-%d)", colour - DRAWING_SERIES);
    return text;
}

static const char *colour_text(bool alone, int colour, char text[32])
{
    return alone ? light[colour] : drawing_variable(colour, text);
}

/* A label among pixels: on a rim of white, which keeps it legible on any colour. */
static void paint_text(struct drawing *d, double size, const char *anchor, int colour, const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(d->cairo, size);
    cairo_text_extents(d->cairo, text, &extents);
    const double share = *anchor == 'm' ? 0.5 : *anchor == 'e' ? 1.0 : 0.0;
    cairo_rel_move_to(d->cairo, -share * extents.x_advance, 0.0);
    cairo_text_path(d->cairo, text);
    cairo_set_source_rgba(d->cairo, 1.0, 1.0, 1.0, 0.85);
    cairo_set_line_width(d->cairo, 0.25 * size);
    cairo_stroke_preserve(d->cairo);
    set_colour(d, colour, 1.0);
    cairo_fill(d->cairo);
}

static void write_text(struct drawing *d, double size, const char *anchor, int colour, const char *text)
{
    char variable[32];
    fprintf(d->labels, "font-size=\"%g\" text-anchor=\"%s\" style=\"fill:%s\">", size, anchor,
            colour_text(!*d->name, colour, variable));
    xml_text(d->labels, text);
    fputs("</text>\n", d->labels);
}

void drawing_text(struct drawing *d, double x, double y, double size, const char *anchor, int colour, const char *text)
{
    if (d->pixels) {
        cairo_new_path(d->cairo);
        cairo_move_to(d->cairo, x, y);
        paint_text(d, size, anchor, colour, text);
        return;
    }
    fprintf(d->labels, "<text x=\"%g\" y=\"%g\" ", quarter(x), quarter(y));
    write_text(d, size, anchor, colour, text);
}

void drawing_text_up(struct drawing *d, double x, double y, double size, const char *anchor, int colour,
                     const char *text)
{
    if (d->pixels) {
        cairo_save(d->cairo);
        cairo_new_path(d->cairo);
        cairo_translate(d->cairo, x, y);
        cairo_rotate(d->cairo, -0.5 * M_PI);
        cairo_move_to(d->cairo, 0.0, 0.0);
        paint_text(d, size, anchor, colour, text);
        cairo_restore(d->cairo);
        return;
    }
    fprintf(d->labels, "<text transform=\"translate(%g %g) rotate(-90)\" ", quarter(x), quarter(y));
    write_text(d, size, anchor, colour, text);
}

/* Colour of the mark "rgb(1.2%,20%,40%)" at `text`, and its length; -1: no mark. */
static int read_mark(const char *text, size_t *length)
{
    static const char head[] = "rgb(";
    double share[3];
    const char *at = text + strlen(head);
    if (strncmp(text, head, strlen(head)) != 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        char *end;
        share[i] = strtod(at, &end) * 255.0 / 100.0;
        if (end == at || *end != '%')
            return -1;
        at = end + 1 + strspn(end + 1, ", ");
    }
    const int colour = (int)lrint(share[0]) - 1;
    if (*at != ')' || lrint(share[1]) != lrint(MARK_GREEN) || lrint(share[2]) != lrint(MARK_BLUE) || colour < 0 ||
        colour >= DRAWING_COLOURS)
        return -1;
    *length = (size_t)(at + 1 - text);
    return colour;
}

void drawing_adapt(FILE *stream, const char *svg, const char *name)
{
    static const char *const references[] = {" id=\"", "href=\"#", "url(#"};
    const char *at = strstr(svg, "<svg"), *end = NULL;
    at = at ? strchr(at, '>') : NULL;
    for (const char *next = at; next && (next = strstr(next, "</svg>")); next++)
        end = next;
    if (!at || !end)
        return;
    for (at++; at < end;) {
        size_t length = 0;
        const int colour = *at == 'r' ? read_mark(at, &length) : -1;
        char variable[32];
        if (colour >= 0) {
            fputs(colour_text(!*name, colour, variable), stream);
            at += length;
            continue;
        }
        for (size_t i = 0; !length && i < sizeof references / sizeof *references; i++)
            if (!strncmp(at, references[i], strlen(references[i])))
                length = strlen(references[i]);
        if (length)
            fprintf(stream, "%.*s%s-", (int)length, at, *name ? name : "drawing");
        else
            fputc(*at, stream);
        at += length ? length : 1;
    }
}

static void write_head(const struct drawing *d, const char *label, FILE *stream)
{
    fprintf(stream, "<svg viewBox=\"0 0 %g %g\" role=\"img\" ", d->width, d->height);
    if (!*d->name)
        fprintf(stream,
                "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%g\" "
                "height=\"%g\" font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, "
                "sans-serif\" ",
                d->width, d->height);
    fputs("aria-label=\"", stream);
    xml_text(stream, label);
    fputs("\">", stream);
    if (!*d->name)
        fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", stream);
}

int drawing_finish(struct drawing *d, const char *label, FILE *stream, struct error *e)
{
    cairo_surface_finish(d->surface);
    bool bad =
        cairo_status(d->cairo) != CAIRO_STATUS_SUCCESS || cairo_surface_status(d->surface) != CAIRO_STATUS_SUCCESS;
    char *geometry = text_stream_close(&d->geometry_text, NULL), *labels = text_stream_close(&d->labels_text, NULL);
    bad |= !geometry || !labels;
    if (!bad) {
        write_head(d, label, stream);
        drawing_adapt(stream, geometry, d->name);
        fputs(labels, stream);
        fputs("</svg>\n", stream);
    }
    free(geometry);
    free(labels);
    drawing_free(d);
    return bad ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}
