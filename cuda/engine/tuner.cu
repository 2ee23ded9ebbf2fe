#include "cuda/engine/tuner.cuh"

#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
#include "base/clock.h"
}
#include "cuda/engine/tuning.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_plan.cuh"

namespace
{

const double seconds_max = 1.2; /* of timing candidates, for any grid */

struct events {
    cudaEvent_t from, to;

    int open(struct error *e)
    {
        from = to = nullptr;
        return cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e);
    }

    void close()
    {
        if (from)
            cudaEventDestroy(from);
        if (to)
            cudaEventDestroy(to);
    }
};

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

/* Milliseconds per step over `steps` steps, a number that the strategy takes without remainder. */
int time_steps(cuda_state *s, const struct open_strategy &o, const events &times, size_t steps, float *milliseconds,
               struct error *e)
{
    float elapsed = 0.0f;
    size_t left = steps;
    if (cuda_check(cudaMemsetAsync(s->base, 0, sizeof *s->base, s->stream), "tuner", e) ||
        cuda_check(cudaEventRecord(times.from, s->stream), "tuner", e) || o.strategy->enqueue(o.state, s, &left, e) ||
        cuda_check(cudaEventRecord(times.to, s->stream), "tuner", e) ||
        cuda_check(cudaEventSynchronize(times.to), "tuner", e) ||
        cuda_check(cudaEventElapsedTime(&elapsed, times.from, times.to), "tuner", e))
        return -1;
    *milliseconds = elapsed / (float)steps;
    return 0;
}

/* --- single steps --- */

struct candidate {
    const struct step_kernel *kernel;
    struct block_shape block;
};

/* Takes a candidate and measures milliseconds per step: over two steps where a step is long, else the best of three
 * runs of sixteen. After an even number of steps the grids are back in their places. */
int time_candidate(struct one_step *o, cuda_state *s, const candidate &c, float *milliseconds, struct error *e)
{
    const struct open_strategy single = {c.kernel, o};
    events times = {};
    int status =
        one_step_use(o, s, c.kernel, c.block, e) || times.open(e) || time_steps(s, single, times, 2, milliseconds, e);
    for (int i = 0; i < 3 && !status && *milliseconds < 2.0f; i++) {
        float again;
        status = time_steps(s, single, times, 16, &again, e);
        if (!status && (i == 0 || again < *milliseconds)) /* the first two steps were the warm-up */
            *milliseconds = again;
    }
    times.close();
    return status ? -1 : 0;
}

/* Row i of the table if it is a kernel of single steps, of the solver's stencil, whose block shape can be tuned, else
 * NULL. */
const struct step_kernel *tunable(const cuda_state *s, size_t i)
{
    const struct step_kernel *k = step_kernel_of(strategy_at(i));
    return k && k->own_audio && strategy_steps(k, leapfrog_of(s->problem)->stencil) ? k : nullptr;
}

/* Kernel and block of a remembered answer; kernel NULL: they do not exist. */
candidate candidate_of(const cuda_state *s, const struct tuned &answer)
{
    const struct block_shape block = answer.shape;
    if (block.x != 32 || block.y < 1 || block.y > ROOM_THREADS / 32 || block.z < 1 || block.z > 4096)
        return {};
    for (size_t i = 0; strategy_at(i); i++)
        if (tunable(s, i) && !strcmp(tunable(s, i)->name, answer.kernel))
            return {tunable(s, i), block};
    return {};
}

bool can_launch(const cuda_state *s, const candidate &c)
{
    const dim3 n = step_tiling(c.kernel, s->layout.points, s->problem->precision, c.block);
    return n.y <= 65535 && n.z <= 65535;
}

/* Finds the fastest candidate and its milliseconds; *tried counts the candidates. */
int try_steps(struct one_step *o, cuda_state *s, candidate *best, float *min, size_t *tried, struct error *e)
{
    static const int heights[] = {4, 2, 3, 1}, depths[] = {16, 8, 12, 24, 32, 4, 64};
    const double start = clock_seconds();
    *min = -1.0f;
    for (size_t k = 0; strategy_at(k); k++) {
        if (!tunable(s, k) || tunable(s, k)->refusal(s->problem, &s->layout))
            continue;
        for (int depth : depths)
            for (int height : heights) {
                const candidate c = {tunable(s, k), {32, height, depth}};
                float milliseconds;
                if (clock_seconds() - start > seconds_max || !can_launch(s, c))
                    continue;
                ++*tried;
                if (time_candidate(o, s, c, &milliseconds, e))
                    return -1;
                if (*min < 0.0f || milliseconds < *min) {
                    *min = milliseconds;
                    *best = c;
                }
            }
    }
    return 0;
}

} // namespace

