/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/loops.h"

#define DECLARE(variant)                                                                                               \
    double plate_stretching_##variant(const struct plate_stretching *p, const double *w, double *gradient,             \
                                      double *scratch);                                                                \
    double loop_dot_##variant(const double *a, const double *b, size_t count);                                         \
    void loop_add_##variant(double *out, double factor, const double *in, size_t count);                               \
    void loop_add_change_##variant(double *out, double factor, const double *now, const double *before, size_t count); \
    void loop_scale_##variant(double sums[2], double *g, double factor, const double *now, const double *before,       \
                              size_t count);                                                                           \
    void loop_step_##variant(double *next, const struct surface *s, const struct node_runs *runs, const double *now,   \
                             const double *before, const double *force, double divisor);                               \
    void loop_respond_##variant(double *out, const struct surface *s, const double *force);
#define LOOPS(variant)                                                                                                 \
    {                                                                                                                  \
        .name = #variant, .plate_stretching = plate_stretching_##variant, .dot = loop_dot_##variant,                   \
        .add = loop_add_##variant, .add_change = loop_add_change_##variant, .scale = loop_scale_##variant,             \
        .step = loop_step_##variant, .respond = loop_respond_##variant                                                 \
    }

DECLARE(baseline)
static const struct body_loops baseline = LOOPS(baseline);

/* Portability: AULA_X86_64 is set by the build when the compiler targets it; the variants below exist only then. */
#ifdef AULA_X86_64

DECLARE(avx2)
DECLARE(avx512)
static const struct body_loops avx2 = LOOPS(avx2), avx512 = LOOPS(avx512);

const struct body_loops *body_loops_of(size_t index)
{
    const struct body_loops *able[4] = {NULL};
    size_t count = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        able[count++] = &avx512;
    if (__builtin_cpu_supports("avx2"))
        able[count++] = &avx2;
    able[count++] = &baseline;
    return index < count ? able[index] : NULL;
}

#else

const struct body_loops *body_loops_of(size_t index)
{
    return index ? NULL : &baseline;
}

#endif

const struct body_loops *body_loops(void)
{
    return body_loops_of(0);
}
