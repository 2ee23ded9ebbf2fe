/* SPDX-License-Identifier: MIT */
/* The six faces of a box, and of a cell of the grid, in the order of every array that has one value for each. */
#ifndef AULA_BASE_ACOUSTICS_FACES_H
#define AULA_BASE_ACOUSTICS_FACES_H

enum face { FACE_X_MIN, FACE_X_MAX, FACE_Y_MIN, FACE_Y_MAX, FACE_Z_MIN, FACE_Z_MAX, FACES };
extern const char *const face_names[FACES];

#endif
