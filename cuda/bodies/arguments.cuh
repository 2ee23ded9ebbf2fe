/* SPDX-License-Identifier: MIT */
/* Arguments of the kernels of bodies that run beside the field's kernel: finish.cu, prepare.cu. */
#ifndef AULA_CUDA_BODIES_ARGUMENTS_CUH
#define AULA_CUDA_BODIES_ARGUMENTS_CUH

#include "cuda/bodies/bodies.cuh"

/* Passed by value. */
struct body_arguments {
    const device_body *body;
    const body_job *jobs;
    unsigned now, before; /* levels n, n - 1 among the three */
    unsigned parity;      /* of n */
    double k2;            /* k² */
    const uint32_t *settled;
    const device_cut *cuts;
    double *cut_flux;
    unsigned other_cut_count;
    /* drives */
    const body_drive *drives;
    const body_term *terms;
    uint32_t drive_count;
    const double *drive;
    unsigned long long drive_stride;
    const unsigned long long *base;
    int offset;
};

/* Row `row` of m times `of`. Values of other kernels are read past the first-level cache, which may hold older ones. */
template <typename INDEX, int BATCH>
__device__ __forceinline__ double row_times(const entry_table<INDEX, BATCH> &m, uint32_t row, const double *of)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < m.width; k += BATCH) {
        double value[BATCH], factor[BATCH];
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++) {
            value[i] = __ldg(m.value + (size_t)(k + i) * m.rows + row);
            factor[i] = __ldcg(of + __ldg(m.column + (size_t)(k + i) * m.rows + row));
        }
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++)
            sum += value[i] * factor[i];
    }
    return sum;
}

/* finish.cu: completes level f.now; f.jobs: [blocks]. */
void bodies_finish(const body_arguments &f, unsigned blocks, cudaStream_t stream);

static inline body_arguments make_body_arguments(const device_bodies *b, int phase)
{
    body_arguments f = {};
    f.body = b->body;
    f.now = (unsigned)(phase % 3);
    f.before = (unsigned)((phase + 2) % 3);
    f.parity = (unsigned)(phase & 1);
    f.k2 = b->bodies->time_step * b->bodies->time_step;
    f.settled = b->settled;
    f.cuts = b->cuts;
    f.cut_flux = b->cut_flux;
    f.other_cut_count = b->other_cut_count;
    f.drives = b->drives;
    f.terms = b->terms;
    f.drive_count = b->drive_count;
    return f;
}

#endif
