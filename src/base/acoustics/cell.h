/* SPDX-License-Identifier: MIT */
/* Kinds of cells of a voxel map, a byte each. A solid cell carries its material: code CELL_SOLID + i is material i. */
#ifndef AULA_BASE_ACOUSTICS_CELL_H
#define AULA_BASE_ACOUSTICS_CELL_H

enum cell { CELL_AIR = 0, CELL_FIXED = 1 /* p = 0 for ever */, CELL_SOLID = 2, CELL_CODES = 256 };

#endif
