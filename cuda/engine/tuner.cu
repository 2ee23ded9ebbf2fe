/* The tuner: block shapes of the kernels that step any room, timed on this solver's own memory while the field is still silent
 * and therefore stays so. What was found is remembered (tuning.cuh), and timed again before it is believed. */
#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
#include "base/clock.h"
}
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/engine/tuning.cuh"
#include "cuda/temporal/tile_plan.cuh"

namespace
{

const double seconds_max = 1.2; /* of trying, whatever the grid */

struct candidate {
    const struct cuda_kernel *kernel;
    struct block_shape block;
};

/* Takes the kernel and block of an answer; false: there are no such. */
bool take(cuda_state *s, const struct tuned &answer)
{
    const struct block_shape block = answer.shape;
    if (block.x != 32 || block.y < 1 || block.y > ROOM_THREADS / 32 || block.z < 1 || block.z > 4096)
        return false;
    for (size_t i = 0; cuda_kernels[i]; i++)
        if (cuda_kernels[i]->own_audio && !strcmp(cuda_kernels[i]->name, answer.kernel)) {
            s->kernel = cuda_kernels[i];
            s->block = block;
            return true;
        }
    return false;
}

struct tuned answer_of(const char *kernel, struct block_shape shape, double milliseconds)
{
    struct tuned answer = {};
    snprintf(answer.kernel, sizeof answer.kernel, "%s", kernel);
    answer.shape = shape;
    answer.milliseconds = milliseconds;
    return answer;
}

std::string room_key(const cuda_state *s)
{
    return tuning_room_key(s->problem, &s->layout, &s->rows, s->audited);
}

int time_steps(cuda_state *s, cudaEvent_t from, cudaEvent_t to, size_t steps, float *milliseconds, struct error *e)
{
    float elapsed = 0.0f;
    if (cuda_check(cudaMemsetAsync(s->base, 0, sizeof *s->base, s->stream), "tuner", e) ||
        cuda_check(cudaEventRecord(from, s->stream), "tuner", e) || steps_enqueue(s, steps, e) ||
        cuda_check(cudaEventRecord(to, s->stream), "tuner", e) || cuda_check(cudaEventSynchronize(to), "tuner", e) ||
        cuda_check(cudaEventElapsedTime(&elapsed, from, to), "tuner", e))
        return -1;
    *milliseconds = elapsed / (float)steps;
    return 0;
}

/* Milliseconds a step of a candidate: of two steps where a step is long, else the best of three runs of sixteen. Even numbers of steps
 * leave the grids in their places. */
int time_candidate(cuda_state *s, const candidate &c, float *milliseconds, struct error *e)
{
    cudaEvent_t from = nullptr, to = nullptr;
    s->kernel = c.kernel;
    s->block = c.block;
    int status = setup_tiles(s, e) || cuda_check(cudaEventCreate(&from), "tuner", e) ||
                 cuda_check(cudaEventCreate(&to), "tuner", e) || time_steps(s, from, to, 2, milliseconds, e);
    for (int i = 0; i < 3 && !status && *milliseconds < 2.0f; i++) {
        float again;
        status = time_steps(s, from, to, 16, &again, e);
        if (!status && (i == 0 || again < *milliseconds)) /* the two steps before were a warm-up */
            *milliseconds = again;
    }
    if (from)
        cudaEventDestroy(from);
    if (to)
        cudaEventDestroy(to);
    return status ? -1 : 0;
}

bool can_launch(const cuda_state *s, const candidate &c)
{
    const dim3 n = tiling((int)s->layout.points[0], (int)s->layout.points[1], (int)s->layout.points[2], c.block,
                          c.kernel->values_per_thread[s->problem->precision]);
    return n.y <= 65535 && n.z <= 65535;
}

} // namespace

