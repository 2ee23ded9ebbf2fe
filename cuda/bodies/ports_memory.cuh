/* SPDX-License-Identifier: MIT */
/* Memory of the block that solves the ports of a body (ports.cu): in shared memory, or if they are too many in
 * global memory. */
#ifndef AULA_CUDA_BODIES_PORTS_MEMORY_CUH
#define AULA_CUDA_BODIES_PORTS_MEMORY_CUH

#include "cuda/bodies/bodies.cuh"
#include "cuda/bodies/next_level.cuh"

extern "C" {
#include "solver/schemes/bodies/ports_solve.h"
}

struct ports_memory {
    struct line_motion *motions;            /* [lines] without ports */
    double *added_pull;                     /* [lines] N, by stretching */
    double *now, *old, *next, *place_force; /* [places] */
    double *stretch_old, *stretch_next;     /* [stretching] */
    struct actor *actor;                    /* [n], n = ports + stretching */
    double *gains, *factor;                 /* [n][n] */
    double *column, *force;                 /* [n] */
    struct actor_counts *counts;
    size_t bytes;

    /* Divides memory, of `bytes` then. */
    __host__ __device__ ports_memory(void *memory, size_t ports, size_t places, size_t stretching, size_t lines)
    {
        const size_t n = ports + stretching;
        char *at = (char *)memory;
        take(motions, at, lines);
        take(added_pull, at, lines);
        take(now, at, places);
        take(old, at, places);
        take(next, at, places);
        take(place_force, at, places);
        take(stretch_old, at, stretching);
        take(stretch_next, at, stretching);
        take(actor, at, n);
        take(gains, at, n * n);
        take(factor, at, n * n);
        take(column, at, n);
        take(force, at, n);
        take(counts, at, 1);
        bytes = (size_t)(at - (char *)memory);
    }

    /* after: level n + 1 */
    __device__ void fill(struct ports_solve &s, const device_ports &p, double time_step, unsigned after) const
    {
        s.ports = p.ports;
        s.port_count = p.port_count;
        s.place_count = p.place_count;
        s.stretching_count = p.stretching_count;
        s.gain = p.gain;
        s.time_step = time_step;
        s.inputs = p.inputs;
        s.now = now;
        s.old = old;
        s.next = next;
        s.stretch_old = stretch_old;
        s.stretch_next = stretch_next;
        s.stretch_gain = p.stretch_gain;
        s.stretch_reach = p.stretch_reach;
        s.state = p.state;
        s.stretched = p.stretched;
        s.outputs = p.forces + (size_t)after * PORT_INPUTS * p.port_count;
        s.place_force = place_force;
        s.stretch_force = p.stretch_force;
        s.energy = p.energy;
        s.actor = actor;
        s.gains = gains;
        s.factor = factor;
        s.column = column;
        s.force = force;
        s.counts = counts;
    }

  private:
    template <typename T> static __host__ __device__ void take(T *&array, char *&at, size_t count)
    {
        static_assert(alignof(T) <= 8, "arrays follow each other at multiples of 8 bytes");
        array = (T *)at;
        at += (count * sizeof(T) + 7) / 8 * 8;
    }
};

#endif
