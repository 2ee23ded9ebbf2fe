/* SPDX-License-Identifier: MIT */
/* Wind instruments on the device (solver/schemes/bodies/wind_solve.h): a block for each. The half of the step that
 * does not need the new air runs concurrently with the field's kernels, the other half after `couple` and `ports`. */
#ifndef AULA_CUDA_BODIES_WINDS_CUH
#define AULA_CUDA_BODIES_WINDS_CUH

#include <cstdint>
#include <cuda_runtime.h>

extern "C" {
#include "solver/schemes/bodies/wind.h"
#include "solver/solver.h"
}
#include "cuda/grid/view.cuh"

struct body_setup;
struct device_bodies;

/* Places that openings touch, without repetition, and the openings of each in ascending order. */
struct device_touched {
    uint32_t count;
    const uint64_t *at;    /* [count] */
    const uint32_t *first; /* [count + 1] into `opening` */
    const uint32_t *opening;
};

struct device_wind {
    struct wind wind;                    /* arrays on the device; points: nullptr */
    struct device_touched points, cells; /* of the padded grid, of the bore */
    const uint32_t *first;               /* [opening_count + 1]: first of the opening's entries of `point` */
    const uint32_t *point;               /* [wind_points] index into points.at */
    const double *gain;                  /* [opening_count] change of ψ for ū = 1, s/m³ */
    double *state;                       /* the block of wind.h; nullptr: no wind instrument */
    double *inputs;                      /* [wind_values] */
    double *outputs;                     /* [3][wind_values] of a step at its new level */
    double *before;                      /* [2][opening_count] mean ψ of its points by the parity of the level */
    /* from the first half of the step to the second, as in wind_solve.h */
    struct wind_output *output;
    double *inside, *factor;
    uint32_t *open, *open_count;
    double *air; /* [points.count] scratch; nullptr: shared memory is large enough */
};

/* Sets up b->winds and b->host_winds, after the bodies. */
int place_winds(body_setup &m);
uint64_t winds_device_bytes(const struct body *body); /* allocations included */

/* On b->stream, and after all that moves the air. */
template <typename REAL> void winds_begin(const struct device_bodies *b, const step<REAL> &s, int phase);
template <typename REAL>
void winds_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Reads the mean ψ of level phase - 1 from the grid. */
template <typename REAL>
void winds_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Adds the energy of the wind instrument of a body, if it has one, J. */
int winds_audit(const struct device_bodies *b, size_t body, double *stored, double *lost, double *given,
                struct error *e);

#endif
