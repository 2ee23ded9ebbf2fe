/* SPDX-License-Identifier: MIT */
/* PLY, after Turk, "The PLY Polygon File Format" (1994). */
#include "present/views/model_formats.h"

static void write_header(FILE *stream, const struct viewed_room *room, const struct rectangles *faces)
{
    fputs("ply\nformat binary_little_endian 1.0\ncomment made by aula " AULA_VERSION "; metres, z up\n", stream);
    for (size_t i = 0; i <= room->material_count; i++) {
        fprintf(stream, "comment material %zu ", i);
        for (const char *c = view_material_name(room, i); *c; c++)
            putc((unsigned char)*c < ' ' ? ' ' : *c, stream);
        putc('\n', stream);
    }
    fprintf(stream,
            "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
            "property uchar green\nproperty uchar blue\nelement face %zu\n"
            "property list uchar uint vertex_indices\nproperty ushort material\nend_header\n",
            RECTANGLE_CORNERS * faces->count, faces->count);
}

int ply_write(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e)
{
    if (faces->count > UINT32_MAX / RECTANGLE_CORNERS)
        return fail(e, ERROR_INPUT,
                    "the room has %zu rectangles of faces, more than a PLY file can number: take a coarser grid",
                    faces->count);
    write_header(stream, room, faces);
    for (size_t i = 0; i < faces->count; i++) {
        const uint32_t colour = view_colour(view_material(room, faces->list[i].code));
        for (int corner = 0; corner < RECTANGLE_CORNERS; corner++) {
            float place[3];
            model_corner(place, room, &faces->list[i], corner);
            for (int k = 0; k < 3; k++)
                model_put_float(stream, place[k]);
            for (int shift = 16; shift >= 0; shift -= 8)
                model_put(stream, colour >> shift & 255u, 1);
        }
    }
    for (size_t i = 0; i < faces->count; i++) {
        model_put(stream, RECTANGLE_CORNERS, 1);
        for (uint32_t corner = 0; corner < RECTANGLE_CORNERS; corner++)
            model_put(stream, (uint32_t)(RECTANGLE_CORNERS * i) + corner, 4);
        model_put(stream, (uint32_t)view_material(room, faces->list[i].code), 2);
    }
    return 0;
}
