/* Names of the kernels of C. J. Webb (2013) for the leapfrog scheme on a GPU. Each exists in variants, which are kernels too
 * but listed nowhere. */
#ifndef AULA_SCHEME_LEAPFROG_WEBB_H
#define AULA_SCHEME_LEAPFROG_WEBB_H

/* Bits of a variant: p is read by the read-only cache; as much first-level cache and as little shared memory as may be. */
enum { WEBB_READ_ONLY = 1, WEBB_PREFER_L1 = 2, WEBB_VARIANTS = 4 };

/* What a variant appends to the name of the kernel. */
#define WEBB_READ_ONLY_SUFFIX "-read-only"
#define WEBB_PREFER_L1_SUFFIX "-prefer-l1"

enum { WEBB_KERNELS = 6 };
extern const char *const webb_kernels[WEBB_KERNELS][WEBB_VARIANTS];

/* The variant of one of the six; any other name, or NULL, is returned as it is. */
const char *webb_kernel(const char *name, unsigned variant);

#endif
