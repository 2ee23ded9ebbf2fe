/* SPDX-License-Identifier: MIT */
/* Inline assembly of the CUDA engine, and the portability layer around it.
 *
 * Namespace ptx has a function for each PTX instruction, named as in libcu++ (cuda::ptx), with the
 * compute capability that it needs. Shared memory is addressed by 32-bit addresses in the shared
 * window (shared_address) or by generic pointers into it.
 *
 * The functions below the namespace can be called by kernels for any device. On devices without the
 * instruction they do the same without it, or nothing if nothing is needed. */
#ifndef AULA_CUDA_PTX_CUH
#define AULA_CUDA_PTX_CUH

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include "cuda/gate_delays.cuh"

/* Two values, loaded and stored by one instruction. */
template <typename REAL> struct alignas(2 * sizeof(REAL)) vector2 {
    REAL first, second;
};

namespace ptx
{

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* --- mbarriers in shared memory: compute capability 8.0, with transaction counts and try_wait 9.0 --- */

/* A phase completes after `arrivals` arrivals and the number of bytes that they expect. */
__device__ __forceinline__ void mbarrier_init(uint64_t *barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/* 9.0. Makes initialized mbarriers visible to the cluster and to the copy engine. */
__device__ __forceinline__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Releases the thread's earlier writes to all that wait for the phase. */
__device__ __forceinline__ void mbarrier_arrive(uint64_t *barrier)
{
    gate_delay(GATE_ARRIVE);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/* 9.0. Arrives, and adds to the number of bytes that the phase waits for. */
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint64_t *barrier, uint32_t bytes)
{
    gate_delay(GATE_ARRIVE);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

/* 9.0. Waits until the phase of this parity is complete; acquires writes that its arrivals
 * released, and those of its copies. */
__device__ __forceinline__ void mbarrier_wait_parity(uint64_t *barrier, uint32_t parity)
{
    gate_delay(GATE_WAIT);
    asm volatile("{\n"
                 ".reg .pred arrived;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n"
                 "@arrived bra.uni done;\n"
                 "bra.uni again;\n"
                 "done:\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
    gate_delay(GATE_WAIT);
}

/* --- tensor copies by the copy engine (TMA): compute capability 9.0 --- */

/* Copies a box of a grid that begins at point x, y, z to shared memory; points beyond the grid
 * are zero. The mbarrier counts the bytes. */
__device__ __forceinline__ void cp_async_bulk_tensor_3d(void *to, const CUtensorMap *map, uint64_t *barrier, int x,
                                                        int y, int z)
{
    gate_delay(GATE_LOAD);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, "
                 "%5}], [%2];" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

/* Orders the thread's accesses to shared memory before later accesses of the copy engine. */
__device__ __forceinline__ void fence_proxy_async_shared()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Orders values of global memory that the thread has observed before its later loads by the copy
 * engine. */
__device__ __forceinline__ void fence_proxy_async_global()
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

/* --- distributed shared memory of a thread block cluster: compute capability 9.0 --- */

/* The address in block `rank` of the cluster that corresponds to p in shared memory. */
__device__ __forceinline__ uint32_t mapa(const void *p, unsigned rank)
{
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(p)), "r"(rank));
    return there;
}

/* A cluster barrier in two parts, which allows other work in between. Arriving releases nothing:
 * writes that others must see need a preceding fence (fence_mbarrier_init). Waiting acquires.
 * Must be called by all threads of all blocks. */
__device__ __forceinline__ void barrier_cluster_arrive_relaxed()
{
    gate_delay_warp(GATE_CLUSTER);
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void barrier_cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    gate_delay_warp(GATE_CLUSTER);
}

/* Writes values to the shared memory of another block, whose mbarrier counts the bytes; both
 * addresses by mapa. A thread that waits for the mbarrier sees the values. Vectors are aligned
 * to their size. */
__device__ __forceinline__ void st_async(uint32_t to, uint32_t barrier, float a)
{
    gate_delay(GATE_SEND);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(to), "f"(a),
                 "r"(barrier)
                 : "memory");
}

__device__ __forceinline__ void st_async(uint32_t to, uint32_t barrier, double a)
{
    gate_delay(GATE_SEND);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0], %1, [%2];" ::"r"(to), "d"(a),
                 "r"(barrier)
                 : "memory");
}

