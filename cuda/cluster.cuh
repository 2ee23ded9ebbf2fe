/* Blocks of a cluster, which reach into each other's shared memory. A seam: only compute capability 9.0 and later have clusters; elsewhere
 * they are of one block. */
#ifndef AULA_CUDA_CLUSTER_CUH
#define AULA_CUDA_CLUSTER_CUH

#include <cooperative_groups.h>

enum { CLUSTER_MAX = 8 /* that every device with clusters takes */ };

__device__ __forceinline__ void wait_for_cluster()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cooperative_groups::this_cluster().sync();
#endif
}

/* Until all of the `blocks` of the cluster are here and what they wrote to shared memory can be read. */
__device__ __forceinline__ void wait_for_others(unsigned blocks)
{
    if (blocks > 1)
        wait_for_cluster();
    else
        __syncthreads();
}

/* *to, in shared memory, of this block and of those whose bit is set. */
__device__ __forceinline__ void write_to_cluster(double *to, double value, unsigned readers)
{
    *to = value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    for (; readers; readers &= readers - 1)
        *cooperative_groups::this_cluster().map_shared_rank(to, __ffs((int)readers) - 1) = value;
#endif
}

#endif
