/* SPDX-License-Identifier: MIT */
/* Plates at large amplitude on the device, for stretching.cu: the steps of plate_stretching.h, in double but for Ψ.
 *      fold_curvature  s at the nodes with Ψ, folded by parity into a quarter
 *      project         b_p = ∬ Ψ_p s
 *      sum_stress      E H ∬ Ψ b, unfolded
 *      find_slopes     ∇V, of stretching.cu
 *      find_responses  g = ∇V/√(2V), drawn to √(2V), of stretching.cu
 * Each node's arithmetic is that of the CPU, operation for operation. Sums over nodes and functions
 * have another order, which is fixed. All five launches of a step run beside the field's kernels,
 * whatever the number of plates.
 *
 * Memory, bytes: 4 quarter functions for Ψ, of which both products read one copy, along nodes;
 * 56 quarter for the images, their shares and s; 8 functions for b; 16 nx ny for lightness and
 * stress. */
#ifndef AULA_CUDA_BODIES_PLATE_STRETCHING_CUH
#define AULA_CUDA_BODIES_PLATE_STRETCHING_CUH

#include "cuda/bodies/next_level.cuh"
#include "cuda/bodies/place.cuh"

extern "C" {
#include "solver/schemes/bodies/stretching.h"
}

/* Constants as in plate_stretching.h; the functions of all parities follow each other. */
struct device_plate {
    uint32_t nx, quarter, first[PLATE_PARITIES + 1]; /* first function of each parity, and their number */
    double x2, y2, xy, area, stiffness;              /* 1/hx², 1/hy², 1/hx hy, hx hy; E H */
    const double *lightness;                         /* [ny][nx] */
    const uint32_t *image;                           /* [4][quarter] */
    const double *share;                             /* [quarter] */
    const float *function;                           /* [functions][quarter] Ψ, m */
    double *folded;                                  /* [parity][quarter] s */
    double *b;                                       /* [functions] */
    double *stress;                                  /* [ny][nx]; 0 where Ψ is unknown */
};

/* Values at a node and its neighbours, [1][1] being the node. */
struct node_patch {
    double at[3][3];
};

/* Displacements around a node that is not of the rim, m. */
__device__ __forceinline__ node_patch displacements_around(const device_plate &p, uint32_t node, const double *w)
{
    node_patch v;
#pragma unroll
    for (uint32_t y = 0; y < 3; y++)
#pragma unroll
        for (uint32_t x = 0; x < 3; x++) {
            const uint32_t i = node + y * p.nx + x - p.nx - 1;
            v.at[y][x] = __ldg(p.lightness + i) * __ldcg(w + i);
        }
    return v;
}

/* w_xx in column 1 of row y, w_yy in row 1 of column x, and w_xy in the cell between row y and the
 * next and column x and the next. */
__device__ __forceinline__ double along_of(const device_plate &p, const node_patch &v, int y)
{
    return p.x2 * ((v.at[y][0] + v.at[y][2]) - 2.0 * v.at[y][1]);
}

__device__ __forceinline__ double across_of(const device_plate &p, const node_patch &v, int x)
{
    return p.y2 * ((v.at[0][x] + v.at[2][x]) - 2.0 * v.at[1][x]);
}

__device__ __forceinline__ double twist_of(const device_plate &p, const node_patch &v, int y, int x)
{
    return p.xy * ((v.at[y][x] + v.at[y + 1][x + 1]) - (v.at[y][x + 1] + v.at[y + 1][x]));
}

/* Of V by the state of a node: the transposed differences of the stress times its counterparts in s. */
__device__ __forceinline__ double plate_gradient(const device_plate &p, uint32_t node, const double *w)
{
    const double lightness = __ldg(p.lightness + node);
    if (!(lightness > 0.0))
        return 0.0;
    const node_patch v = displacements_around(p, node, w);
    node_patch stress;
    double twist[2][2];
#pragma unroll
    for (uint32_t y = 0; y < 3; y++)
#pragma unroll
        for (uint32_t x = 0; x < 3; x++)
            stress.at[y][x] = __ldcg(p.stress + (node + y * p.nx + x - p.nx - 1));
#pragma unroll
    for (int y = 0; y < 2; y++)
#pragma unroll
        for (int x = 0; x < 2; x++)
            twist[y][x] =
                twist_of(p, v, y, x) *
                (-0.5 * ((stress.at[y][x] + stress.at[y][x + 1]) + (stress.at[y + 1][x] + stress.at[y + 1][x + 1])));
    const double before = stress.at[1][0] * across_of(p, v, 0), after = stress.at[1][2] * across_of(p, v, 2);
    const double below = stress.at[0][1] * along_of(p, v, 0), above = stress.at[2][1] * along_of(p, v, 2);
    return lightness * (p.x2 * ((before + after) - 2.0 * (stress.at[1][1] * across_of(p, v, 1))) +
                        p.y2 * ((below + above) - 2.0 * (stress.at[1][1] * along_of(p, v, 1))) +
                        p.xy * ((twist[1][1] + twist[0][0]) - (twist[1][0] + twist[0][1])));
}

/* Turns ∇V into g in place, as control_drift of stretching.h. By a block; all its threads have
 * arrived when it returns. */
__device__ __forceinline__ void control_plate_drift(const device_body &b, const device_stretching &t, double psi,
                                                    const double *now, const double *before)
{
    const device_plate &p = *t.plate;
    double weights = 0.0, slope = 0.0, square = 0.0;
    for (uint32_t i = threadIdx.x; i < p.first[PLATE_PARITIES]; i += blockDim.x)
        weights += __ldcg(p.b + i) * __ldcg(p.b + i);
    for (uint32_t i = threadIdx.x; i < b.nodes; i += blockDim.x) {
        const double moved = __ldcg(now + i) - __ldcg(before + i);
        slope += __ldcg(t.g + i) * moved;
        square += moved * moved;
    }
    const double root = sqrt(p.stiffness * block_sum(weights)), inverse = root > 0.0 ? 1.0 / root : 0.0;
    slope = inverse * block_sum(slope);
    square = block_sum(square);
    const struct drift_control drift = drift_of(root, slope, square, psi, b.force_gain);
    for (uint32_t i = threadIdx.x; i < b.nodes; i += blockDim.x)
        t.g[i] = inverse * __ldcg(t.g + i) + drift.pull * (__ldcg(now + i) - __ldcg(before + i));
    __syncthreads();
}

/* --- on the host --- */

int place_plate(body_setup &m, device_stretching &t, const struct plate_stretching *from);
uint64_t plate_device_bytes(const struct body *body); /* allocations included */

/* The jobs of blocks of all plates, after the bodies are placed. */
int place_plate_jobs(body_setup &m);

/* On b->stream, before find_slopes: the stress of level `now` of the three. */
void plates_begin(const struct device_bodies *b, unsigned now);

#endif