__device__ __forceinline__ void st_async_v4(uint32_t to, uint32_t barrier, float a, float b, float c, float d)
{
    gate_delay(GATE_SEND);
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
        "f"(a), "f"(b), "f"(c), "f"(d), "r"(barrier)
        : "memory");
}

__device__ __forceinline__ void st_async_v2(uint32_t to, uint32_t barrier, double a, double b)
{
    gate_delay(GATE_SEND);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];" ::"r"(to),
                 "d"(a), "d"(b), "r"(barrier)
                 : "memory");
}

/* --- policies of the second-level cache: compute capability 8.0. Loads go past the first-level cache --- */

/* evict_last for this share (0 to 1) of the lines, evict_first for the others. */
__device__ __forceinline__ uint64_t createpolicy_evict_last(float share)
{
    uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;" : "=l"(policy) : "f"(share));
    return policy;
}

__device__ __forceinline__ vector2<float> ld_global_cache_hint(const vector2<float> *from, uint64_t policy)
{
    vector2<float> p;
    asm volatile("ld.global.cg.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
                 : "=f"(p.first), "=f"(p.second)
                 : "l"(from), "l"(policy));
    return p;
}

__device__ __forceinline__ vector2<double> ld_global_cache_hint(const vector2<double> *from, uint64_t policy)
{
    vector2<double> p;
    asm volatile("ld.global.cg.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
                 : "=d"(p.first), "=d"(p.second)
                 : "l"(from), "l"(policy));
    return p;
}

__device__ __forceinline__ void st_global_cache_hint(vector2<float> *to, vector2<float> p, uint64_t policy)
{
    asm volatile("st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, %3;" ::"l"(to), "f"(p.first), "f"(p.second),
                 "l"(policy)
                 : "memory");
}

__device__ __forceinline__ void st_global_cache_hint(vector2<double> *to, vector2<double> p, uint64_t policy)
{
    asm volatile("st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, %3;" ::"l"(to), "d"(p.first), "d"(p.second),
                 "l"(policy)
                 : "memory");
}

/* --- any compute capability --- */

/* Returns the same value, opaque to the compiler: results derived from it are kept in registers
 * rather than recomputed. */
__device__ __forceinline__ int opaque(int value)
{
    asm volatile("" : "+r"(value));
    return value;
}

/* For a branch that is rarely taken: prevents the compiler from turning it into selects that are
 * always computed. */
__device__ __forceinline__ void keep_branch()
{
    asm volatile("");
}

/* Prefetches the 128-byte line of an address to the second-level cache. */
__device__ __forceinline__ void prefetch_global_l2(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

} // namespace ptx

/* --- cache policies. Before 8.0: plain loads and stores, past the first-level cache all the same --- */

/* A policy that keeps this share (0 to 1) of the lines it is used for, and evicts the others
 * first. */
__device__ __forceinline__ uint64_t evict_last_policy(float share)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return ptx::createpolicy_evict_last(share);
#else
    (void)share;
    return 0;
#endif
}

template <typename REAL>
__device__ __forceinline__ vector2<REAL> load_with_policy(const vector2<REAL> *from, uint64_t policy)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return ptx::ld_global_cache_hint(from, policy);
#else
    (void)policy;
    return {__ldcg(&from->first), __ldcg(&from->second)};
#endif
}

template <typename REAL>
__device__ __forceinline__ void store_with_policy(vector2<REAL> *to, vector2<REAL> p, uint64_t policy)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    ptx::st_global_cache_hint(to, p, policy);
#else
    (void)policy;
    *to = p;
#endif
}

/* If a kernel reads without having waited for earlier kernels, the first-level cache may contain
 * lines older than their writes. A fence of device scope invalidates it. */
__device__ __forceinline__ void invalidate_first_level_cache()
{
    __threadfence();
}

