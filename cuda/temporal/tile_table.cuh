/* A row of the tables of fused kernels. */
#ifndef AULA_CUDA_FUSED_TABLE_CUH
#define AULA_CUDA_FUSED_TABLE_CUH

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/temporal/tile.cuh"
#include "cuda/temporal/tile_plan.cuh"

namespace fused
{

template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool CLUSTER = false> struct row {
    typedef tile_shape<REAL, STEPS, V, ROWS, WARPS, DEPTH, CLUSTER> shape;

    static size_t bytes(int planes, size_t events)
    {
        return shape::bytes(planes, events);
    }

    static auto code(tile_walls walls) -> void (*)(const CUtensorMap, const CUtensorMap, const temporal_block<REAL>)
    {
        if (walls == WALLS_ANY)
            return step<REAL, STEPS, V, ROWS, WARPS, DEPTH, true, true, CLUSTER>;
        return walls == WALLS_ABSORBING ? step<REAL, STEPS, V, ROWS, WARPS, DEPTH, true, false, CLUSTER>
                                        : step<REAL, STEPS, V, ROWS, WARPS, DEPTH, false, false, CLUSTER>;
    }

    static int prepare(size_t bytes, struct error *e)
    {
        for (int walls = WALLS_RIGID; walls <= WALLS_ANY; walls++)
            if (cuda_check(cudaFuncSetAttribute(code((tile_walls)walls), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                (int)bytes),
                           "fused kernel", e))
                return -1;
        return 0;
    }

    /* The blocks of the next pass set themselves up while the last ones of this pass still run. */
    static void launch(const CUtensorMap *now, const CUtensorMap *before, const void *pass, tile_walls walls,
                       unsigned blocks, size_t bytes, cudaStream_t stream)
    {
        const temporal_block<REAL> *s = static_cast<const temporal_block<REAL> *>(pass);
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
        if (prepare(bytes, &e) || cudaOccupancyMaxActiveClusters(&clusters, code(WALLS_RIGID), &config) != cudaSuccess)
            cudaGetLastError();
        return clusters;
    }

    static constexpr struct tile_kernel kernel()
    {
        return {STEPS, shape::WIDTH, shape::HEIGHT, V, shape::THREADS, shape::BESIDE, bytes, prepare, at_once, launch};
    }
};

} // namespace fused

#endif
