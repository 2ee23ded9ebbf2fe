/* Every CUDA call and launch is checked; this says what went wrong in words. */
#ifndef AULA_CUDA_CHECK_H
#define AULA_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "base/error.h"

/* 0, or -1 with *e filled: ERROR_MEMORY, or ERROR_DEVICE for a lost device, a program built for other devices, and the rest by CUDA's own text.
 * Never ERROR_ENGINE, which says that something cannot be asked for: what fails to launch is not what does not apply. */
int cuda_check(cudaError_t status, const char *what, struct error *e);

#endif