/* --- programmatic dependent launch (launches, below): blocks of the next kernel are placed on the multiprocessors
 * while the last blocks of this one still run, and wait there instead of in the launch queue. Before 9.0 kernels do
 * not overlap: nothing to do --- */

/* Waits until all earlier kernels are complete and their writes are visible
 * (griddepcontrol.wait). */
__device__ __forceinline__ void wait_for_previous_kernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    gate_delay(GATE_KERNEL);
    cudaGridDependencySynchronize();
    gate_delay(GATE_KERNEL);
#endif
}

/* Lets the next kernel's blocks start once all blocks of this one have called this or ended
 * (griddepcontrol.launch_dependents). A kernel that calls this before it has waited must wait
 * before it ends. Otherwise the kernel after the next would start before the kernels before this
 * one are complete. */
__device__ __forceinline__ void release_next_kernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    gate_delay(GATE_KERNEL);
    cudaTriggerProgrammaticLaunchCompletion();
    gate_delay(GATE_KERNEL);
#endif
}

/* Both, in this order. So the last kernel but one is complete when a kernel starts: its results
 * may be read before this call, bypassing the first-level cache (__ldcg); results of the last
 * kernel may not. This does not hold after kernels that release the next one first: single steps
 * whose tiles wait for tiles, after which no other kernel overlaps. */
__device__ __forceinline__ void wait_for_last_step()
{
    wait_for_previous_kernel();
    release_next_kernel();
}

/* --- thread block clusters, whose blocks reach into each other's shared memory. Before 9.0 clusters are of one
 * block --- */

enum { CLUSTER_MAX = 8 /* number of blocks that every device with clusters supports */ };

/* Waits until all blocks of the cluster arrive, and their writes to shared memory are visible to
 * all. */
__device__ __forceinline__ void wait_for_cluster()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    gate_delay_warp(GATE_CLUSTER);
    cooperative_groups::this_cluster().sync();
    gate_delay_warp(GATE_CLUSTER);
#endif
}

/* The same for a cluster of this number of blocks. */
__device__ __forceinline__ void wait_for_others(unsigned blocks)
{
    if (blocks > 1)
        wait_for_cluster();
    else
        __syncthreads();
}

/* Writes *to, in shared memory, in this block and in those blocks of the cluster whose bit is
 * set. */
__device__ __forceinline__ void write_to_cluster(double *to, double value, unsigned readers)
{
    *to = value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    for (; readers; readers &= readers - 1)
        *cooperative_groups::this_cluster().map_shared_rank(to, __ffs((int)readers) - 1) = value;
#else
    (void)readers;
#endif
}

/* --- launches --- */

/* With programmatic dependent launch; host side. The kernels' side is above. */

/* Whether the code that will run contains the wait: machine code or PTX for older generations
 * does not, even on a newer device. */
template <typename... ARGUMENTS> bool can_overlap(void (*kernel)(ARGUMENTS...))
{
    int device = 0, major = 0;
    cudaFuncAttributes code = {};
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaFuncGetAttributes(&code, kernel) == cudaSuccess && major >= 9 && code.ptxVersion >= 90;
}

struct launch_shape {
    dim3 blocks, threads;
    cudaStream_t stream;
    size_t shared_bytes = 0; /* shared memory per block */
    unsigned cluster = 0;    /* blocks per cluster; 0: launched without clusters */
};

/* Launches kernel(arguments ..) so that it may overlap the end of the stream's previous kernel
 * if the device supports it. The check after the step reports errors. */
template <typename... ARGUMENTS>
void launch_overlapping(void (*kernel)(ARGUMENTS...), const launch_shape &shape, const ARGUMENTS &...arguments)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {shape.cluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = shape.blocks;
    config.blockDim = shape.threads;
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = shape.stream;
    config.attrs = attributes;
    config.numAttrs = !can_overlap(kernel) ? 0 : shape.cluster ? 2 : 1;
    cudaLaunchKernelEx(&config, kernel, arguments...);
}

#endif
