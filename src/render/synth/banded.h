/* SPDX-License-Identifier: MIT */
/* Symmetric band matrices, their Cholesky factors and their lowest modes. */
#ifndef AULA_RENDER_SYNTH_BANDED_H
#define AULA_RENDER_SYNTH_BANDED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The lower half by rows: entry[i (width + 1) + width - (i - j)] for i - width <= j <= i. */
struct banded {
    size_t count, width;
    double *entry; /* [count][width + 1] */
};

/* A zero matrix. Nonzero: out of memory. */
int banded_make(struct banded *b, size_t count, size_t width);
void banded_free(struct banded *b); /* NULL-safe members */

/* The entry of row i and column j <= i, within the band. */
static inline double *banded_at(const struct banded *b, size_t i, size_t j)
{
    return b->entry + i * (b->width + 1) + b->width - (i - j);
}

/* In place: the Cholesky factor L of L Lᵀ. After a requested stop the contents are not a factor. */
void banded_factor(struct banded *b);

/* x := (L Lᵀ)⁻¹ x. */
void banded_solve(const struct banded *factor, double *x);

/* xᵀ b x. */
double banded_energy(const struct banded *b, const double *x);

/* The lowest eigenvalues, ascending, of a positive definite matrix given by its factor, and orthonormal eigenvectors
 * [wanted][count], by inverse iteration of a subspace. `guessed`: `vector` holds independent approximate eigenvectors
 * to start from. Nonzero with *e filled: out of memory, or stopped on request. */
int banded_lowest(double *value, double *vector, size_t wanted, bool guessed, const struct banded *factor,
                  struct error *e);

#endif
