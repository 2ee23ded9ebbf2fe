/* Benchmarks: the published tables, on this machine. */
#ifndef AULA_BENCH_BENCH_H
#define AULA_BENCH_BENCH_H

#include "cmd/options.h"

struct benchmark {
    const char *name, *meaning;
    int (*run)(const struct options *o, struct error *e);
};
extern const struct benchmark benchmark_webb;

/* Median of values[count]; sorts them. */
double bench_median(double *values, size_t count);

#endif
