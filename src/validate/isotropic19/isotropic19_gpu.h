/* SPDX-License-Identifier: MIT */
/* The 19-point scheme's table on a GPU. */
#ifndef AULA_VALIDATE_ISOTROPIC19_ISOTROPIC19_GPU_H
#define AULA_VALIDATE_ISOTROPIC19_ISOTROPIC19_GPU_H

#include "validate/bench/bench.h"

int isotropic19_run_on_gpu(const struct bench_settings *o, struct error *e);

#endif
