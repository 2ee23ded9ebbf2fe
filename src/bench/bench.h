/* Benchmarks: the published tables, on this machine. */
#ifndef AULA_BENCH_BENCH_H
#define AULA_BENCH_BENCH_H

#include "cmd/options.h"

struct benchmark {
    const char *name, *meaning;
    int (*run)(const struct options *o, struct error *e);
};
extern const struct benchmark benchmark_webb, benchmark_room;

/* The table of Webb's six kernels and the production kernel, on a GPU (webb_gpu.c). */
int webb_run_on_gpu(const struct options *o, struct error *e);

/* Median of values[count]; sorts them. */
double bench_median(double *values, size_t count);

#endif
