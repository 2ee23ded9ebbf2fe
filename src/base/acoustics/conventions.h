/* SPDX-License-Identifier: MIT */
/* The octave bands in which materials are described and rooms are measured. */
#ifndef AULA_BASE_ACOUSTICS_CONVENTIONS_H
#define AULA_BASE_ACOUSTICS_CONVENTIONS_H

#include <stddef.h>

enum { OCTAVE_BANDS = 8 };                            /* 63 Hz to 8 kHz */
extern const double octave_band_centre[OCTAVE_BANDS]; /* Hz */

/* The six faces of a box, and of a cell of the grid, in the order of every array that has one value for each. */

enum face { FACE_X_MIN, FACE_X_MAX, FACE_Y_MIN, FACE_Y_MAX, FACE_Z_MIN, FACE_Z_MAX, FACES };
extern const char *const face_names[FACES];

/* In how many bits a field is stepped. */

enum precision { PRECISION_SINGLE, PRECISION_DOUBLE };
extern const char *const precision_names[PRECISION_DOUBLE + 1];

/* Bytes of a value of the field. */
static inline size_t precision_bytes(enum precision precision)
{
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

/* The stencils by which the leapfrog scheme steps the air. */

enum air_stencil {
    STENCIL_7_POINT, /* points are the centres of voxels */
    STENCIL_19_POINT /* isotropic, points are the corners of voxels: solver/schemes/isotropic19/isotropic19.h */
};

/* Kinds of cells of a voxel map, a byte each. A solid cell carries its material: code CELL_SOLID + i is material i. */

enum cell { CELL_AIR = 0, CELL_FIXED = 1 /* p = 0 for ever */, CELL_SOLID = 2, CELL_CODES = 256 };

/* Entries of a wall's specific admittance Y(ω) = Σ 1/Z, one term for each branch of the list:
 *     Z = jω inertance + resistance + stiffness/(jω) + Σ 1/(jω C + G + H/(jω)),
 * a series RLC branch and, in series with it, the tanks that follow it in the list: parallel circuits, which hold their
 * C, G and H as inertance, resistance and stiffness. A tank is a pole of Z, such as the resonance of an air gap behind
 * a sheet, at which Y vanishes; branches in parallel cannot do that. Passive when no value is negative and not all three
 * of an entry are 0. */

struct branch {
    double inertance;  /* D, s */
    double resistance; /* E */
    double stiffness;  /* F, 1/s */
    size_t tanks;      /* of a branch: the number of its tanks; of a tank: 0 */
};
enum { BRANCHES_MAX = 16 }; /* entries of a wall */

#endif
