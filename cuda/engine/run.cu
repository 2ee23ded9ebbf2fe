/* SPDX-License-Identifier: MIT */
/* Steps blocks of audio: copies drive signals to the device, takes steps, and copies taps back. */
#include <algorithm>

#include "cuda/engine/halos.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/temporal/temporal.cuh"
#include "solver/halos.h"

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

namespace
{

/* Terms of taps at level 1, after the last step of a block. */
template <typename REAL> __global__ void sum_last_taps(const step<REAL> s)
{
    for (unsigned channel = threadIdx.x; channel < s.tap_count; channel += blockDim.x)
        read_late_taps(s, channel);
}

template <typename REAL> void read_last_taps(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    sum_last_taps<REAL><<<1, 256, 0, s->stream>>>(args);
    bodies_settle(s->bodies, s->phase, s->stream);
    bodies_read_taps<REAL>(s->bodies, args, s->phase, s->stream);
}

int send_drives(const cuda_state *s, size_t done, size_t steps, const struct block *b, struct error *e)
{
    const size_t count = s->problem->drive_count, row = BLOCK_STEPS * sizeof(double), bytes = steps * sizeof(double);
    if (!count)
        return 0;
    return cuda_check(b->drive ? cudaMemcpy2DAsync(s->drive, row, b->drive + done, b->drive_stride * sizeof(double),
                                                   bytes, count, cudaMemcpyHostToDevice, s->stream)
                               : cudaMemset2DAsync(s->drive, row, 0, bytes, count, s->stream),
                      "drive signals", e);
}

/* Divides the steps among the strategies, offering them to the last one opened first. */
int take_steps(cuda_state *s, size_t steps, struct error *e)
{
    for (int i = s->open_count; i-- > 0;)
        if (s->open[i].strategy->enqueue(s->open[i].state, s, &steps, e))
            return -1;
    return 0;
}

/* With exchanges of halos in between, for which only the device waits: steps that read received
 * halos wait for them. */
int take_steps_exchanging(cuda_state *s, size_t steps, const struct exchanges *x, struct error *e)
{
    s->exchanging = true;
    int status = 0;
    for (size_t done = 0, count; done < steps && !status; done += count) {
        count = std::min(steps - done, x->every);
        /* the steps may use kernels that are not loaded yet: as in the first exchanges
         * (halo_passages.cu) */
        status = done && count < x->every && s->halo_streams.links ? halos_wait_until_received(s, e) : 0;
        const size_t next = std::min(steps - done - count, x->every);
        s->halo_streams.counts_written = false;
        status = status || take_steps(s, count, e) ? -1 : 0;
        s->halo_streams.pass_follows = s->pass_steps && next == (size_t)s->pass_steps;
        status = status || x->exchange(x->context, e) ? -1 : 0;
    }
    s->exchanging = s->halo_streams.pass_follows = false;
    catch_up_base(s);
    return status || halos_wait_until_received(s, e) ? -1 : 0;
}

int receive_taps(const cuda_state *s, size_t done, size_t steps, const struct block *b, struct error *e)
{
    const struct problem *p = s->problem;
    if (!p->tap_count || !b->taps)
        return 0;
    if (tap_history_is_kept(s))
        tap_history_sum(s, steps);
    else if (p->precision == PRECISION_DOUBLE)
        read_last_taps<double>(s);
    else
        read_last_taps<float>(s);
    return cuda_check(cudaGetLastError(), "taps", e) ||
           cuda_check(cudaMemcpy2DAsync(b->taps + done, b->tap_stride * sizeof(double), s->taps,
                                        BLOCK_STEPS * sizeof(double), steps * sizeof(double), p->tap_count,
                                        cudaMemcpyDeviceToHost, s->stream),
                      "taps", e);
}

int count_time(const cuda_state *s, struct error *e)
{
    float milliseconds;
    if (cuda_check(cudaEventElapsedTime(&milliseconds, s->part_begin, s->part_end), "block", e))
        return -1;
    phase_add_beside("stepping on the GPU", 1e-3 * (double)milliseconds);
    return 0;
}

int run_part(cuda_state *s, size_t done, size_t steps, const struct block *b, const struct exchanges *x,
             struct error *e)
{
    if (cuda_check(cudaEventRecord(s->part_begin, s->stream), "block", e) ||
        cuda_check(cudaMemsetAsync(s->base, 0, sizeof *s->base, s->stream), "block", e) ||
        send_drives(s, done, steps, b, e))
        return -1;
    if (tap_history_is_kept(s))
        tap_history_record(s, s->phase, 0);
    return (x ? take_steps_exchanging(s, steps, x, e) : take_steps(s, steps, e)) ||
           receive_taps(s, done, steps, b, e) || cuda_check(cudaEventRecord(s->part_end, s->stream), "block", e) ||
           cuda_check(cudaStreamSynchronize(s->stream), s->open[0].strategy->name, e) || count_time(s, e);
}

} // namespace

int run_blocks(cuda_state *s, size_t steps, const struct block *b, const struct exchanges *x, struct error *e)
{
    const size_t most = x ? BLOCK_STEPS - BLOCK_STEPS % x->every : (size_t)BLOCK_STEPS;
    for (size_t done = 0; done < steps;) {
        const size_t part = steps - done < most ? steps - done : most;
        if (run_part(s, done, part, b, x, e))
            return -1;
        done += part;
    }
    return 0;
}
