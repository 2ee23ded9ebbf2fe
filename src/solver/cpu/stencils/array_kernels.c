/* SPDX-License-Identifier: MIT */
/* The CPU engine's kernel table for the schemes of plain arrays. */
#include "solver/cpu/instruction_sets.h"
#include "solver/cpu/stencils/arrays.h"
#include "solver/schemes/derivative/derivative.h"
#include "solver/schemes/sweep/sweep.h"

#define DECLARE(function, variant) array_rows function##_##variant;

DECLARE(sweep_reference, single)
DECLARE(sweep_reference, double)
DECLARE(sweep_rows, single_baseline)
DECLARE(sweep_rows, double_baseline)
DECLARE(derivative_reference, single)
DECLARE(derivative_reference, double)
DECLARE(derivative_rows, single_baseline)
DECLARE(derivative_rows, double_baseline)

#define REFERENCE(tag, function)                                                                                       \
    {                                                                                                                  \
        .name = "reference", .scheme = tag, .one_thread = true, .applicable = runs_anywhere, .phases = 1, .rows = {    \
            {function##_single, function##_double}                                                                     \
        }                                                                                                              \
    }
#define ROWS(tag, title, test, function, set)                                                                          \
    {                                                                                                                  \
        .name = title, .scheme = tag, .applicable = test, .phases = 1, .rows = {                                       \
            {function##_single_##set, function##_double_##set}                                                         \
        }                                                                                                              \
    }

static const struct array_kernel sweep_reference = REFERENCE(&sweep_scheme, sweep_reference);
static const struct array_kernel derivative_reference = REFERENCE(&derivative_scheme, derivative_reference);
static const struct array_kernel sweep_baseline =
    ROWS(&sweep_scheme, "rows-baseline", runs_anywhere, sweep_rows, baseline);
static const struct array_kernel derivative_baseline =
    ROWS(&derivative_scheme, "rows-baseline", runs_anywhere, derivative_rows, baseline);

/* Portability: AULA_X86_64 is set by the build when the compiler targets it; the variants below exist only then. */
#ifdef AULA_X86_64

DECLARE(sweep_rows, single_avx2)
DECLARE(sweep_rows, double_avx2)
DECLARE(sweep_rows, single_avx512)
DECLARE(sweep_rows, double_avx512)
DECLARE(derivative_rows, single_avx2)
DECLARE(derivative_rows, double_avx2)
DECLARE(derivative_rows, single_avx512)
DECLARE(derivative_rows, double_avx512)

static const struct array_kernel sweep_avx2 = ROWS(&sweep_scheme, "rows-avx2", needs_avx2, sweep_rows, avx2);
static const struct array_kernel sweep_avx512 = ROWS(&sweep_scheme, "rows-avx512", needs_avx512, sweep_rows, avx512);
static const struct array_kernel derivative_avx2 =
    ROWS(&derivative_scheme, "rows-avx2", needs_avx2, derivative_rows, avx2);
static const struct array_kernel derivative_avx512 =
    ROWS(&derivative_scheme, "rows-avx512", needs_avx512, derivative_rows, avx512);

const struct array_kernel *const array_kernels[] = {
    &sweep_avx512,
    &sweep_avx2,
    &sweep_baseline,
    &sweep_reference,
    &derivative_avx512,
    &derivative_avx2,
    &derivative_baseline,
    &derivative_reference,
    &sediment_rows,
    &sediment_reference,
    NULL,
};

#else

const struct array_kernel *const array_kernels[] = {
    &sweep_baseline,
    &sweep_reference,
    &derivative_baseline,
    &derivative_reference,
    &sediment_rows,
    &sediment_reference,
    NULL,
};

#endif
