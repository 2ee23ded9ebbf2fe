/* SPDX-License-Identifier: MIT */
/* Checks after CUDA calls and launches. */
#ifndef AULA_CUDA_CHECK_H
#define AULA_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "base/error.h"

/* 0, or -1 with *e filled: ERROR_MEMORY, or ERROR_DEVICE for a lost device, a build for other
 * devices, and all other errors. Never ERROR_ENGINE, which means that a kernel does not apply. */
int cuda_check(cudaError_t status, const char *what, struct error *e);

#endif
