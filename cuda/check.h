/* Every CUDA call and launch is checked; this says what went wrong in words. */
#ifndef AULA_CUDA_CHECK_H
#define AULA_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "base/error.h"

/* 0, or -1 with *e filled: out of memory, a lost device, a program built for other devices, and the rest by CUDA's own text. */
int cuda_check(cudaError_t status, const char *what, struct error *e);

#endif
