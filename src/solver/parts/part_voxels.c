/* SPDX-License-Identifier: MIT */
#include "solver/parts/part_voxels.h"

#include <stdlib.h>
#include <string.h>

static int put_face(struct row_copy *c, struct face_run face, struct error *e)
{
    if (c->count == c->room) {
        const size_t room = 2 * c->room + 64;
        struct face_run *longer = realloc(c->faces, room * sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        c->faces = longer;
        c->room = room;
    }
    c->faces[c->count++] = face;
    return 0;
}

/* Adds a rigid wall without area next to the air of a row. */
static int close_side(struct row_copy *c, const struct voxel_row *row, unsigned side, struct error *e)
{
    for (size_t i = 0; i < row->air_count; i++)
        for (uint32_t x = row->air[i].start, length; x < row->air[i].end; x += length) {
            const uint32_t left = row->air[i].end - x;
            length = left < FACE_RUN_MAX ? left : FACE_RUN_MAX;
            const struct face_run face = {.start = x & VOXEL_ROW_MAX,
                                          .length = length & FACE_RUN_MAX,
                                          .side = side & 7u,
                                          .code = CELL_SOLID,
                                          .area = 0};
            if (put_face(c, face, e))
                return -1;
        }
    return 0;
}

int part_voxels_append(struct voxel_set_builder *b, struct row_copy *c, const struct voxel_row *row, const bool cut[2],
                       struct error *e)
{
    c->count = 0;
    for (unsigned side = 0; side < FACES; side++) {
        const bool closed = side >= FACE_Z_MIN && cut[side - FACE_Z_MIN];
        if (closed && close_side(c, row, side, e))
            return -1;
        for (size_t i = 0; !closed && i < row->face_count[side]; i++)
            if (put_face(c, row->faces[side][i], e))
                return -1;
    }
    return voxel_set_append(b, row->air, row->air_count, c->faces, c->count, e);
}

int part_voxels_copy(struct voxel_set **out, const struct voxel_set *whole, size_t z0, size_t z1, struct error *e)
{
    const size_t count[3] = {voxel_set_count(whole, 0), voxel_set_count(whole, 1), z1 - z0};
    struct voxel_set_builder *b;
    struct row_copy copy = {.count = 0};
    int status = voxel_set_open(&b, count, e);
    if (status)
        return status;
    for (size_t z = z0; z < z1; z++)
        for (size_t y = 0; y < count[1] && !status; y++) {
            const bool cut[2] = {z == z0 && z0 > 0, z + 1 == z1 && z1 < voxel_set_count(whole, 2)};
            const struct voxel_row row = voxel_set_row(whole, y, z);
            status = part_voxels_append(b, &copy, &row, cut, e);
        }
    free(copy.faces);
    if (status)
        voxel_set_abandon(b);
    else
        *out = voxel_set_close(b);
    return status;
}

void part_voxels_pack_row(const struct voxel_row *row, struct packet *w)
{
    packet_put_size(w, row->air_count);
    packet_put(w, row->face_count, sizeof row->face_count);
    packet_put(w, row->air, row->air_count * sizeof *row->air);
    for (int side = 0; side < FACES; side++)
        packet_put(w, row->faces[side], row->face_count[side] * sizeof *row->faces[side]);
}

int part_voxels_unpack_row(struct voxel_row *row, struct packet *w, struct error *e)
{
    *row = (struct voxel_row){.air_count = packet_get_size(w)};
    packet_get(w, row->face_count, sizeof row->face_count);
    row->air = packet_take(w, row->air_count * sizeof *row->air);
    for (int side = 0; side < FACES; side++)
        row->faces[side] = packet_take(w, row->face_count[side] * sizeof *row->faces[side]);
    return w->failed ? fail(e, ERROR_ENGINE, "a part received an incomplete description of its grid") : 0;
}

void part_voxels_pack(const struct voxel_set *v, struct packet *w)
{
    for (int axis = 0; axis < 3; axis++)
        packet_put_size(w, voxel_set_count(v, axis));
    for (size_t z = 0; z < voxel_set_count(v, 2); z++)
        for (size_t y = 0; y < voxel_set_count(v, 1); y++) {
            const struct voxel_row row = voxel_set_row(v, y, z);
            part_voxels_pack_row(&row, w);
        }
}

int part_voxels_unpack(struct voxel_set **out, struct packet *w, struct error *e)
{
    const bool whole[2] = {false, false};
    struct row_copy copy = {.count = 0};
    struct voxel_set_builder *b;
    size_t count[3];
    for (int axis = 0; axis < 3; axis++)
        count[axis] = packet_get_size(w);
    if (voxel_set_open(&b, count, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < count[1] * count[2] && !status; i++) {
        struct voxel_row row;
        status = part_voxels_unpack_row(&row, w, e) || part_voxels_append(b, &copy, &row, whole, e) ? -1 : 0;
    }
    free(copy.faces);
    if (status)
        voxel_set_abandon(b);
    else
        *out = voxel_set_close(b);
    return status;
}
