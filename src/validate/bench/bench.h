/* SPDX-License-Identifier: MIT */
/* Benchmarks: the published tables, measured on this machine. */
#ifndef AULA_VALIDATE_BENCH_BENCH_H
#define AULA_VALIDATE_BENCH_BENCH_H

#include <stdbool.h>

#include "solver/solver.h"

struct bench_settings {
    struct solver_options choice;
    unsigned webb_variant; /* of Webb's kernels: solver/schemes/leapfrog/leapfrog.h */
    bool full, json;
    const char *plot; /* path; NULL: none */
};

struct benchmark {
    const char *name, *meaning;
    int (*run)(const struct bench_settings *o, struct error *e);
};

/* Median of values[count], which it sorts. */
double bench_median(double *values, size_t count);

#endif