int tuner_choose_step(struct one_step *o, cuda_state *s, struct error *e)
{
    const std::string key = tuning_steps_key(tuning_device_key(), room_key(s));
    candidate best = {o->kernel, o->block};
    struct tuned known;
    float min;
    size_t tried = 0;
    if (tuning_recall(key, &known) && candidate_of(s, known).kernel) {
        float milliseconds;
        best = candidate_of(s, known);
        if (time_candidate(o, s, best, &milliseconds, e))
            return -1;
        if (tuning_holds(known, milliseconds))
            return 0;
    }
    if (try_steps(o, s, &best, &min, &tried, e))
        return -1;
    if (tried >= 4)
        tuning_remember(key, answer_of(best.kernel->name, best.block, min));
    return one_step_use(o, s, best.kernel, best.block, e);
}

/* --- temporal blocks --- */

namespace
{

/* Milliseconds per step: over two blocks where a block is long, else the best of three runs of one graph of blocks.
 * After an even number of blocks the pairs of grids are back in their places. */
int time_blocks(struct temporal_state *t, cuda_state *s, float *milliseconds, struct error *e)
{
    const struct open_strategy blocks = {&temporal_blocks, t};
    const size_t depth = (size_t)tile_plan_kernel(t)->steps;
    events times = {};
    int status = times.open(e) || time_steps(s, blocks, times, 2 * depth, milliseconds, e);
    const bool brief = *milliseconds < 2.0f;
    for (int i = -1; i < 3 && !status && brief; i++) { /* i = -1 warms up: it captures the graph */
        float again;
        status = time_steps(s, blocks, times, GRAPH_BLOCKS * depth, &again, e);
        if (!status && (i <= 0 || again < *milliseconds))
            *milliseconds = again;
    }
    times.close();
    return status ? -1 : 0;
}

/* Times the single steps below, with their present kernel and block. */
int time_single(cuda_state *s, float *milliseconds, struct error *e)
{
    struct one_step *o = one_step_of(s);
    return time_candidate(o, s, {o->kernel, o->block}, milliseconds, e);
}

/* Plans the tile kernel that an answer names, if any. *holds is false when the kernel does not exist or fit, or the
 * time of a step has changed. */
int try_known(struct temporal_state *t, cuda_state *s, const struct tuned &known, bool *holds, struct error *e)
{
    float milliseconds = 0.0f;
    bool made = false;
    *holds = false;
    if (strcmp(known.kernel, temporal_blocks.name) != 0)
        return 0;
    if (known.shape.x == 0) {
        if (time_single(s, &milliseconds, e))
            return -1;
        *holds = tuning_holds(known, milliseconds);
        return 0;
    }
    const struct tile_kernel *k = tile_kernels(s->problem);
    while (k->steps && (k->steps != known.shape.x || k->height != known.shape.y || k->threads != known.shape.z))
        k++;
    if (!k->steps)
        return 0;
    if (tile_plan_set_up(t, s, k, &made, e) || (made && time_blocks(t, s, &milliseconds, e)))
        return -1;
    *holds = made && tuning_holds(known, milliseconds);
    return 0;
}

/* *best: the fastest tile kernel below *min milliseconds per step (negative: no bound), or NULL. */
int try_blocks(struct temporal_state *t, cuda_state *s, const struct tile_kernel **best, float *min, struct error *e)
{
    *best = nullptr;
    for (const struct tile_kernel *k = tile_kernels(s->problem); k->steps; k++) {
        float milliseconds = 0.0f;
        bool made = false;
        if (t->time_block && k->steps != t->time_block)
            continue;
        if (tile_plan_set_up(t, s, k, &made, e) || (made && time_blocks(t, s, &milliseconds, e)))
            return -1;
        if (made && (*min < 0.0f || milliseconds < *min)) {
            *best = k;
            *min = milliseconds;
        }
    }
    return 0;
}

} // namespace