int tuner_choose(cuda_state *s, struct error *e)
{
    static const int heights[] = {4, 2, 3, 1}, depths[] = {16, 8, 12, 24, 32, 4, 64};
    const std::string key = tuning_steps_key(tuning_device_key(), room_key(s));
    struct tuned known;
    if (tuning_recall(key, &known) && take(s, known)) {
        float milliseconds;
        if (time_candidate(s, {s->kernel, s->block}, &milliseconds, e))
            return -1;
        if (tuning_holds(known, milliseconds))
            return 0;
    }
    candidate best = {s->kernel, s->block};
    float least = -1.0f;
    size_t tried = 0;
    const double start = clock_seconds();
    for (size_t k = 0; cuda_kernels[k]; k++) {
        if (!cuda_kernels[k]->own_audio || cuda_kernels[k]->applicable(s->problem, &s->layout))
            continue;
        for (int depth : depths)
            for (int height : heights) {
                const candidate c = {cuda_kernels[k], {32, height, depth}};
                float milliseconds;
                if (clock_seconds() - start > seconds_max || !can_launch(s, c))
                    continue;
                tried++;
                if (time_candidate(s, c, &milliseconds, e))
                    return -1;
                if (least < 0.0f || milliseconds < least) {
                    least = milliseconds;
                    best = c;
                }
            }
    }
    s->kernel = best.kernel;
    s->block = best.block;
    if (tried >= 4)
        tuning_remember(key, answer_of(s->kernel->name, s->block, least));
    return setup_tiles(s, e);
}

namespace
{

/* Milliseconds a step in passes of several steps: of two passes where a pass is long, else the best of three runs of one graph of passes.
 * Even numbers of passes leave the pairs of grids in their places. */
int time_passes(cuda_state *s, float *milliseconds, struct error *e)
{
    const size_t steps = GRAPH_PASSES * (size_t)tile_plan_kernel(s)->steps;
    cudaEvent_t from = nullptr, to = nullptr;
    int status = cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e);
    status = status || time_steps(s, from, to, 2 * (size_t)tile_plan_kernel(s)->steps, milliseconds, e);
    const bool brief = *milliseconds < 2.0f;
    for (int i = -1; i < 3 && !status && brief; i++) { /* the first one warms up: it makes the graph */
        float again;
        status = time_steps(s, from, to, steps, &again, e);
        if (!status && (i <= 0 || again < *milliseconds))
            *milliseconds = again;
    }
    if (from)
        cudaEventDestroy(from);
    if (to)
        cudaEventDestroy(to);
    return status ? -1 : 0;
}

} // namespace

/* Takes the kernel of several steps that an answer names, or none; *holds is false when there is no such kernel, or it does not fit, or is
 * slower than it was. */
static int try_known(cuda_state *s, const struct tuned &known, bool *holds, struct error *e)
{
    float milliseconds = 0.0f;
    *holds = false;
    if (strcmp(known.kernel, "passes") != 0)
        return 0;
    if (known.shape.x == 0) {
        if (time_candidate(s, {s->kernel, s->block}, &milliseconds, e))
            return -1;
        *holds = tuning_holds(known, milliseconds);
        return 0;
    }
    const struct tile_kernel *k = tile_kernels(s->problem);
    while (k->steps && (k->steps != known.shape.x || k->height != known.shape.y || k->threads != known.shape.z))
        k++;
    bool made = false;
    if (!k->steps)
        return 0;
    if (tile_plan_set_up(s, k, &made, e) || (made && time_passes(s, &milliseconds, e)))
        return -1;
    *holds = made && tuning_holds(known, milliseconds);
    return 0;
}

