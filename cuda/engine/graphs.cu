/* Stepping: graphs of steps, audio up and down once a block. */
#include "cuda/engine/state.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/temporal/tile_plan.cuh"

namespace
{

/* For kernels that leave the audio to the engine: taps of p^n, drives into p^{n+1}. */
template <typename REAL> __global__ void audio_step(const step<REAL> s)
{
    for (unsigned channel = threadIdx.x; channel < s.tap_count; channel += blockDim.x)
        read_taps(s, channel);
    add_drives(s, EVERY_TILE, threadIdx.x, blockDim.x);
}

/* After the last step of a block: what taps of level 1 hear now. */
template <typename REAL> __global__ void last_taps(const step<REAL> s)
{
    for (unsigned channel = threadIdx.x; channel < s.tap_count; channel += blockDim.x)
        read_late_taps(s, channel);
}

__global__ void advance_base(unsigned long long *base, unsigned long long steps)
{
    *base += steps;
}

template <typename REAL>
__global__ void keep_before(const step<REAL> s, const watched_point *walls, size_t count, double *before,
                            double *drive_before)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        before[i] = (double)s.before[walls[i].at];
    if (blockIdx.x == 0)
        for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x)
            drive_before[i] = (double)s.before[s.drive_points[i].at];
}

template <typename REAL>
__global__ void follow_energy(const step<REAL> s, const watched_point *walls, size_t count, const double *before,
                              double *absorbed, const double *drive_before, double *supplied)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const double change = (double)s.next[walls[i].at] - before[i];
        absorbed[i] += walls[i].half_a * change * change;
    }
    if (blockIdx.x != 0)
        return;
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x) {
        double sum = 0.0;
        for (uint32_t k = s.drive_points[i].first; k < s.drive_points[i].end; k++)
            sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
        supplied[i] += 0.5 * sum * ((double)s.next[s.drive_points[i].at] - drive_before[i]);
    }
}

/* The step that makes p^{phase + 1}. */
template <typename REAL> int enqueue_step(const cuda_state *s, int phase, int offset, struct error *e)
{
    step<REAL> args = make_step<REAL>(s, phase, offset);
    if (s->fused)
        args.tap_count = 0; /* they are heard by captures */
    const unsigned blocks = (unsigned)(s->wall_count / 256 < 1024 ? s->wall_count / 256 + 1 : 1024);
    bodies_begin<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited)
        keep_before<REAL>
            <<<blocks, 256, 0, s->stream>>>(args, s->walls, s->wall_count, s->wall_before, s->drive_before);
    if constexpr (sizeof(REAL) == sizeof(double))
        s->kernel->launch_double(&args, s->block, s->stream);
    else
        s->kernel->launch_single(&args, s->block, s->stream);
    if (!s->kernel->own_audio && (args.tap_count || args.drive_point_count))
        audio_step<REAL><<<1, 256, 0, s->stream>>>(args);
    branches_enqueue<REAL>(&s->branches, args.next, s->pair, (phase + 1) & 1, s->stream);
    if (s->fused)
        captures_take(s, phase + 1, s->pair, offset + 1);
    bodies_end<REAL>(s->bodies, args, phase, s->stream);
    if (s->audited)
        bodies_follow(s->bodies, phase, s->stream);
    if (s->audited)
        follow_energy<REAL><<<blocks, 256, 0, s->stream>>>(args, s->walls, s->wall_count, s->wall_before,
                                                           s->wall_absorbed, s->drive_before, s->drive_supplied);
    return cuda_check(cudaGetLastError(), s->kernel->name, e);
}

int enqueue(const cuda_state *s, int phase, int offset, struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue_step<double>(s, phase, offset, e)
                                                     : enqueue_step<float>(s, phase, offset, e);
}

template <typename REAL> void refresh_history(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    branches_read_history<REAL>(&s->branches, args.now, args.before, s->phase & 1, s->stream);
    bodies_read_history<REAL>(s->bodies, args, s->phase, s->stream);
}

template <typename REAL> void hear_last(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    last_taps<REAL><<<1, 256, 0, s->stream>>>(args);
    bodies_settle(s->bodies, s->phase, s->stream);
    bodies_listen<REAL>(s->bodies, args, s->phase, s->stream);
}

