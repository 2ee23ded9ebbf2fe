/* SPDX-License-Identifier: MIT */
/* Builds a voxel set from one code per voxel: rows of codes as runs, and the faces between them. */
#ifndef AULA_GEOMETRY_VOXELS_CODE_RUNS_H
#define AULA_GEOMETRY_VOXELS_CODE_RUNS_H

#include "geometry/voxels/voxel_set.h"

/* Voxels of one code (enum cell), from the end of the previous run, or from 0, to x < end. */
struct code_run {
    uint32_t end;
    uint8_t code;
};

/* A whole row; neighbouring runs differ in their codes, and the last ends the row. */
struct code_row {
    const struct code_run *runs;
    size_t count;
};

/* Runs and faces of a row under construction. */
struct code_faces {
    struct air_run *air;
    struct face_run *faces;
    size_t air_capacity, face_capacity;
};

#endif
