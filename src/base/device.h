/* SPDX-License-Identifier: MIT */
/* Functions in headers that both C and CUDA compile, so that a GPU takes the same decisions as the
 * CPU. Under CUDA they exist on the device alone, or on both. */
#ifndef AULA_BASE_DEVICE_H
#define AULA_BASE_DEVICE_H

#ifdef __CUDACC__
#define ON_DEVICE __device__ static inline
#define ON_BOTH __host__ __device__ static inline
#else
#define ON_DEVICE static inline
#define ON_BOTH static inline
#endif

/* Threads that share a piece of work: all of a block on the device, one on the CPU. */
struct team {
    unsigned thread, threads;
};

/* Every thread has arrived, and sees what the others wrote. */
ON_DEVICE void team_wait(void)
{
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
}

#endif
