/* SPDX-License-Identifier: MIT */
#include "present/report/room_3d.h"

#include <math.h>
#include <stdlib.h>

#include "io/base64.h"
#include "io/drawing/drawing.h"
#include "io/drawing/png_colours.h"
#include "io/json_build.h"
#include "io/text_stream.h"
#include "io/xml.h"
#include "present/report/room_script.h"
#include "present/views/packed_room.h"
#include "present/views/picture.h"

/* Size of the picture in SVG units; it has twice as many pixels along each side, for smooth edges. */
enum { WIDTH = 960, HEIGHT = 600, FINER = 2 };

enum { EDGES_AT_FIRST = 1000 }; /* more edges would hide the room and are off until their box is ticked */

static void write_marks(FILE *stream, const struct viewed_room *room, const struct picture *p)
{
    for (size_t i = 0; i < room->mark_count; i++) {
        const double x = p->marks[i][0] / FINER, y = p->marks[i][1] / FINER;
        if (room->marks[i].receiver)
            fprintf(stream, "<circle class=\"receiver\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>", x, y);
        else
            fprintf(stream, "<path class=\"source\" d=\"M%.1f %.1fl16 0l-8 -14z\"/>", x - 8.0, y + 6.0);
    }
    for (size_t i = 0; i < room->mark_count; i++) {
        fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\">", p->marks[i][0] / FINER + 12.0, p->marks[i][1] / FINER + 6.0);
        xml_text(stream, room->marks[i].name);
        fputs("</text>", stream);
    }
}

static int write_pixels(FILE *stream, const struct picture *p, struct error *e)
{
    struct text_stream file;
    size_t length = 0;
    FILE *png = text_stream_open(&file);
    int status = png ? png_indexed(png, p->pixels, p->columns, p->rows, p->palette, p->colours, true, e)
                     : fail(e, ERROR_MEMORY, "out of memory");
    char *bytes = text_stream_close(&file, &length);
    if (!status && !bytes)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        base64_write(stream, (const uint8_t *)bytes, length);
    free(bytes);
    return status;
}

/* The static picture that browsers without JavaScript show. */
static int write_picture(FILE *stream, const struct packed_room *s, struct error *e)
{
    struct picture p;
    if (picture_make(&p, &s->room, &s->faces, &viewpoint_first, WIDTH * FINER, HEIGHT * FINER, e))
        return -1;
    fprintf(stream,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"The room from outside; walls facing the viewer are "
            "hidden\"><image width=\"%d\" height=\"%d\" href=\"data:image/png;base64,",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    const int status = write_pixels(stream, &p, e);
    fputs("\"/>", stream);
    write_marks(stream, &s->room, &p);
    fputs("</svg>\n", stream);
    picture_free(&p);
    return status;
}

/* JSON list of sources and receivers: name, is receiver, position and height of the surface below it, in voxels. */
static int write_places(FILE *stream, const struct viewed_room *room, struct error *e)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < room->mark_count; i++) {
        const struct view_mark *mark = &room->marks[i];
        cJSON *item = cJSON_CreateArray();
        cJSON_AddItemToArray(item, cJSON_CreateString(mark->name));
        cJSON_AddItemToArray(item, cJSON_CreateNumber(mark->receiver));
        const double at[4] = {mark->position[0], mark->position[1], mark->position[2],
                              packed_room_floor(room, mark->position)};
        for (int k = 0; k < 4; k++)
            cJSON_AddItemToArray(item, cJSON_CreateNumber((at[k] - room->origin[k < 3 ? k : 2]) / room->spacing));
        cJSON_AddItemToArray(list, item);
    }
    char *text = json_text(list);
    if (text)
        xml_text(stream, text);
    free(text);
    return text ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Both ends of each edge, mm from the corner of the voxels, and the size of a displayed voxel, mm. */
