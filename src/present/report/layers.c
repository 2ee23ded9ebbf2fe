/* SPDX-License-Identifier: MIT */
#include "present/report/layers.h"

#include <math.h>

#include "io/drawing/drawing.h"
#include "io/xml.h"
#include "present/materials/layers_text.h"
#include "present/report/tables.h"

static const double WIDTH = 480.0, LEFT = 24.0, RIGHT = 324.0; /* of the drawing and its layers, units */
static const double TOP = 28.0, BOTTOM = 118.0, ROW = 17.0;    /* of the layers, and of a name below them */
static const double THIN = 3.0, WALL = 14.0;                   /* least width of a layer; of the rigid wall */
enum { OPENINGS = 6 };

static void rectangle(struct drawing *d, double x0, double y0, double x1, double y1)
{
    drawing_move(d, x0, y0);
    drawing_line(d, x1, y0);
    drawing_line(d, x1, y1);
    drawing_line(d, x0, y1);
    drawing_close_path(d);
}

/* Boards between openings, whose share of the height is that of the open area, as far as it can be seen. */
static void draw_plate(struct drawing *d, const struct layer *l, double x0, double x1)
{
    const double pitch = (BOTTOM - TOP) / OPENINGS, gap = pitch * fmax(layer_open_area(l), 0.12);
    for (int i = 0; i < OPENINGS; i++) {
        rectangle(d, x0, TOP + i * pitch + 0.5 * gap, x1, TOP + (i + 1) * pitch - 0.5 * gap);
        drawing_fill(d, DRAWING_SERIES + 7, 0.7);
        drawing_stroke(d, DRAWING_INK, 0.75);
    }
}

static void draw_layer(struct drawing *d, const struct layer *l, double x0, double x1)
{
    const double middle = 0.5 * (x0 + x1);
    switch (l->kind) {
    case LAYER_PERFORATED:
    case LAYER_SLOTTED:
        draw_plate(d, l, x0, x1);
        return;
    case LAYER_CLOTH:
        drawing_move(d, middle, TOP);
        drawing_line(d, middle, BOTTOM);
        drawing_stroke_dashed(d, DRAWING_INK, 2.0);
        return;
    case LAYER_MEMBRANE:
        drawing_move(d, middle, TOP);
        drawing_line(d, middle, BOTTOM);
        drawing_stroke(d, DRAWING_INK, THIN);
        return;
    case LAYER_POROUS:
        rectangle(d, x0, TOP, x1, BOTTOM);
        drawing_fill(d, DRAWING_SERIES + 4, 0.25);
        drawing_hatch(d, DRAWING_SERIES + 4, 0.75, 6.0);
        break;
    case LAYER_TABLE:
        rectangle(d, x0, TOP, x1, BOTTOM);
        drawing_fill(d, DRAWING_SERIES, 0.25);
        break;
    case LAYER_AIR:
    case LAYER_KINDS:
        rectangle(d, x0, TOP, x1, BOTTOM);
        break;
    }
    drawing_stroke(d, DRAWING_FAINT, 0.75);
}

/* Edges of the layers. To scale, but each is THIN wider, so that a cloth can be seen; a wall without any thickness, such
 * as a table alone, fills the width. */
static void place_layers(double edge[LAYERS_MAX + 1], const struct layered_wall *w)
{
    double thick = 0.0, left = RIGHT - LEFT, total = 0.0;
    for (size_t i = 0; i < w->count; i++)
        thick += w->layers[i].thickness;
    left -= THIN * (double)w->count;
    edge[0] = LEFT;
    for (size_t i = 0; i < w->count; i++) {
        total += thick > 0.0 ? w->layers[i].thickness / thick : 1.0 / (double)w->count;
        edge[i + 1] = LEFT + THIN * (double)(i + 1) + left * total;
    }
}

