/* SPDX-License-Identifier: MIT */
/* The header of a PLY file (Turk 1994), looked at before a library reads the file. */
#ifndef AULA_GEOMETRY_PLY_HEADER_H
#define AULA_GEOMETRY_PLY_HEADER_H

#include "base/error.h"

/* 0 where every line of the header is one of PLY, and the file is long enough for the elements that it counts. ERROR_INPUT
 * names file and line: assimp searches damaged files for minutes, or takes memory for elements that are not there. */
int ply_header_check(const char *path, struct error *e);

#endif
