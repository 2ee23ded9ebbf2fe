/* SPDX-License-Identifier: MIT */
/* Halos of parts that need not pass through the host (struct halo_access of solver.h). */
#ifndef AULA_CUDA_HALOS_CUH
#define AULA_CUDA_HALOS_CUH

#include "cuda/engine/state.cuh"
#include "solver/halos.h"

extern const struct halo_access cuda_leapfrog_halos;

/* Device memory of the halos of a part of a grid, those that it gives included; 0 for a whole grid. */
uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows,
                            const struct solver_options *c);

/* Steps that are put on their stream after this read halos as they were taken last, and may overwrite what was given.
 * Nothing where they have waited already. */
int halos_wait(cuda_state *s, struct error *e);

/* As halos_wait; where links pass halos, returns when the steps' stream is done, or with the reason why it never will
 * be. */
int halos_wait(cuda_state *s, struct error *e);

/* They may overwrite what was given. */
int halos_wait_until_given(const cuda_state *s, struct error *e);

/* As halos_wait, but what is put on the steps' stream is to wait itself, by a gate (temporal/halo_gate.cuh). False: it
 * must not, because it would keep from starting what it waits for: kernels of the exchange, unless it leaves room for
 * them, or those of another part on this GPU. */
bool halos_await(cuda_state *s, bool leaves_room, struct halo_gate *gate);
bool halos_may_be_awaited(const cuda_state *s, bool leaves_room);

/* Thread blocks that read halos count, by the gate, what they have written, and the next exchange of what they give
 * waits for so many rather than for the steps, where this device can. */
void halos_count_written(cuda_state *s, unsigned blocks, struct halo_gate *gate);

/* What is put on *near between these two calls reads halos as they were taken last; later steps follow it. */
int halos_begin_near(const cuda_state *s, cudaStream_t *near, struct error *e);
int halos_end_near(cuda_state *s, struct error *e);

void halos_drop(cuda_state *s); /* the streams, when all halos are closed */

#endif
