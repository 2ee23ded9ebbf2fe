/* The kernel table of the CPU engine. */
#include "cpu/instruction_sets.h"
#include "cpu/kernel.h"

#define DECLARE(function, variant)                                                                                     \
    void function##_sweep_##variant(const struct field *f, size_t row0, size_t row1, void *saved);                     \
    void function##_finish_##variant(const struct field *f, size_t row0, size_t row1, const void *saved,               \
                                     double *absorbed);
#define FUNCTIONS(function, variant)                                                                                   \
    {                                                                                                                  \
        function##_sweep_##variant, function##_finish_##variant                                                        \
    }

static const char *small_enough(const struct problem *p)
{
    double points = (double)p->points[0] * (double)p->points[1] * (double)p->points[2];
    return points > 2e8
               ? "the reference walks the voxel map point by point: grids above 200 million points would take days"
               : NULL;
}

DECLARE(leapfrog, single_baseline)
DECLARE(leapfrog, double_baseline)
DECLARE(reference, single)
DECLARE(reference, double)

static const struct kernel baseline = {
    .name = "rows-baseline",
    .applicable = runs_anywhere,
    .functions = {FUNCTIONS(leapfrog, single_baseline), FUNCTIONS(leapfrog, double_baseline)},
};

static const struct kernel reference = {
    .name = "reference",
    .needs_cells = true,
    .applicable = small_enough,
    .functions = {FUNCTIONS(reference, single), FUNCTIONS(reference, double)},
};

/* The seam: AULA_X86_64 is set by the build when the compiler targets it, and then the variants exist. */
#ifdef AULA_X86_64

DECLARE(leapfrog, single_avx2)
DECLARE(leapfrog, double_avx2)
DECLARE(leapfrog, single_avx512)
DECLARE(leapfrog, double_avx512)

static const struct kernel avx2 = {
    .name = "rows-avx2",
    .applicable = needs_avx2,
    .functions = {FUNCTIONS(leapfrog, single_avx2), FUNCTIONS(leapfrog, double_avx2)},
};

static const struct kernel avx512 = {
    .name = "rows-avx512",
    .applicable = needs_avx512,
    .functions = {FUNCTIONS(leapfrog, single_avx512), FUNCTIONS(leapfrog, double_avx512)},
};

const struct kernel *const kernels[] = {&avx512, &avx2, &baseline, &reference, NULL};

#else

const struct kernel *const kernels[] = {&baseline, &reference, NULL};

#endif
