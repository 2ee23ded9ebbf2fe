/* CUDA graphs of steps: captured once, launched again and again. */
#ifndef AULA_CUDA_GRAPHS_CUH
#define AULA_CUDA_GRAPHS_CUH

#include "cuda/engine/state.cuh"

/* Adds `steps` to *base after what the stream was given. */
void advance_base(const cuda_state *s, unsigned long long steps);

/* Between these, the stream records what it is given. `end` makes the graph of that and of `steps` more on *base after it;
 * status: of the recording, which is returned where it is not 0. */
int graph_begin(const cuda_state *s, struct error *e);
int graph_end(const cuda_state *s, cudaGraphExec_t *made, unsigned long long steps, int status, struct error *e);

/* Launches *graph, and makes it first where there is none; work: returns 0 after giving the stream the launches. */
template <typename WORK>
int graph_launch(const cuda_state *s, cudaGraphExec_t *graph, unsigned long long steps, WORK work, struct error *e)
{
    if (!*graph && (graph_begin(s, e) || graph_end(s, graph, steps, work(), e)))
        return -1;
    return cuda_check(cudaGraphLaunch(*graph, s->stream), "step graph", e);
}

void graph_drop(cudaGraphExec_t *graph); /* NULL-safe */

#endif
