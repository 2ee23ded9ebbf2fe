/* SPDX-License-Identifier: MIT */
/* Webb's table on a GPU. */
#ifndef AULA_VALIDATE_CARTESIAN7_WEBB_GPU_H
#define AULA_VALIDATE_CARTESIAN7_WEBB_GPU_H

#include "validate/bench/bench.h"

/* The table of Webb's six kernels and the production kernel, on a GPU. */
int webb_run_on_gpu(const struct bench_settings *o, struct error *e);

#endif