int tuner_choose_temporal(struct temporal_state *t, cuda_state *s, bool insist, struct error *e)
{
    const std::string key = tuning_temporal_key(tuning_device_key(), room_key(s), t->time_block, s->spare, insist);
    const struct tile_kernel *best;
    struct tuned known; /* shape: depth, tile height, threads, a unique triple for each kernel */
    float min = -1.0f;
    bool holds = false, made;
    if (tuning_recall(key, &known) && try_known(t, s, known, &holds, e))
        return -1;
    if (holds && known.shape.x)
        return 0;
    tile_plan_drop(t, s);
    if (holds)
        return 0;
    if ((!insist && time_single(s, &min, e)) || try_blocks(t, s, &best, &min, e))
        return -1;
    tuning_remember(key, answer_of(temporal_blocks.name,
                                   best ? block_shape{best->steps, best->height, best->threads} : block_shape{0, 0, 0},
                                   min));
    if (best)
        return tile_plan_set_up(t, s, best, &made, e);
    tile_plan_drop(t, s);
    return 0;
}

bool tuner_recall(struct strategies_chosen *chosen, const struct strategy_case *c)
{
    struct strategy_offer *single = &chosen->single, *blocks = &chosen->blocks;
    const bool tries_blocks = blocks->wanted && blocks->tuned;
    if (!single->tuned && !tries_blocks)
        return false;
    const std::string device = tuning_device_key(),
                      room = tuning_room_key(c->problem, c->layout, c->rows, c->choice->audit);
    struct tuned of_steps = {}, of_blocks = {};
    const struct strategy *known = single->tuned && tuning_recall(tuning_steps_key(device, room), &of_steps)
                                       ? strategy_named(of_steps.kernel, leapfrog_of(c->problem)->stencil)
                                       : nullptr;
    const bool steps_known = known && known->single;
    const bool blocks_known = tries_blocks && tuning_recall(tuning_temporal_key(device, room, blocks->time_block,
                                                                                blocks->spare, blocks->insisted),
                                                            &of_blocks);
    if (steps_known)
        single->strategy = known;
    if (blocks_known && of_blocks.shape.x > 0)
        blocks->time_block = of_blocks.shape.x;
    else if (blocks_known)
        blocks->wanted = false;
    return tries_blocks ? !blocks_known || (!blocks->wanted && single->tuned && !steps_known) : !steps_known;
}

/* --- block shapes of plain arrays --- */

/* Milliseconds that an attempt takes for some steps: the best of a few rounds after a warm-up. */
static int time_attempt(float *min, struct block_shape block, cudaEvent_t from, cudaEvent_t to, tuner_try *attempt,
                        void *state, struct error *e)
{
    enum { WARM_UP = 2, STEPS = 16, ROUNDS = 3 };
    cudaStream_t stream;
    *min = -1.0f;
    int status = attempt(state, block, WARM_UP, &stream, e);
    for (int round = 0; round < ROUNDS && !status; round++) {
        float elapsed = 0.0f;
        status = cuda_check(cudaEventRecord(from, stream), "tuner", e) || attempt(state, block, STEPS, &stream, e) ||
                 cuda_check(cudaEventRecord(to, stream), "tuner", e) ||
                 cuda_check(cudaEventSynchronize(to), "tuner", e) ||
                 cuda_check(cudaEventElapsedTime(&elapsed, from, to), "tuner", e);
        if (!status && (*min < 0.0f || elapsed / STEPS < *min))
            *min = elapsed / STEPS;
    }
    return status ? -1 : 0;
}

static int choose_block(struct block_shape *block, const std::string &key, const struct block_shape *candidates,
                        size_t count, cudaEvent_t from, cudaEvent_t to, tuner_try *attempt, void *state,
                        struct error *e)
{
    struct block_shape best = *block;
    struct tuned known;
    float min = -1.0f, milliseconds = 0.0f;
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
        if (min < 0.0f || milliseconds < min) {
            min = milliseconds;
            best = candidates[i];
        }
    }
    if (attempt(state, best, 0, nullptr, e))
        return -1;
    *block = best;
    if (tried == count)
        tuning_remember(key, answer_of("block", best, min));
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
