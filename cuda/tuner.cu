/* The tuner: block shapes of the kernels that step any room, timed on this solver's own memory while the field is still silent
 * and therefore stays so. What was found is kept in $XDG_CACHE_HOME/aula/cuda-tuning, a line for each device, grid, precision and kind of room. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
#include "base/clock.h"
}
#include "fused_plan.cuh"
#include "state.cuh"
#include "tuner.cuh"

namespace {

const double most_seconds = 1.2; /* of trying, whatever the grid */

struct candidate {
    const struct cuda_kernel *kernel;
    struct block_shape block;
};

std::string cache_folder()
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        return std::string(cache) + "/aula";
    return home && *home ? std::string(home) + "/.cache/aula" : std::string();
}

/* What every best shape depends on; empty when the device does not answer. */
std::string device_key()
{
    cudaDeviceProp properties;
    int device = 0;
    char text[300];
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return std::string();
    snprintf(text, sizeof text, "%d|%s|%d|", CUDART_VERSION, properties.name, properties.multiProcessorCount);
    return text;
}

std::string key_of(const cuda_state *s)
{
    char text[160];
    const std::string device = device_key();
    snprintf(text, sizeof text, "%zu %zu %zu|%s|%s%s%s", s->layout.points[0], s->layout.points[1], s->layout.points[2],
             precision_names[s->problem->precision], s->layout.odd_count ? "map" : "box",
             s->levels == 3 ? "|air" : "", s->branches.block_count ? "|branches" : "");
    return device.empty() ? device : device + text;
}

/* What was remembered of a key, the last time: the text after the tab, or nothing. */
std::string recall(const std::string &folder, const std::string &key)
{
    char line[1024];
    std::string found;
    FILE *f = folder.empty() ? nullptr : fopen((folder + "/cuda-tuning").c_str(), "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *tab = strchr(line, '\t');
        if (tab && !key.compare(0, std::string::npos, line, (size_t)(tab - line)))
            found = tab + 1;
    }
    if (f)
        fclose(f);
    return found;
}

/* A cache that cannot be written costs a second next time, and no message. */
void remember(const std::string &folder, const std::string &key, const char *kernel, struct block_shape block)
{
    if (folder.empty() || key.empty())
        return;
    mkdir(folder.substr(0, folder.rfind('/')).c_str(), 0777);
    mkdir(folder.c_str(), 0777);
    FILE *f = fopen((folder + "/cuda-tuning").c_str(), "a");
    if (!f)
        return;
    fprintf(f, "%s\t%s %d %d %d\n", key.c_str(), kernel, block.x, block.y, block.z);
    fclose(f);
}

bool look_up(cuda_state *s, const std::string &folder, const std::string &key)
{
    char kernel[64];
    struct block_shape block;
    if (sscanf(recall(folder, key).c_str(), "%63s %d %d %d", kernel, &block.x, &block.y, &block.z) != 4 || block.x != 32 ||
        block.y < 1 || block.y > ROOM_THREADS / 32 || block.z < 1 || block.z > 4096)
        return false;
    for (size_t i = 0; cuda_kernels[i]; i++)
        if (cuda_kernels[i]->own_audio && !strcmp(cuda_kernels[i]->name, kernel)) {
            s->kernel = cuda_kernels[i];
            s->block = block;
            return true;
        }
    return false;
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
    int status = setup_tiles(s, e) || cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e) ||
                 time_steps(s, from, to, 2, milliseconds, e);
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
    const std::string folder = cache_folder(), key = key_of(s);
    if (look_up(s, folder, key))
        return setup_tiles(s, e);
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
                if (clock_seconds() - start > most_seconds || !can_launch(s, c))
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
        remember(folder, key, s->kernel->name, s->block);
    return setup_tiles(s, e);
}

