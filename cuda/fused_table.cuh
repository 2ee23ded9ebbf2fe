/* A row of the tables of fused kernels. */
#ifndef AULA_CUDA_FUSED_TABLE_CUH
#define AULA_CUDA_FUSED_TABLE_CUH

extern "C" {
#include "check.h"
}
#include "fused.cuh"
#include "fused_plan.cuh"

namespace fused {

template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool CLUSTER = false> struct row {
    typedef fused_shape<REAL, STEPS, V, ROWS, WARPS, DEPTH, CLUSTER> shape;

    static size_t bytes(int planes, size_t events)
    {
        return shape::bytes(planes, events);
    }

    static auto code(fused_walls walls) -> void (*)(const CUtensorMap, const CUtensorMap, const fused_pass<REAL>)
    {
        if (walls == FUSED_ANY)
            return step<REAL, STEPS, V, ROWS, WARPS, DEPTH, true, true, CLUSTER>;
        return walls == FUSED_ABSORBING ? step<REAL, STEPS, V, ROWS, WARPS, DEPTH, true, false, CLUSTER>
                                        : step<REAL, STEPS, V, ROWS, WARPS, DEPTH, false, false, CLUSTER>;
    }

    static int prepare(size_t bytes, struct error *e)
    {
        for (int walls = FUSED_RIGID; walls <= FUSED_ANY; walls++)
            if (cuda_check(cudaFuncSetAttribute(code((fused_walls)walls), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), "fused kernel", e))
                return -1;
        return 0;
    }

    /* The blocks of the next pass set themselves up while the last ones of this pass still run. */
    static void launch(const CUtensorMap *now, const CUtensorMap *before, const void *pass, fused_walls walls, unsigned blocks, size_t bytes,
                       cudaStream_t stream)
    {
        const fused_pass<REAL> *s = static_cast<const fused_pass<REAL> *>(pass);
        cudaLaunchAttribute attributes[2] = {};
        attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[0].val.programmaticStreamSerializationAllowed = 1;
        attributes[1].id = cudaLaunchAttributeClusterDimension;
        attributes[1].val.clusterDim = {(unsigned)(s->cluster[0] * s->cluster[1]), 1, 1};
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(shape::THREADS);
        config.dynamicSmemBytes = bytes;
        config.stream = stream;
        config.attrs = attributes;
        config.numAttrs = CLUSTER ? 2 : 1;
        cudaLaunchKernelEx(&config, code(walls), *now, *before, *s); /* an error stays for the check after the pass */
    }

    /* Clusters of so many blocks that the device takes at once; none if it cannot say. */
    static int at_once(int cluster, size_t bytes)
    {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {(unsigned)cluster, 1, 1};
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3((unsigned)cluster);
        config.blockDim = dim3(shape::THREADS);
        config.dynamicSmemBytes = bytes;
        config.attrs = &attribute;
        config.numAttrs = 1;
        int clusters = 0;
        struct error e;
        if (prepare(bytes, &e) || cudaOccupancyMaxActiveClusters(&clusters, code(FUSED_RIGID), &config) != cudaSuccess)
            cudaGetLastError();
        return clusters;
    }

    static constexpr struct fused_kernel kernel()
    {
        return {STEPS, shape::WIDTH, shape::HEIGHT, V, shape::THREADS, shape::BESIDE, bytes, prepare, at_once, launch};
    }
};

} // namespace fused

#endif
