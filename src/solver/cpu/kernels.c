/* SPDX-License-Identifier: MIT */
/* The kernel table of the CPU engine. */
#include "solver/cpu/kernels.h"
#include "solver/cpu/instruction_sets.h"

#define DECLARE(function, variant)                                                                                     \
    void function##_sweep_##variant(const struct field *f, size_t row0, size_t row1, void *saved);                     \
    void function##_finish_##variant(const struct field *f, size_t row0, size_t row1, const void *saved,               \
                                     double *absorbed);                                                                \
    double function##_branch_energy_##variant(const struct field *f);
#define DECLARE_BRANCH(variant)                                                                                        \
    void branch_keep_##variant(const struct field *f, size_t row0, size_t row1, void *kept);                           \
    void branch_step_##variant(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
#define DECLARE_UNROLLED(variant)                                                                                      \
    void leapfrog_unrolled_##variant(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1,   \
                                     size_t steps, double *absorbed);
#define DECLARE_ISOTROPIC19(variant)                                                                                   \
    void isotropic19_sweep_##variant(const struct field *f, size_t row0, size_t row1, void *saved);                    \
    void isotropic19_sweep_planes_##variant(const struct field *f, size_t row0, size_t row1, size_t planes,            \
                                            void *saved);                                                              \
    void isotropic19_finish_##variant(const struct field *f, size_t row0, size_t row1, const void *saved,              \
                                      double *absorbed);
#define DECLARE_ROWS(variant)                                                                                          \
    DECLARE(leapfrog, variant)                                                                                         \
    DECLARE_BRANCH(variant) DECLARE_UNROLLED(variant) DECLARE_ISOTROPIC19(variant)
#define ROWS(variant)                                                                                                  \
    {                                                                                                                  \
        leapfrog_sweep_##variant, leapfrog_finish_##variant, branch_keep_##variant, branch_step_##variant,             \
            leapfrog_branch_energy_##variant, leapfrog_unrolled_##variant, NULL                                        \
    }
#define ISOTROPIC19_ROWS(variant)                                                                                      \
    {                                                                                                                  \
        .sweep = isotropic19_sweep_##variant, .finish = isotropic19_finish_##variant, .keep = branch_keep_##variant,   \
        .branch = branch_step_##variant, .branch_energy = leapfrog_branch_energy_##variant,                            \
        .sweep_planes = isotropic19_sweep_planes_##variant                                                             \
    }
#define REFERENCE(variant)                                                                                             \
    {                                                                                                                  \
        .sweep = reference_sweep_##variant, .finish = reference_finish_##variant,                                      \
        .branch_energy = reference_branch_energy_##variant                                                             \
    }

static const char *small_enough(const struct problem *p)
{
    double points = (double)p->points[0] * (double)p->points[1] * (double)p->points[2];
    if (p->counted[1])
        return "the reference kernel cannot step part of a grid";
    return points > 2e8 ? "the reference kernel is limited to 200 million points, as larger grids would take days"
                        : NULL;
}

DECLARE_ROWS(single_baseline)
DECLARE_ROWS(double_baseline)
DECLARE(reference, single)
DECLARE(reference, double)

DECLARE(isotropic19_reference, single)
DECLARE(isotropic19_reference, double)

static const struct kernel isotropic19_reference = {
    .name = "reference",
    .needs_cells = true,
    .applicable = small_enough,
    .functions = {{.sweep = isotropic19_reference_sweep_single,
                   .finish = isotropic19_reference_finish_single,
                   .branch_energy = isotropic19_reference_branch_energy_single},
                  {.sweep = isotropic19_reference_sweep_double,
                   .finish = isotropic19_reference_finish_double,
                   .branch_energy = isotropic19_reference_branch_energy_double}},
};

static const struct kernel isotropic19_baseline = {
    .name = "rows-baseline",
    .vector_bytes = 16,
    .applicable = runs_anywhere,
    .functions = {ISOTROPIC19_ROWS(single_baseline), ISOTROPIC19_ROWS(double_baseline)},
};

static const struct kernel baseline = {
    .name = "rows-baseline",
    .applicable = runs_anywhere,
    .functions = {ROWS(single_baseline), ROWS(double_baseline)},
};

static const struct kernel reference = {
    .name = "reference",
    .needs_cells = true,
    .applicable = small_enough,
    .functions = {REFERENCE(single), REFERENCE(double)},
};

/* Portability: AULA_X86_64 is set by the build when the compiler targets it; the variants below exist only then. */
#ifdef AULA_X86_64

DECLARE_ROWS(single_avx2)
DECLARE_ROWS(double_avx2)
DECLARE_ROWS(single_avx512)
DECLARE_ROWS(double_avx512)

static const struct kernel avx2 = {
    .name = "rows-avx2",
    .applicable = needs_avx2,
    .functions = {ROWS(single_avx2), ROWS(double_avx2)},
};

static const struct kernel avx512 = {
    .name = "rows-avx512",
    .applicable = needs_avx512,
    .functions = {ROWS(single_avx512), ROWS(double_avx512)},
};

static const struct kernel isotropic19_avx2 = {
    .name = "rows-avx2",
    .vector_bytes = 32,
    .applicable = needs_avx2,
    .functions = {ISOTROPIC19_ROWS(single_avx2), ISOTROPIC19_ROWS(double_avx2)},
};

static const struct kernel isotropic19_avx512 = {
    .name = "rows-avx512",
    .vector_bytes = 64,
    .applicable = needs_avx512,
    .functions = {ISOTROPIC19_ROWS(single_avx512), ISOTROPIC19_ROWS(double_avx512)},
};

const struct kernel *const kernels[] = {&avx512, &avx2, &baseline, &reference, NULL};
const struct kernel *const isotropic19_kernels[] = {&isotropic19_avx512, &isotropic19_avx2, &isotropic19_baseline,
                                                    &isotropic19_reference, NULL};

#else

const struct kernel *const kernels[] = {&baseline, &reference, NULL};
const struct kernel *const isotropic19_kernels[] = {&isotropic19_baseline, &isotropic19_reference, NULL};

#endif