namespace {

/* Milliseconds a step in passes of several steps: of two passes where a pass is long, else the best of three runs of one graph of passes.
 * Even numbers of passes leave the pairs of grids in their places. */
int time_passes(cuda_state *s, float *milliseconds, struct error *e)
{
    const size_t steps = GRAPH_PASSES * (size_t)fused_in_use(s)->steps;
    cudaEvent_t from = nullptr, to = nullptr;
    int status = cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e);
    status = status || time_steps(s, from, to, 2 * (size_t)fused_in_use(s)->steps, milliseconds, e);
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

/* Whether passes pay depends on how much is not as the box of air says. */
static int odd_size(const cuda_state *s)
{
    int bits = 0;
    while (s->layout.odd_count >> bits)
        bits++;
    return bits;
}

int tuner_choose_fused(cuda_state *s, int fuse, bool insist, struct error *e)
{
    const struct fused_kernel *best = nullptr, *kernels = fused_kernels(s->problem);
    const std::string folder = cache_folder(), device = key_of(s);
    const std::string kind = "|shells, odd " + std::to_string(odd_size(s)) + ", passes " + std::to_string(fuse);
    const std::string key = device.empty() ? device : device + kind + (s->spare ? " in place" : "") + (insist ? " asked" : "");
    struct block_shape found; /* steps, height of the tile, threads: no two kernels share them */
    float least = -1.0f, milliseconds = 0.0f;
    bool made = false;
    const bool known = sscanf(recall(folder, key).c_str(), "passes %d %d %d", &found.x, &found.y, &found.z) == 3;
    if (!insist && !known) {
        if (time_candidate(s, {s->kernel, s->block}, &least, e))
            return -1;
    }
    for (const struct fused_kernel *k = kernels; k->steps; k++) {
        if (fuse && k->steps != fuse)
            continue;
        if (known && (k->steps != found.x || k->height != found.y || k->threads != found.z))
            continue;
        if (fused_set_up(s, k, &made, e))
            return -1;
        if (made && !known && time_passes(s, &milliseconds, e))
            return -1;
        if (made && (known || least < 0.0f || milliseconds < least)) {
            best = k;
            least = known ? 0.0f : milliseconds;
        }
    }
    if (!known)
        remember(folder, key, "passes", best ? block_shape{best->steps, best->height, best->threads} : block_shape{0, 0, 0});
    if (best)
        return fused_set_up(s, best, &made, e);
    fused_drop(s);
    return 0;
}

int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count, tuner_try *attempt,
                       void *state, struct error *e)
{
    enum { WARM_UP = 2, STEPS = 16, ROUNDS = 3 };
    const std::string folder = cache_folder(), device = device_key(), line = device.empty() ? device : device + key;
    struct block_shape best = *block, found;
    float least = -1.0f;
    const double start = clock_seconds();
    size_t tried = 0;
    if (sscanf(recall(folder, line).c_str(), "block %d %d %d", &found.x, &found.y, &found.z) == 3)
        for (size_t i = 0; i < count; i++)
            if (candidates[i].x == found.x && candidates[i].y == found.y && candidates[i].z == found.z)
                return attempt(state, found, 0, nullptr, e) ? -1 : 0;
    cudaEvent_t from = nullptr, to = nullptr;
    int status = cuda_check(cudaEventCreate(&from), "tuner", e) || cuda_check(cudaEventCreate(&to), "tuner", e);
    for (size_t i = 0; i < count && !status && clock_seconds() - start < most_seconds; i++, tried++) {
        cudaStream_t stream;
        status = attempt(state, candidates[i], WARM_UP, &stream, e);
        for (int round = 0; round < ROUNDS && !status; round++) {
            float elapsed = 0.0f;
            status = cuda_check(cudaEventRecord(from, stream), "tuner", e) || attempt(state, candidates[i], STEPS, &stream, e) ||
                     cuda_check(cudaEventRecord(to, stream), "tuner", e) || cuda_check(cudaEventSynchronize(to), "tuner", e) ||
                     cuda_check(cudaEventElapsedTime(&elapsed, from, to), "tuner", e);
            if (!status && (least < 0.0f || elapsed < least)) {
                least = elapsed;
                best = candidates[i];
            }
        }
    }
    if (from)
        cudaEventDestroy(from);
    if (to)
        cudaEventDestroy(to);
    if (status || attempt(state, best, 0, nullptr, e))
        return -1;
    *block = best;
    if (tried == count)
        remember(folder, line, "block", best);
    return 0;
}
