/* SPDX-License-Identifier: MIT */
/* The kernels of temporal blocks, and rows of the tables of their shapes. */
#ifndef AULA_CUDA_TILE_TABLE_CUH
#define AULA_CUDA_TILE_TABLE_CUH

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/event_boxes.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile.cuh"
#include "cuda/temporal/tile19.cuh"

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* The work of this thread block. The blocks of a cluster are consecutive and step the same
 * planes. */
template <bool CLUSTER, typename REAL>
__device__ __forceinline__ tile_chunk chunk_of_block(const temporal_block<REAL> &s)
{
    if (s.chunks)
        return s.chunks[blockIdx.x];
    const int chunk = s.first_chunk + (int)blockIdx.x / s.column_count, z0 = chunk * s.chunk;
    int index = (int)blockIdx.x % s.column_count;
    if (CLUSTER) { /* tiles are numbered along x, then y, across clusters */
        const int blocks = s.cluster[0] * s.cluster[1], cluster = index / blocks, rank = index % blocks,
                  along_x = s.across / s.cluster[0];
        index = (cluster / along_x * s.cluster[1] + rank / s.cluster[0]) * s.across + cluster % along_x * s.cluster[0] +
                rank % s.cluster[0];
    }
    return {index, z0, min(z0 + s.chunk, s.nz)};
}

#endif

/* A thread block for each tile and chunk. MAP: some tile has irregular points; tiles without any
 * run the code without it. Other parameters as in tile_stream. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool WEIGHTS, bool MAP, bool CLUSTER>
__global__ void __launch_bounds__(32 * WARPS, 1)
    step_tiles(const __grid_constant__ CUtensorMap now_map, const __grid_constant__ CUtensorMap before_map,
               const __grid_constant__ temporal_block<REAL> s)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *memory = reinterpret_cast<REAL *>(shared_memory);
    const tile_chunk chunk = chunk_of_block<CLUSTER>(s);
    const int index = chunk.column, z0 = chunk.z0, z1 = chunk.z1;
    const tile_column column = s.columns[index];
    if (MAP && column.map) {
        tile_stream<REAL, STEPS, V, ROWS, WARPS, AHEAD, WEIGHTS, MAP, CLUSTER> stream = {s, &now_map, &before_map};
        stream.column = column;
        stream.set_up(memory, index, z0, z1);
        stream.run();
    } else {
        tile_stream<REAL, STEPS, V, ROWS, WARPS, AHEAD, WEIGHTS, false, CLUSTER> stream = {s, &now_map, &before_map};
        stream.column = column;
        stream.set_up(memory, index, z0, z1);
        stream.run();
    }
    if (s.halos.written) {
        const tile_chunk written = chunk_of_block<CLUSTER>(s); /* read again rather than kept in registers */
        tell_written(s.halos, written.z0 - STEPS, written.z1 + STEPS);
    }
#endif
}

