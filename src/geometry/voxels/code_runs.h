/* SPDX-License-Identifier: MIT */
/* Rows of codes of cells as runs, and the faces between them: how a voxel set is made where every voxel has one
 * code. */
#ifndef AULA_GEOMETRY_VOXELS_CODE_RUNS_H
#define AULA_GEOMETRY_VOXELS_CODE_RUNS_H

#include "geometry/voxels/voxel_set.h"

/* Voxels of one code (enum cell) from the end of the run before, or from 0, to x < end. */
struct code_run {
    uint32_t end;
    uint8_t code;
};

/* A whole row; neighbouring runs differ in their codes, and the last ends the row. */
struct code_row {
    const struct code_run *runs;
    size_t count;
};

/* Runs and faces of one row while it is made. */
struct code_faces {
    struct air_run *air;
    struct face_run *faces;
    size_t air_capacity, face_capacity;
};

/* Appends a row to a set. beside[side]: the rows at FACE_Y_MIN .. FACE_Z_MAX; of FACE_X_MIN and FACE_X_MAX the code of
 * their first run alone counts: what is beyond the ends of the row. All areas are whole. `f` starts as {0}. */
int code_runs_append(struct voxel_set_builder *b, struct code_faces *f, const struct code_row *row,
                     const struct code_row beside[FACES], struct error *e);
void code_faces_free(struct code_faces *f);

/* The runs of a row of bytes; `runs` has room for n. Their count. */
size_t code_runs_of_bytes(struct code_run *runs, const uint8_t *cells, size_t n);

#endif
