/* SPDX-License-Identifier: MIT */
/* A room on its grid, for every scheme: the set of its voxels of air, whose faces to solid voxels
 * carry material and area. Voxels are numbered x first, then y, then z; a row is y + count[1] z.
 * The set is built once, row by row in order, and is constant from then on, so threads may read it
 * concurrently. */
#ifndef AULA_GEOMETRY_VOXELS_VOXEL_SET_H
#define AULA_GEOMETRY_VOXELS_VOXEL_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

enum { VOXEL_ROW_MAX = (1 << 24) - 1, FACE_RUN_MAX = (1 << 11) - 1, FACE_AREA_UNITS = 32, FACE_AREA_MAX = 63 };
enum { FACE_CORNERS = 4, FACE_BEFORE_BITS = 3, FACE_BEFORE_MAX = (1 << FACE_CORNERS * FACE_BEFORE_BITS) - 1 };

/* Voxels of air, start <= x < end <= VOXEL_ROW_MAX. Two runs of a row never touch. */
struct air_run {
    uint32_t start, end;
};

/* The same side of `length` voxels of air from x = start on, all in one run, with no air beyond. */
struct face_run {
    uint64_t start : 24;
    uint64_t length : 11;
    uint64_t side : 3; /* enum face, seen from the voxel of air */
    uint64_t code : 8; /* enum cell: CELL_FIXED, or CELL_SOLID + material */
    uint64_t area : 6; /* of the true surface behind it, in 1/FACE_AREA_UNITS of a voxel's face; 0..FACE_AREA_MAX */
    /* For each corner of the face, FACE_BEFORE_BITS: how many of its eight voxels are before the surface, if that is
     * slanted (geometry/voxels_before.h); 0: its corners are alike. Corner i is at the upper end along the axis after
     * that of the face if i & 1, and along the next one if i & 2. */
    uint64_t before : 12;
};

/* A row: its runs of air by ascending x, and its faces by side, those of a side by ascending x.
 * Contains every face between air and solid exactly once. */
struct voxel_row {
    const struct air_run *air;
    const struct face_run *faces[FACES]; /* of each side */
    size_t air_count, face_count[FACES];
};

struct voxel_set; /* opaque */

size_t voxel_set_count(const struct voxel_set *v, int axis);       /* voxels along an axis */
uint64_t voxel_set_air(const struct voxel_set *v);                 /* voxels of air */
uint64_t voxel_set_plane_air(const struct voxel_set *v, size_t z); /* of a plane; beyond the set none */
uint64_t voxel_set_bytes(const struct voxel_set *v);               /* memory it takes */

/* faces [CELL_CODES]: adds those of plane z by their code; beyond the set none. */
void voxel_set_plane_faces(uint64_t *faces, const struct voxel_set *v, size_t z);

/* The row at y, z; one beyond the set has no air. */
struct voxel_row voxel_set_row(const struct voxel_set *v, size_t y, size_t z);

/* Whether a voxel is air; outside the set: false. */
bool voxel_set_is_air(const struct voxel_set *v, size_t x, size_t y, size_t z);

/* The face of a voxel of air at one of its sides; NULL if its neighbour is air, or if it is not air
 * itself. */
const struct face_run *voxel_set_face(const struct voxel_set *v, size_t x, size_t y, size_t z, int side);

/* A checksum of the rows, by which a changed set is recognized. `first`: the first plane within a
 * larger set; the checksums of stacked sets add up to that of the whole. */
uint64_t voxel_set_checksum(const struct voxel_set *v, size_t first);

/* Builds a set row by row. Rows must come in order, up to count[1] count[2] of them; the rest
 * contains no air. Runs of air ascend in x; faces come in any order of sides, those of a side
 * ascending in x. Touching runs are joined, and identical rows are stored once. ERROR_MEMORY, also
 * for counts beyond VOXEL_ROW_MAX or 2^32 rows. */
struct voxel_set_builder;
int voxel_set_open(struct voxel_set_builder **b, const size_t count[3], struct error *e);
int voxel_set_append(struct voxel_set_builder *b, const struct air_run *air, size_t air_count,
                     const struct face_run *faces, size_t face_count, struct error *e);
struct voxel_set *voxel_set_close(struct voxel_set_builder *b); /* the finished set; the builder is freed */
void voxel_set_abandon(struct voxel_set_builder *b);            /* NULL-safe */
void voxel_set_free(struct voxel_set *v);                       /* NULL-safe */

/* Builds a set from a byte per voxel, enum cell [z][y][x], and the codes beyond the six faces of
 * the box, which must not be CELL_AIR (ERROR_ENGINE). All areas are whole. */
int voxel_set_of_cells(struct voxel_set **v, const size_t count[3], const uint8_t *cells, const uint8_t outside[FACES],
                       struct error *e);

/* A box of air between walls of these codes. */
int voxel_set_of_box(struct voxel_set **v, const size_t count[3], const uint8_t outside[FACES], struct error *e);

/* Writes cells[z][y][x]: CELL_AIR or CELL_SOLID. */
void voxel_set_write_cells(const struct voxel_set *v, uint8_t *cells);

#endif
