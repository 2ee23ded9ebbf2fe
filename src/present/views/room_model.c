/* SPDX-License-Identifier: MIT */
#include "present/views/room_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/output_file.h"
#include "io/drawing/drawing.h"
#include "present/views/model_formats.h"

static const struct format {
    const char *suffix;
    int (*write)(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e);
} formats[] = {{".ply", ply_write}, {".glb", glb_write}};

static const struct format *format_of(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof formats / sizeof *formats; i++)
        if (!strcasecmp(suffix, formats[i].suffix))
            return &formats[i];
    return NULL;
}

int room_model_check_name(const char *path, struct error *e)
{
    if (format_of(path))
        return 0;
    return fail(e, ERROR_USAGE, "--model %s: unknown model format; use a name that ends in .ply or .glb", path);
}

void model_corner(float place[3], const struct viewed_room *room, const struct rectangle *face, int corner)
{
    uint32_t at[3];
    rectangle_corner(face, corner, at);
    for (int i = 0; i < 3; i++)
        place[i] = (float)(room->origin[i] + room->spacing * at[i]);
}

void model_put(FILE *stream, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc_unlocked((int)(value >> 8 * i & 255u), stream);
}

void model_put_float(FILE *stream, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    model_put(stream, bits, 4);
}

static int by_code(const void *a, const void *b)
{
    const struct rectangle *p = a, *q = b;
    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    if (p->side != q->side)
        return p->side < q->side ? -1 : 1;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    if (p->from[1] != q->from[1])
        return p->from[1] < q->from[1] ? -1 : 1;
    return (p->from[0] > q->from[0]) - (p->from[0] < q->from[0]);
}

static int write_file(struct output_file *file, const struct format *format, const struct viewed_room *room,
                      const struct rectangles *faces, struct error *e)
{
    FILE *stream = output_file_stream(file, e);
    if (!stream)
        return -1;
    int status = format->write(stream, room, faces, e);
    const bool bad = ferror(stream) != 0;
    if ((fclose(stream) || bad) && !status)
        status = fail(e, ERROR_OUTPUT, "%s: cannot write; check the free disk space", file->path);
    return status;
}

static int write_sorted(const char *path, const struct format *format, const struct viewed_room *room,
                        const struct rectangles *faces, struct error *e)
{
    struct output_file file;
    if (output_file_open(&file, path, e))
        return -1;
    if (!write_file(&file, format, room, faces, e))
        return output_file_commit(&file, e);
    output_file_discard(&file);
    return -1;
}

int room_model_write(const char *path, const struct viewed_room *room, struct error *e)
{
    const struct format *format = format_of(path);
    struct rectangles faces = {0};
    if (!format)
        return room_model_check_name(path, e);
    if (rectangles_find(&faces, room->set, e))
        return -1;
    if (faces.count)
        qsort(faces.list, faces.count, sizeof *faces.list, by_code);
    const int status = faces.count ? write_sorted(path, format, room, &faces, e)
                                   : fail(e, ERROR_INPUT, "%s: the room has no faces; nothing was written", path);
    rectangles_free(&faces);
    return status;
}

size_t view_material(const struct viewed_room *r, unsigned code)
{
    const size_t material = code - CELL_SOLID;
    return code >= CELL_SOLID && material < r->material_count ? material : r->material_count;
}

const char *view_material_name(const struct viewed_room *r, size_t material)
{
    return material < r->material_count ? r->materials[material] : "fixed";
}

uint32_t view_colour(size_t material)
{
    static const struct {
        unsigned towards; /* level of each channel */
        double share;
    } shades[] = {{0, 0.0}, {255, 0.45}, {0, 0.4}, {255, 0.7}};
    enum { SHADES = sizeof shades / sizeof *shades };
    const uint32_t base = drawing_light(DRAWING_SERIES + (int)(material % DRAWING_SERIES_COUNT));
    const size_t shade = material / DRAWING_SERIES_COUNT % SHADES;
    uint32_t colour = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double level = base >> shift & 255u;
        colour |= (uint32_t)lrint(level + shades[shade].share * (shades[shade].towards - level)) << shift;
    }
    return colour;
}
