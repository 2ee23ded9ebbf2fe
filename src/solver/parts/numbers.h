/* SPDX-License-Identifier: MIT */
/* Numbers of parts that are worth a comparison. */
#ifndef AULA_SOLVER_PARTS_NUMBERS_H
#define AULA_SOLVER_PARTS_NUMBERS_H

#include "solver/solver.h"

enum { PART_NUMBERS = 32 };

/* 1, 2, 4 .. and `most`, ascending. Returns how many. */
int part_numbers(int numbers[PART_NUMBERS], int most);

/* The choice for so many parts: on the first devices of its list, if it has one, one part of it on the first alone. */
struct solver_options part_options_of(const struct solver_options *c, int parts);

#endif
