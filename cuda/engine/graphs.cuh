/* SPDX-License-Identifier: MIT */
/* CUDA graphs of steps: captured once, launched repeatedly. */
#ifndef AULA_CUDA_GRAPHS_CUH
#define AULA_CUDA_GRAPHS_CUH

#include "cuda/engine/state.cuh"

/* Enqueues the addition of `steps` to *base. Between exchanges of halos this is put off until catch_up_base, because a
 * kernel between two passes keeps the second from starting. */
void advance_base(cuda_state *s, unsigned long long steps);
void catch_up_base(cuda_state *s);

/* Launches on the stream between these are captured. graph_end appends the addition of `steps` to *base and makes the
 * graph. status: of the capture; returned where it is not 0. */
int graph_begin(const cuda_state *s, struct error *e);
int graph_end(const cuda_state *s, cudaGraphExec_t *made, unsigned long long steps, int status, struct error *e);

/* Launches *graph, which is captured first when it is NULL. work: enqueues the launches and returns 0. */
template <typename WORK>
int graph_launch(cuda_state *s, cudaGraphExec_t *graph, unsigned long long steps, WORK work, struct error *e)
{
    catch_up_base(s);
    if (!*graph && (graph_begin(s, e) || graph_end(s, graph, steps, work(), e)))
        return -1;
    return cuda_check(cudaGraphLaunch(*graph, s->stream), "step graph", e);
}

void graph_drop(cudaGraphExec_t *graph); /* NULL-safe */

#endif
