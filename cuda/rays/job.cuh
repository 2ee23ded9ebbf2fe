/* SPDX-License-Identifier: MIT */
/* The rays of a launch. */
#ifndef AULA_CUDA_RAYS_JOB_CUH
#define AULA_CUDA_RAYS_JOB_CUH

#include "cuda/rays/search.cuh"

extern "C" {
#include "render/hybrid/late_travel.h"
}

/* Pilots and guide rays: their energies are integers of two units, whose sums do not depend on the
 * order and are exact. */
constexpr double coarse_unit = 0x1p-30, fine_unit = 0x1p-76;

/* Of one ray that looks ahead. */
struct seen_ray {
    unsigned hits, flights;
    unsigned long long looked;
};

/* All pointers are of the device. */
struct ray_job {
    tracer t;
    const late_start *starts; /* [rays] */
    traveller *waiting;       /* [warps][LATE_WAITING_MAX] */
    unsigned long long *next; /* ray that no warp has begun */
    const int *stop;          /* in memory of the host */
    const late_tally *tally;
    unsigned long long *lost;
    double step;                  /* m: of the reference */
    unsigned long long *energies; /* [LATE_REFERENCE_STEPS][bands][2]; rays that look ahead only */
    double *shares;               /* [rays][RAY_GUIDE_TIMES]; guide rays only */
    seen_ray *seen;               /* [rays] */
};

constexpr int job_threads = 128;

/* Blocks that run at a time on the current device; 0: unknown. */
int job_blocks();
void job_launch(const ray_job *job, int blocks, cudaStream_t stream);

#endif
