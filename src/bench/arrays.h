/* What the benchmarks of the plain-array schemes share. */
#ifndef AULA_BENCH_ARRAYS_H
#define AULA_BENCH_ARRAYS_H

#include <cjson/cJSON.h>

#include "bench/bench.h"

struct timing {
    double step; /* s, median of five runs */
    struct requirement requirement;
    bool applies; /* the kernel can do this problem */
};

/* Times steps on arrays of fixed smooth values. A kernel that does not apply is no failure: applies is false. */
int arrays_time(struct timing *t, const struct problem *p, const struct choice *c, struct error *e);

/* Kernels worth a row: on a GPU all of a scheme, on the CPU the fastest that applies. NULL beyond the last; a kernel that
 * the choice names is the only one. */
const char *arrays_kernel(const struct engine *engine, enum scheme_tag scheme, size_t index, const struct choice *c);

/* The rows, or nothing when they were printed as text. */
int arrays_print(cJSON *rows, struct error *e);

#endif
