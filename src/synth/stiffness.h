/* The stiffness of a surface as a matrix: assembled from its energy, node by node, and its lowest mode. */
#ifndef AULA_SYNTH_STIFFNESS_H
#define AULA_SYNTH_STIFFNESS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Neighbours up to two nodes away along either axis: [5][5] around the node. */
enum { REACH = 2, REACH_WIDTH = 2 * REACH + 1, REACH_COUNT = REACH_WIDTH * REACH_WIDTH };

struct stiffness {
    size_t nx, ny;
    const uint8_t *active;    /* [ny][nx]; a rim of REACH nodes is not */
    double (*k)[REACH_COUNT]; /* [ny nx]: stiffness over mass, 1/s² */
    double (*l)[REACH_COUNT]; /* [ny nx]: minus the Laplacian, 1/m² */
};

/* Adds coefficient times the square of a difference to the energy w·k w (or w·l w): terms[i] of node at[i]. */
struct difference {
    size_t count;
    size_t at[8];
    double term[8];
};
void stiffness_add(double (*matrix)[REACH_COUNT], const struct stiffness *s, const struct difference *d,
                   double coefficient);

/* Largest sum of magnitudes in a row of k² K + 4 σ1 k L: the scheme is stable up to 4 (Gershgorin). */
double stiffness_bound(const struct stiffness *s, double time_step, double sigma1);

/* The lowest eigenvalue of K whose mode is not of the null space of free edges (moves and turns), by inverse iteration
 * with a banded Cholesky factor. `has_free_edge`: modes 1, x, y are kept out. NaN with *e filled: out of memory, or
 * stopped on request. */
double stiffness_lowest(const struct stiffness *s, int has_free_edge, struct error *e);

#endif
