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

#endif
