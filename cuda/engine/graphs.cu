/* SPDX-License-Identifier: MIT */
#include "cuda/engine/graphs.cuh"

namespace
{

__global__ void add_to_base(unsigned long long *base, unsigned long long steps)
{
    *base += steps;
}

void advance(const cuda_state *s, unsigned long long steps)
{
    add_to_base<<<1, 1, 0, s->stream>>>(s->base, steps);
}

} // namespace

void advance_base(cuda_state *s, unsigned long long steps)
{
    if (s->exchanging)
        s->base_behind += steps;
    else
        advance(s, steps);
}

void catch_up_base(cuda_state *s)
{
    if (s->base_behind)
        advance(s, s->base_behind);
    s->base_behind = 0;
}

int graph_begin(const cuda_state *s, struct error *e)
{
    return cuda_check(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal), "step graph", e);
}

int graph_end(const cuda_state *s, cudaGraphExec_t *made, unsigned long long steps, int status, struct error *e)
{
    cudaGraph_t graph = nullptr;
    if (!status) {
        advance(s, steps);
        status = cuda_check(cudaGetLastError(), "step graph", e);
    }
    const cudaError_t ended = cudaStreamEndCapture(s->stream, &graph);
    if (!status)
        status =
            cuda_check(ended, "step graph", e) ||
            cuda_check(cudaGraphInstantiate(made, graph, cudaGraphInstantiateFlagUseNodePriority), "step graph", e);
    if (graph)
        cudaGraphDestroy(graph);
    return status ? -1 : 0;
}

void graph_drop(cudaGraphExec_t *graph)
{
    if (*graph)
        cudaGraphExecDestroy(*graph);
    *graph = nullptr;
}
