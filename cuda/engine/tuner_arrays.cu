/* SPDX-License-Identifier: MIT */
/* Tuning of plain arrays: finds the fastest shape of thread blocks. */
#include <cstring>
#include <string>

extern "C" {
#include "base/clock.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/engine/tuner.cuh"

/* Milliseconds of an attempt of some steps: the best of a few rounds after a warm-up. */
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
    for (size_t i = 0; i < count && clock_seconds() - start < 1.0; i++, tried++) {
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
        tuning_remember(key, tuned_as("block", best, min));
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
