/* SPDX-License-Identifier: MIT */
/* Branches and tanks (conventions.h) as fits of layered walls vary them: by the logarithms of their elements. The unit of
 * frequency is 1 kHz, x = ω/(2π 1 kHz), so that the elements of usual walls are near 1:
 *     Y(x) = Σ 1/(jxD + E + F/(jx) + Σ 1/(jxC + G + H/(jx))),  theory (29a). */
#ifndef AULA_ROOM_GRID_CIRCUIT_H
#define AULA_ROOM_GRID_CIRCUIT_H

#include <complex.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"

enum { PER_ENTRY = 3 };      /* D, E, F of a branch; C, G, H of a tank */
#define CIRCUIT_UNIT 1000.0  /* Hz */
#define CIRCUIT_LOG_MAX 12.0 /* of an element; at -12 it counts as absent */

struct circuit {
    size_t count;               /* entries: branches, each followed by its tanks */
    size_t tanks[BRANCHES_MAX]; /* of a branch: their number; of a tank: 0 */
    double x[PER_ENTRY * BRANCHES_MAX];
};

/* The least resistance of springs on a grid. The trapezoidal rule takes motion much faster than 2 fs to near z = -1,
 * where it hardly decays, and in single precision rounding would gather there. A branch therefore has at least
 *     E = S h/(30 · 2 fs),   S = F + Σ C/(C + G/(2 fs) + H/(2 fs)²)²,   h = 1/(1 + ((2 · 2 fs)² D/S)²).
 * S is its stiffness with that of its tanks, and h goes from 0 to 1 where the branch resonates at 2 · 2 fs. A tank has
 * at least G = H h/(30 · 2 fs), with C and H for D and S. A large E/D or G/C does no harm, because such a state hardly
 * acts on the others. */
struct circuit_limits {
    double twice_rate; /* 2 fs, in units of CIRCUIT_UNIT; 0: the continuum, and no least resistance */
};

/* The elements, in units of CIRCUIT_UNIT, with the least resistances added. */
void circuit_elements(const struct circuit *c, const struct circuit_limits *limits, struct branch *entries);

/* The same, in which elements at the lower bound are 0. */
void circuit_final_elements(const struct circuit *c, const struct circuit_limits *limits, struct branch *entries);

/* Y at x of elements; own[m], which may be NULL: the admittance of the branch at entry m, 0 for tanks. */
double complex circuit_admittance(const struct branch *entries, size_t count, double x, double complex *own);

/* The same with by[i], the derivative by parameter i of [PER_ENTRY count]. */
double complex circuit_derivatives(const struct circuit *c, const struct circuit_limits *limits,
                                   const struct branch *entries, double x, double complex *by);

/* Inserts an entry: a tank of the branch at entry `branch`, or a branch at the end if branch == count. count is below
 * BRANCHES_MAX, the elements are > 0. */
void circuit_insert(struct circuit *c, size_t branch, const double elements[PER_ENTRY]);

/* Removes a tank, or a branch with its tanks. */
void circuit_remove(struct circuit *c, size_t entry);

#endif
