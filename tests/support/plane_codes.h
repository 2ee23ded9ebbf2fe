/* SPDX-License-Identifier: MIT */
/* The codes of a plane of the voxel map, as the device fills it in from lists (cuda/grid/layout.h). */
#ifndef AULA_TESTS_PLANE_CODES_H
#define AULA_TESTS_PLANE_CODES_H

#include <stdlib.h>
#include <string.h>

#include "cuda/grid/layout.h"

/* codes[ny][pitch] */
static inline void plane_codes(const struct layout *l, const struct rows *rows, const struct problem *p, size_t z,
                               point_code *codes)
{
    const size_t row0 = z * rows->ny, row1 = row0 + rows->ny;
    const uint64_t run0 = rows->run_start[row0], wall0 = rows->wall_start[row0];
    point_code *of_runs = (point_code *)malloc((rows->run_start[row1] - run0 + 1) * sizeof *of_runs);
    point_code *of_walls = (point_code *)malloc((rows->wall_start[row1] - wall0 + 1) * sizeof *of_walls);
    memset(codes, 0, l->pitch * rows->ny * sizeof *codes);
    layout_list_codes(l, rows, p, row0, row1, of_runs, of_walls);
    for (size_t row = row0; row < row1; row++) {
        point_code *out = codes + (row - row0) * l->pitch;
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
            for (size_t i = 0; i < rows->runs[r].length; i++)
                out[rows->runs[r].start + i] = of_runs[r - run0];
        for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++)
            out[rows->wall_x[w]] = of_walls[w - wall0];
    }
    free(of_runs);
    free(of_walls);
}

#endif