/* A graph of work that the stream is given, and of `steps` more on *base after it. */
template <typename WORK>
int make_graph(const cuda_state *s, cudaGraphExec_t *made, unsigned long long steps, WORK work, struct error *e)
{
    cudaGraph_t graph = nullptr;
    if (cuda_check(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal), "step graph", e))
        return -1;
    int status = work();
    if (!status) {
        advance_base<<<1, 1, 0, s->stream>>>(s->base, steps);
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

int launch_graph(const cuda_state *s, cudaGraphExec_t graph, struct error *e)
{
    return cuda_check(cudaGraphLaunch(graph, s->stream), "step graph", e);
}

/* The graph of GRAPH_STEPS steps that begins at this phase. */
int make_step_graph(cuda_state *s, struct error *e)
{
    auto work = [&] {
        int status = 0;
        for (int i = 0; i < GRAPH_STEPS && !status; i++)
            status = enqueue(s, (s->phase + i) % PHASES, i, e);
        return status;
    };
    return make_graph(s, &s->graphs[s->phase], GRAPH_STEPS, work, e);
}

void refresh(cuda_state *s)
{
    if (s->history_is_old && s->problem->precision == PRECISION_DOUBLE)
        refresh_history<double>(s);
    else if (s->history_is_old)
        refresh_history<float>(s);
    s->history_is_old = false;
}

/* As many whole passes of several steps as there are; what is left of *steps is fewer than a pass has. */
int enqueue_passes(cuda_state *s, size_t *steps, struct error *e)
{
    const size_t pass = (size_t)tile_plan_kernel(s)->steps, graph_steps = GRAPH_PASSES * pass;
    s->history_is_old = s->history_is_old || *steps >= pass; /* passes do not look at it */
    for (; *steps >= graph_steps; *steps -= graph_steps) {   /* phase and pair come back */
        cudaGraphExec_t *graph = &s->temporal_graphs[s->pair][s->phase];
        auto work = [&] {
            int status = 0;
            for (size_t i = 0; i < GRAPH_PASSES && !status; i++)
                status = tile_plan_enqueue(s, (int)(((size_t)s->phase + i * pass) % PHASES), (s->pair + (int)i) & 1,
                                           (int)(i * pass), e);
            return status;
        };
        if ((!*graph && make_graph(s, graph, graph_steps, work, e)) || launch_graph(s, *graph, e))
            return -1;
    }
    const size_t first = *steps;
    for (; *steps >= pass; *steps -= pass) {
        if (tile_plan_enqueue(s, s->phase, s->pair, (int)(first - *steps), e))
            return -1;
        s->phase = (int)(((size_t)s->phase + pass) % PHASES);
        s->pair = !s->pair;
    }
    if (first > *steps)
        advance_base<<<1, 1, 0, s->stream>>>(s->base, first - *steps);
    return cuda_check(cudaGetLastError(), "passes", e);
}

} // namespace

void steps_drop_graphs(cuda_state *s)
{
    for (int i = 0; i < PHASES; i++) {
        if (s->graphs[i])
            cudaGraphExecDestroy(s->graphs[i]);
        s->graphs[i] = nullptr;
        for (int pair = 0; pair < 2; pair++) {
            if (s->temporal_graphs[pair][i])
                cudaGraphExecDestroy(s->temporal_graphs[pair][i]);
            s->temporal_graphs[pair][i] = nullptr;
        }
    }
}

int steps_enqueue(cuda_state *s, size_t steps, struct error *e)
{
    if (s->fused && enqueue_passes(s, &steps, e))
        return -1;
    if (steps)
        refresh(s);
    for (; steps >= GRAPH_STEPS; steps -= GRAPH_STEPS)
        if ((!s->graphs[s->phase] && make_step_graph(s, e)) || launch_graph(s, s->graphs[s->phase], e))
            return -1;
    for (size_t i = 0; i < steps; i++) {
        if (enqueue(s, s->phase, (int)i, e))
            return -1;
        s->phase = (s->phase + 1) % PHASES;
    }
    if (steps)
        advance_base<<<1, 1, 0, s->stream>>>(s->base, steps);
    return cuda_check(cudaGetLastError(), "steps", e);
}

namespace
{

int run_part(cuda_state *s, size_t done, size_t steps, const struct block *b, struct error *e)
{
    const struct problem *p = s->problem;
    const size_t row = BLOCK_STEPS * sizeof(double), bytes = steps * sizeof(double);
    if (cuda_check(cudaMemsetAsync(s->base, 0, sizeof *s->base, s->stream), "block", e))
        return -1;
    if (p->drive_count) {
        cudaError_t status = b->drive
                                 ? cudaMemcpy2DAsync(s->drive, row, b->drive + done, b->drive_stride * sizeof(double),
                                                     bytes, p->drive_count, cudaMemcpyHostToDevice, s->stream)
                                 : cudaMemset2DAsync(s->drive, row, 0, bytes, p->drive_count, s->stream);
        if (cuda_check(status, "drive signals", e))
            return -1;
    }
    if (s->fused)
        captures_take(s, s->phase, s->pair, 0);
    if (steps_enqueue(s, steps, e))
        return -1;
    if (p->tap_count && b->taps) {
        if (s->fused)
            captures_sum(s, steps);
        else if (p->precision == PRECISION_DOUBLE)
            hear_last<double>(s);
        else
            hear_last<float>(s);
        if (cuda_check(cudaGetLastError(), "taps", e))
            return -1;
        if (cuda_check(cudaMemcpy2DAsync(b->taps + done, b->tap_stride * sizeof(double), s->taps, row, bytes,
                                         p->tap_count, cudaMemcpyDeviceToHost, s->stream),
                       "taps", e))
            return -1;
    }
    return cuda_check(cudaStreamSynchronize(s->stream), s->kernel->name, e);
}

} // namespace

int steps_run(cuda_state *s, size_t steps, const struct block *b, struct error *e)
{
    for (size_t done = 0; done < steps;) {
        const size_t part = steps - done < BLOCK_STEPS ? steps - done : (size_t)BLOCK_STEPS;
        if (run_part(s, done, part, b, e))
            return -1;
        done += part;
    }
    return 0;
}