/* The same with the 19-point stencil, by the ends of the box of air. Thread blocks of event
 * boxes follow those of tiles. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool ENDS, bool WEIGHTS, bool SPLIT,
          bool ANY>
__global__ void __launch_bounds__(32 * WARPS, 1)
    step_tiles19(const __grid_constant__ CUtensorMap now_map, const __grid_constant__ CUtensorMap before_map,
                 const __grid_constant__ temporal_block<REAL> s)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *memory = reinterpret_cast<REAL *>(shared_memory);
    const unsigned tiles = gridDim.x - s.boxes.blocks;
    if (blockIdx.x >= tiles) {
        step_event_boxes<REAL, STEPS, 32 * WARPS>(s, memory, blockIdx.x - tiles);
        return;
    }
    const tile_chunk chunk = chunk_of_block<false>(s);
    const int index = chunk.column, z0 = chunk.z0, z1 = chunk.z1;
    const tile_column column = s.columns[index];
    const uint32_t *list = s.first_events + (int64_t)index * (s.nz + 1);
    tile19_events<REAL, STEPS, ROWS, WARPS> events;
    events.find(list, z0 - STEPS, z1 - z0 + 2 * STEPS, s.nz);
    if (events.count) {
        tile19_stream<REAL, STEPS, V, ROWS, WARPS, AHEAD, ENDS, WEIGHTS, SPLIT, ANY, true> stream = {
            s, &now_map, &before_map, memory, column, events};
        stream.set_up(list, z0, z1);
        stream.run();
    } else {
        tile19_stream<REAL, STEPS, V, ROWS, WARPS, AHEAD, ENDS, WEIGHTS, SPLIT, ANY, false> stream = {
            s, &now_map, &before_map, memory, column, events};
        stream.set_up(list, z0, z1);
        stream.run();
    }
    tell_event_boxes(s, column, z0, z1);
#endif
}

template <typename REAL> using tile_code = void (*)(const CUtensorMap, const CUtensorMap, const temporal_block<REAL>);

template <typename REAL_, int STEPS_, int V_, int ROWS, int WARPS, int AHEAD, bool CLUSTER_> struct tiles7 {
    typedef REAL_ REAL;
    typedef tile_shape<REAL, STEPS_, V_, ROWS, WARPS, AHEAD, CLUSTER_> shape;
    enum { STEPS = STEPS_, V = V_, CLUSTER = CLUSTER_ };
    static constexpr enum air_stencil stencil = STENCIL_7_POINT;

    static tile_code<REAL> code(tile_walls walls)
    {
        if (walls == WALLS_ANY)
            return step_tiles<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, true, CLUSTER_>;
        return walls == WALLS_ABSORBING ? step_tiles<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, false, CLUSTER_>
                                        : step_tiles<REAL, STEPS, V, ROWS, WARPS, AHEAD, false, false, CLUSTER_>;
    }
};

template <typename REAL_, int STEPS_, int V_, int ROWS, int WARPS, int AHEAD> struct tiles19 {
    typedef REAL_ REAL;
    typedef tile19_shape<REAL, STEPS_, V_, ROWS, WARPS, AHEAD> shape;
    enum { STEPS = STEPS_, V = V_, CLUSTER = false };
    static constexpr enum air_stencil stencil = STENCIL_19_POINT;

    static tile_code<REAL> code(tile_walls walls)
    {
        switch (walls) {
        case WALLS_RIGID:
            return step_tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD, false, false, false, false>;
        case WALLS_FIXED:
            return step_tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, false, false, false>;
        case WALLS_SPLIT:
            return step_tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, false, true, false>;
        case WALLS_ABSORBING:
            return step_tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, true, false, false>;
        default:
            return step_tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD, true, true, true, true>;
        }
    }
};

/* A row of a table: the functions of a shape. */
template <typename TILES> struct row_of {
    static_assert((int)TILES::STEPS <= (int)AIR_REACH, "a block writes to pages that are not stored");
    typedef typename TILES::REAL REAL;
    typedef typename TILES::shape shape;
    enum { CLUSTER = TILES::CLUSTER };

    static size_t bytes(int planes, size_t events)
    {
        return shape::bytes(planes, events);
    }

    static tile_code<REAL> code(tile_walls walls)
    {
        return TILES::code(walls);
    }

    static int prepare(size_t bytes, struct error *e)
    {
        for (int walls = WALLS_RIGID; walls <= WALLS_ANY; walls++)
            if (allow_shared_memory((const void *)code((tile_walls)walls), bytes, temporal_blocks.name, e))
                return -1;
        return 0;
    }

    /* Blocks of the next temporal block set up while the last ones of this one still run. The
     * check after the block reports errors. */
    static void launch(const CUtensorMap *now, const CUtensorMap *before, const void *block, tile_walls walls,
                       unsigned blocks, size_t bytes, cudaStream_t stream)
    {
        const temporal_block<REAL> *s = static_cast<const temporal_block<REAL> *>(block);
        const unsigned cluster = CLUSTER ? (unsigned)(s->cluster[0] * s->cluster[1]) : 0;
        launch_overlapping(code(walls), {dim3(blocks), dim3(shape::THREADS), stream, bytes, cluster}, *now, *before,
                           *s);
    }

    /* Number of clusters of this size that are resident at a time; 0 if the device cannot report
     * it. */
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
        return {TILES::STEPS, shape::WIDTH, shape::HEIGHT, TILES::V, shape::THREADS, shape::HALO_COLUMNS,
                bytes,        prepare,      at_once,       launch,   TILES::stencil};
    }
};

template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool CLUSTER = false>
using row = row_of<tiles7<REAL, STEPS, V, ROWS, WARPS, AHEAD, CLUSTER>>;

template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD>
using row19 = row_of<tiles19<REAL, STEPS, V, ROWS, WARPS, AHEAD>>;

} // namespace temporal

#endif