/* A name for each layer on a row of its own, the first layer's on the lowest, so that no leader crosses a name. */
static void draw_names(struct drawing *d, const struct layered_wall *w, const double edge[LAYERS_MAX + 1])
{
    char name[LAYER_TEXT];
    for (size_t i = 0; i < w->count; i++) {
        const double x = 0.5 * (edge[i] + edge[i + 1]), y = BOTTOM + ROW * (double)(w->count - i);
        drawing_move(d, x, BOTTOM + 2.0);
        drawing_line(d, x, y - 4.0);
        drawing_line(d, x + 6.0, y - 4.0);
        drawing_stroke(d, DRAWING_FAINT, 0.75);
        drawing_text(d, x + 9.0, y, 12.0, "start", DRAWING_INK, layer_name_text(name, &w->layers[i]));
    }
}

static int draw_section(FILE *stream, const struct material *material, const char *name, struct error *e)
{
    const struct layered_wall *w = &material->layered;
    char label[SECTION_TEXT];
    double edge[LAYERS_MAX + 1];
    struct drawing *d;
    if (drawing_open(&d, name, WIDTH, BOTTOM + ROW * (double)w->count + 8.0, e))
        return -1;
    place_layers(edge, w);
    for (size_t i = 0; i < w->count; i++)
        draw_layer(d, &w->layers[i], edge[i], edge[i + 1]);
    rectangle(d, RIGHT, TOP, RIGHT + WALL, BOTTOM);
    drawing_fill(d, DRAWING_SOLID, 1.0);
    drawing_hatch(d, DRAWING_FAINT, 0.75, 5.0);
    drawing_stroke(d, DRAWING_INK, 0.75);
    draw_names(d, w, edge);
    drawing_text(d, LEFT, TOP - 10.0, 12.0, "start", DRAWING_FAINT, "room");
    drawing_text(d, RIGHT + WALL, TOP - 10.0, 12.0, "end", DRAWING_FAINT, "rigid wall");
    return drawing_finish(d, layers_section_text(label, material), stream, e);
}

static void write_table(FILE *stream, const struct material *material)
{
    char values[LAYER_TEXT];
    fputs("<div class=\"wide\"><table><thead><tr><th>layer</th><th class=\"words\">kind</th><th>thickness<br><i>mm</i>"
          "</th><th class=\"words\">values</th></tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < material->layered.count; i++) {
        const struct layer *l = &material->layered.layers[i];
        fprintf(stream, "<tr><th scope=\"row\">%zu</th><td class=\"words\">%s</td><td>", i + 1,
                layer_kind_names[l->kind]);
        write_number(stream, l->thickness < 0.01 ? 2 : 1, l->thickness > 0.0 ? 1000.0 * l->thickness : NAN);
        fprintf(stream, "</td><td class=\"words\">%s</td></tr>\n", layer_values_text(values, l));
    }
    fprintf(stream,
            "<tr><th></th><td class=\"words\">rigid wall; depth</td><td>%.1f</td><td class=\"words\">%s</td></tr>\n",
            1000.0 * layers_depth(&material->layered),
            material->partitioned ? "gaps are divided" : "simulated as locally reacting");
    fputs("</tbody></table></div>\n", stream);
}

int layers_write(FILE *stream, const struct subject *s, size_t file, struct error *e)
{
    const struct room *room = s->room;
    bool any = false;
    for (size_t i = 0; room && i < room->material_count; i++) {
        const struct material *material = &room->materials[i];
        char name[32];
        if (!material->layered.count)
            continue;
        if (!any)
            fputs("<h4>Layers of walls</h4>\n", stream);
        any = true;
        snprintf(name, sizeof name, "l%zu-%zu", file + 1, i + 1);
        fputs("<div class=\"pair\">\n<figure><figcaption><b>", stream);
        xml_text(stream, material->name);
        fputs("</b> thickness to scale</figcaption>\n", stream);
        if (draw_section(stream, material, name, e))
            return -1;
        fputs("</figure>\n", stream);
        write_table(stream, material);
        fputs("</div>\n", stream);
    }
    return 0;
}