static void write_edges(FILE *stream, const struct viewed_room *room, const struct ray_edges *edges)
{
    fprintf(stream, "\" data-voxel=\"%.9g\" data-edges=\"[", 1000.0 * room->spacing);
    for (size_t i = 0; i < edges->count; i++) {
        const struct ray_edge *edge = &edges->list[i];
        for (int k = 0; k < 6; k++) {
            const double at = edge->from[k % 3] + (k < 3 ? 0.0 : edge->length * edge->along[k % 3]);
            fprintf(stream, "%s%ld", k ? "," : i ? ",[" : "[", lround(1000.0 * (at - room->origin[k % 3])));
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

static int write_canvas(FILE *stream, const struct packed_room *s, const struct ray_edges *edges, struct error *e)
{
    fputs("<canvas class=\"faces\" tabindex=\"0\" role=\"application\" aria-label=\"3D view of the room: arrow keys "
          "rotate, plus and minus zoom, 0 resets the view\" data-faces=\"",
          stream);
    base64_write(stream, s->bytes, s->byte_count);
    fputs("\" data-light=\"[", stream);
    for (int side = 0; side < FACES; side++)
        fprintf(stream, "%s%g", side ? "," : "", side_light(side));
    fprintf(stream, "]\" data-from=\"[%g,%g]\" data-marks=\"", viewpoint_first.turn, viewpoint_first.rise);
    const int status = write_places(stream, &s->room, e);
    if (edges->count)
        write_edges(stream, &s->room, edges);
    fputs("\"></canvas><canvas class=\"names\" aria-hidden=\"true\"></canvas>\n", stream);
    return status;
}

/* Legend of materials in the order of their indices; entries without a face are hidden, because the script counts on
 * their order. Free edges follow; only the script draws them. */
static void write_keys(FILE *stream, const struct packed_room *s, const struct ray_edges *edges)
{
    bool used[CELL_CODES] = {false};
    for (size_t i = 0; i < s->faces.count; i++)
        used[view_material(&s->room, s->faces.list[i].code)] = true;
    fputs("<div class=\"keys\">", stream);
    for (size_t i = 0; i <= s->room.material_count; i++) {
        char colour[32];
        if (i < DRAWING_SERIES_COUNT)
            drawing_variable(DRAWING_SERIES + (int)i, colour);
        else
            snprintf(colour, sizeof colour, "#%06x", view_colour(i));
        fprintf(stream, "<span style=\"--key:%s\"%s>", colour, used[i] ? "" : " hidden");
        xml_text(stream, view_material_name(&s->room, i));
        fputs("</span>", stream);
    }
    if (edges->count)
        fprintf(stream,
                "<label class=\"edges live-only\"><input type=\"checkbox\"%s><span style=\"--key:var(--edges)\">free "
                "edges</span></label>",
                edges->count <= EDGES_AT_FIRST ? " checked" : "");
    fputs("</div>", stream);
}

static int write_figure(FILE *stream, const struct packed_room *s, const struct ray_edges *edges, struct error *e)
{
    fputs("<figure class=\"solid\"><figcaption><b>Room in 3D</b> walls facing the viewer are hidden", stream);
    if (s->factor > 1)
        fprintf(stream, "; simplified: each block stands for %zu × %zu × %zu voxels", s->factor, s->factor, s->factor);
    fputs("<span class=\"live-only\">. Drag to rotate, shift-drag to pan; pinch, or click and scroll, to "
          "zoom</span></figcaption>\n<div class=\"scene\">\n",
          stream);
    if (write_picture(stream, s, e) || write_canvas(stream, s, edges, e))
        return -1;
    fputs("</div>\n", stream);
    write_keys(stream, s, edges);
    fputs("</figure>\n", stream);
    return 0;
}

int room_3d(FILE *stream, const struct viewed_room *room, const struct ray_edges *edges, struct error *e)
{
    struct packed_room s;
    if (packed_room_make(&s, room, PACKED_RECTANGLES, e))
        return -1;
    const int status = write_figure(stream, &s, edges, e);
    packed_room_free(&s);
    return status;
}

void room_3d_script(FILE *stream)
{
    fputs("<script>", stream);
    fwrite(room_script, 1, room_script_length, stream);
    fputs("</script>\n", stream);
}

void room_3d_policy(FILE *stream)
{
    fputs("'sha256-", stream);
    base64_write(stream, room_script_digest, sizeof room_script_digest);
    fputc('\'', stream);
}