int tuner_choose_temporal(cuda_state *s, int time_block, bool insist, struct error *e)
{
    const struct tile_kernel *best = nullptr;
    const std::string key = tuning_passes_key(tuning_device_key(), room_key(s), time_block, s->spare, insist);
    struct tuned known; /* steps, height of the tile, threads: no two kernels share them */
    float least = -1.0f, milliseconds = 0.0f;
    bool made = false, holds = false;
    if (tuning_recall(key, &known)) {
        if (try_known(s, known, &holds, e))
            return -1;
        if (holds && !known.shape.x)
            tile_plan_drop(s);
        if (holds)
            return 0;
    }
    tile_plan_drop(s);
    if (!insist && time_candidate(s, {s->kernel, s->block}, &least, e))
        return -1;
    for (const struct tile_kernel *k = tile_kernels(s->problem); k->steps; k++) {
        if (time_block && k->steps != time_block)
            continue;
        if (tile_plan_set_up(s, k, &made, e) || (made && time_passes(s, &milliseconds, e)))
            return -1;
        if (made && (least < 0.0f || milliseconds < least)) {
            best = k;
            least = milliseconds;
        }
    }
    tuning_remember(key, answer_of("passes",
                                   best ? block_shape{best->steps, best->height, best->threads} : block_shape{0, 0, 0},
                                   least));
    if (best)
        return tile_plan_set_up(s, best, &made, e);
    tile_plan_drop(s);
    return 0;
}

/* Milliseconds that an attempt takes for some steps: the best of a few rounds after a warm-up. */
static int time_attempt(float *least, struct block_shape block, cudaEvent_t from, cudaEvent_t to, tuner_try *attempt,
                        void *state, struct error *e)
{
    enum { WARM_UP = 2, STEPS = 16, ROUNDS = 3 };
    cudaStream_t stream;
    *least = -1.0f;
    int status = attempt(state, block, WARM_UP, &stream, e);
    for (int round = 0; round < ROUNDS && !status; round++) {
        float elapsed = 0.0f;
        status = cuda_check(cudaEventRecord(from, stream), "tuner", e) || attempt(state, block, STEPS, &stream, e) ||
                 cuda_check(cudaEventRecord(to, stream), "tuner", e) ||
                 cuda_check(cudaEventSynchronize(to), "tuner", e) ||
                 cuda_check(cudaEventElapsedTime(&elapsed, from, to), "tuner", e);
        if (!status && (*least < 0.0f || elapsed / STEPS < *least))
            *least = elapsed / STEPS;
    }
    return status ? -1 : 0;
}

static int choose_block(struct block_shape *block, const std::string &key, const struct block_shape *candidates,
                        size_t count, cudaEvent_t from, cudaEvent_t to, tuner_try *attempt, void *state,
                        struct error *e)
{
    struct block_shape best = *block;
    struct tuned known;
    float least = -1.0f, milliseconds = 0.0f;
    const double start = clock_seconds();
    size_t tried = 0;
    const bool recalled = tuning_recall(key, &known) && !strcmp(known.kernel, "block");
    for (size_t i = 0; recalled && i < count; i++)
        if (candidates[i].x == known.shape.x && candidates[i].y == known.shape.y && candidates[i].z == known.shape.z) {
            if (time_attempt(&milliseconds, known.shape, from, to, attempt, state, e))
                return -1;
            if (tuning_holds(known, milliseconds)) {
                *block = known.shape;
                return attempt(state, *block, 0, nullptr, e) ? -1 : 0;
            }
        }
    for (size_t i = 0; i < count && clock_seconds() - start < seconds_max; i++, tried++) {
        if (time_attempt(&milliseconds, candidates[i], from, to, attempt, state, e))
            return -1;
        if (least < 0.0f || milliseconds < least) {
            least = milliseconds;
            best = candidates[i];
        }
    }
    if (attempt(state, best, 0, nullptr, e))
        return -1;
    *block = best;
    if (tried == count)
        tuning_remember(key, answer_of("block", best, least));
    return 0;
}

int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count,
                       tuner_try *attempt, void *state, struct error *e)
{
    const std::string device = tuning_device_key();
    cudaEvent_t from = nullptr, to = nullptr;
    int status =
        cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e) ||
        choose_block(block, device.empty() ? device : device + key, candidates, count, from, to, attempt, state, e);
    if (from)
        cudaEventDestroy(from);
    if (to)
        cudaEventDestroy(to);
    return status ? -1 : 0;
}
