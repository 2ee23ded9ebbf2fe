/* The check after every CUDA call and launch. */
#ifndef AULA_CUDA_CHECK_H
#define AULA_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "base/error.h"

/* 0, or -1 with *e filled: ERROR_MEMORY, or ERROR_DEVICE for a lost device, a program built for other devices, and all other errors.
 * Never ERROR_ENGINE, which is for kernels that do not apply: a launch that fails is another matter. */
int cuda_check(cudaError_t status, const char *what, struct error *e);

#endif
