/* SPDX-License-Identifier: MIT */
/* The energy that a plate stores by being stretched where it is bent in two directions: von Kármán's equations, with
 * the stress expanded in functions Ψ_p that are orthonormal under ∬ ∇²Ψ ∇²Ψ (render/synth/airy_functions.h; theory
 * (68a)),
 *
 *     V = ½ E H Σ_p b_p²,   b_p = ∬ Ψ_p s dx dy,   s = w_xx w_yy - w_xy²
 *
 * (S. Bilbao, A family of conservative finite difference schemes for the dynamical von Karman plate equations, Numerical
 * Methods for Partial Differential Equations 24, 2008). On the grid s is the product of second differences at a node,
 * less the mean over the four cells around it of the squared mixed difference (theory (68c)). Ψ is known where all
 * eight neighbours of a node are.
 *
 * Grid and Ψ are symmetric about both axes. s is therefore split into the four parities, and each meets the functions of
 * its parity in one quarter of the plate, which takes a quarter of the arithmetic. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_PLATE_STRETCHING_H
#define AULA_SOLVER_SCHEMES_BODIES_PLATE_STRETCHING_H

#include <stddef.h>
#include <stdint.h>

enum { PLATE_PARITIES = 4 };

struct plate_stretching {
    size_t nx, ny;     /* nodes, in rows of nx, including a fixed rim of two */
    double spacing[2]; /* hx, hy, m */
    double stiffness;  /* E H, N/m, times the factor for which the lowest mode stiffens exactly */
    double *lightness; /* [ny][nx]: displacement over state; 0 for nodes that are fixed or absent */

    size_t quarter;     /* number of nodes with Ψ in the quarter of least x and y, its axes included */
    uint32_t *image[4]; /* [quarter]: that node, its images along x, along y and both; on an axis some coincide */
    double *share;      /* [quarter]: 1 over the number of times that each image is listed */

    /* The functions of each parity: bit 0 odd along x, bit 1 odd along y. Both orders, for the sums over nodes and over
     * functions. */
    size_t functions[PLATE_PARITIES];
    float *by_node[PLATE_PARITIES];     /* [quarter][functions] Ψ, m */
    float *by_function[PLATE_PARITIES]; /* [functions][quarter] */
};

enum { PLATE_FIELDS = 4 }; /* arrays [ny][nx] in the scratch memory */

/* Doubles that plate_stretching needs as scratch. */
size_t plate_stretching_scratch(const struct plate_stretching *p);

/* V, J, of the state w [ny][nx], and its gradient by the state, N [ny][nx], which is exact for the discrete V and 0 at
 * fixed nodes. */
double plate_stretching(const struct plate_stretching *p, const double *w, double *gradient, double *scratch);

/* Bytes of its arrays and of the scratch. */
uint64_t plate_stretching_bytes(const struct plate_stretching *p);

/* Frees the arrays and the struct itself. NULL-safe. */
void plate_stretching_free(struct plate_stretching *p);

#endif
