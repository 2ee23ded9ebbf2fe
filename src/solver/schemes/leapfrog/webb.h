/* SPDX-License-Identifier: MIT */
/* Names of C. J. Webb's (2013) kernels for the leapfrog scheme on a GPU. Each has variants, which are unlisted
 * kernels. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_WEBB_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_WEBB_H

/* Bits of a variant: p through the read-only cache; a large first-level cache and little shared memory. */
enum { WEBB_READ_ONLY = 1, WEBB_PREFER_L1 = 2, WEBB_VARIANTS = 4 };

/* Appended to the kernel's name. */
#define WEBB_READ_ONLY_SUFFIX "-read-only"
#define WEBB_PREFER_L1_SUFFIX "-prefer-l1"

enum { WEBB_KERNELS = 6 };
extern const char *const webb_kernels[WEBB_KERNELS][WEBB_VARIANTS];

/* The name of a variant of one of the six; any other name, or NULL, is returned as it is. */
const char *webb_kernel(const char *name, unsigned variant);

#endif
