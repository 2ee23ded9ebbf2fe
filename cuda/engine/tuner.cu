/* SPDX-License-Identifier: MIT */
#include "cuda/engine/tuner.cuh"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "base/clock.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/chunk_list.cuh"
#include "cuda/temporal/region_levels.cuh"
#include "cuda/temporal/temporal.cuh"

namespace
{

/* Time limits for timing candidates on any grid: block shapes of single steps and of plain
 * arrays; temporal blocks. Together with timing the cached choice, a second in total. */
const double seconds_of_steps = 0.25, seconds_of_blocks = 0.6;

/* Time per candidate in ms: long enough for a stable median of short steps. */
const float wanted_milliseconds = 4.0f;

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

/* The least time per step in ms of up to three runs of a few milliseconds, in whole parts of
 * `part` steps, by graphs of graph_parts parts if these are short. The first two parts are a
 * warm-up, and the only ones if they take long. A run takes 2n parts, after which grids are back
 * in their positions. */
int time_runs(cuda_state *s, const struct open_strategy &o, size_t part, size_t graph_parts, float *milliseconds,
              struct error *e)
{
    const float brief = 0.5f, enough = 100.0f; /* ms of two parts */
    events times = {};
    int status = times.open(e) || time_steps(s, o, times, 2 * part, milliseconds, e);
    float two = *milliseconds * 2.0f * (float)part;
    for (int i = 0; i < 3 && !status && two < (i ? wanted_milliseconds : enough); i++) {
        const size_t pairs = (size_t)(wanted_milliseconds / std::max(two, 0.01f)) + 1;
        const size_t parts = two < brief ? (2 * pairs / graph_parts + 1) * graph_parts : 2 * pairs;
        float again;
        status = time_steps(s, o, times, parts * part, &again, e);
        if (!status && (i == 0 || again < *milliseconds))
            *milliseconds = again;
        two = i ? two : again * 2.0f * (float)part;
    }
    times.close();
    return status ? -1 : 0;
}

/* --- single steps --- */

struct candidate {
    const struct step_kernel *kernel;
    struct block_shape block;
};

int time_candidate(struct one_step *o, cuda_state *s, const candidate &c, float *milliseconds, struct error *e)
{
    return one_step_use(o, s, c.kernel, c.block, e) || time_runs(s, {c.kernel, o}, 1, GRAPH_STEPS, milliseconds, e) ? -1
                                                                                                                    : 0;
}

/* Row i of the table if it is a kernel of single steps for the solver's stencil with a tunable
 * block shape, else NULL. */
const struct step_kernel *tunable(const cuda_state *s, size_t i)
{
    const struct step_kernel *k = step_kernel_of(strategy_at(i));
    return k && k->own_audio && strategy_steps(k, leapfrog_of(s->problem)->stencil) ? k : nullptr;
}

bool can_launch(const cuda_state *s, const candidate &c)
{
    const dim3 n = step_tiling(c.kernel, s->layout.points, s->problem->precision, c.block);
    return n.y <= 65535 && n.z <= 65535;
}

bool is_among(const std::vector<candidate> &all, const candidate &c)
{
    return std::any_of(all.begin(), all.end(), [&](const candidate &other) {
        return other.kernel == c.kernel && other.block.y == c.block.y && other.block.z == c.block.z;
    });
}

/* Kernels and block shapes, starting with the default of the open kernel. Planes are divided
 * into parts of about equal length. */
std::vector<candidate> step_candidates(const struct one_step *o, const cuda_state *s)
{
    static const int heights[] = {4, 2, 3, 1}, depths[] = {16, 32, 8, 24, 48, 12, 64, 4};
    const int planes = (int)s->layout.points[2];
    std::vector<candidate> all = {{o->kernel, o->block}};
    for (int height : heights)
        for (int depth : depths)
            for (size_t k = 0; strategy_at(k); k++) {
                if (!tunable(s, k) || tunable(s, k)->refusal(s->problem, &s->layout))
                    continue;
                const candidate c = {tunable(s, k), {32, height, even_part(planes, depth)}};
                if (!is_among(all, c) && can_launch(s, c))
                    all.push_back(c);
            }
    return all;
}

tuner_question question_of(const cuda_state *s, const std::string &key, double seconds)
{
    tuner_question q;
    q.key = key;
    q.seconds = seconds;
    q.steps = s->planned_steps;
    q.anew = s->tune_anew;
    q.now = clock_seconds;
    return q;
}

} // namespace

int tuner_choose_step(struct one_step *o, cuda_state *s, struct error *e)
{
    const in_phase trying("trying which kernel is fastest");
    const std::vector<candidate> candidates = step_candidates(o, s);
    tuner_question q = question_of(s, tuning_steps_key(tuning_device_key(), room_key(s)), seconds_of_steps);
    tuner_answer answer;
    for (const candidate &c : candidates)
        q.candidates.push_back(tuned_as(c.kernel->name, c.block));
    q.time = [&](size_t i, double *milliseconds, struct error *error) {
        float measured;
        const int status = time_candidate(o, s, candidates[i], &measured, error);
        *milliseconds = (double)measured;
        return status;
    };
    if (tuner_ask(q, &answer, e))
        return -1;
    s->step_seconds = 1e-3 * answer.milliseconds;
    const candidate &best = candidates[answer.best];
    if (!answer.timed_last)
        return one_step_use(o, s, best.kernel, best.block, e);
    one_step_drop_graphs(o); /* for the field without instruments, which are set up later */
    return 0;
}

/* --- temporal blocks --- */

namespace
{

int time_blocks(struct temporal_state *t, cuda_state *s, float *milliseconds, struct error *e)
{
    return time_runs(s, {&temporal_blocks, t}, (size_t)tile_plan_kernel(t)->steps, GRAPH_BLOCKS, milliseconds, e);
}

/* A tile kernel, and the number of planes of its chunks; 0: as in the model. */
struct tile_variant {
    const struct tile_kernel *kernel;
    int planes;
};

/* Tile kernels of the requested depth, the likeliest first. Kernels of the same depth are
 * adjacent if they share a boundary region. */
std::vector<const struct tile_kernel *> kernels_of_tiles(const struct temporal_state *t, const cuda_state *s)
{
    std::vector<const struct tile_kernel *> all;
    for (const struct tile_kernel *first = tile_kernels(s->problem); first->steps; first++) {
        const bool met =
            std::any_of(all.begin(), all.end(), [&](const struct tile_kernel *k) { return k->steps == first->steps; });
        for (const struct tile_kernel *k = first; k->steps && !met; k++)
            if (k->steps == first->steps && (!t->time_block || k->steps == t->time_block))
                all.push_back(k);
    }
    if (!region_levels_needed(s))
        std::sort(all.begin(), all.end()); /* rows of one table */
    return all;
}

/* First with the chunks of the model. With the 19-point stencil, whose tiles lose shared data
 * when they drift apart, also with chunks of other lengths, the likeliest first, as measured on
 * 512 and 1024 points per side and on rooms from models. In a part of a grid, only chunks at
 * least half of which read no halo, as timing does not wait for halos. Blocks with a boundary
 * region are faster the deeper they are, as the cost of a level hardly depends on depth. */
std::vector<tile_variant> tile_candidates(const struct temporal_state *t, const cuda_state *s)
{
    static const int of_boxes[] = {22, 26, 40, 16, 32, 52}, of_models[] = {40, 22, 32, 26, 16, 52};
    std::vector<const struct tile_kernel *> kernels = kernels_of_tiles(t, s);
    const own_planes own(s->problem);
    const bool has_region = region_levels_needed(s);
    const int nz = own.end - own.first, fewest = own.has_halos() ? 4 : 1;
    std::vector<tile_variant> all;
    std::vector<int> met;
    if (has_region)
        std::stable_sort(kernels.begin(), kernels.end(),
                         [](const struct tile_kernel *a, const struct tile_kernel *b) { return a->steps > b->steps; });
    for (const struct tile_kernel *k : kernels)
        all.push_back({k, 0});
    for (int length : has_region ? of_models : of_boxes) {
        const int chunks = (nz + length - 1) / length, planes = even_part(nz, length);
        if (s->spare || chunks < fewest || std::count(met.begin(), met.end(), planes))
            continue;
        met.push_back(planes);
        for (const struct tile_kernel *k : kernels)
            if (k->stencil == STENCIL_19_POINT)
                all.push_back({k, planes});
    }
    return all;
}

/* Kernels of single steps with their default shapes. */
std::vector<const struct step_kernel *> single_candidates(const cuda_state *s)
{
    std::vector<const struct step_kernel *> all;
    for (size_t k = 0; strategy_at(k); k++)
        if (tunable(s, k) && !tunable(s, k)->refusal(s->problem, &s->layout))
            all.push_back(tunable(s, k));
    return all;
}

/* Its shape consists of depth, tile height and threads, unique for each kernel. */
struct tuned answer_of_tiles(const tile_variant &v)
{
    struct tuned answer = tuned_as(temporal_blocks.name, {v.kernel->steps, v.kernel->height, v.kernel->threads});
    answer.planes = v.planes;
    return answer;
}

int plan_tiles(struct temporal_state *t, cuda_state *s, const tile_variant &v, bool *made, struct error *e)
{
    t->tile_chunk = v.planes;
    return tile_plan_set_up(t, s, v.kernel, made, e);
}

/* Plans and times a variant; negative if the kernel does not fit. *model: planes of the chunks
 * of the model, timed earlier; variants of the same length are not timed again. */
int time_tiles(struct temporal_state *t, cuda_state *s, const tile_variant &v, int *model, float *milliseconds,
               struct error *e)
{
    bool made = false;
    *milliseconds = -1.0f;
    if (v.planes && v.planes == *model)
        return 0;
    if (!v.planes)
        *model = 0;
    if (plan_tiles(t, s, v, &made, e))
        return -1;
    if (made && !v.planes)
        *model = tile_plan_chunk(t);
    return made && time_blocks(t, s, milliseconds, e) ? -1 : 0;
}

/* With a plan open, which is likely to be faster. */
int time_single(struct temporal_state *t, cuda_state *s, const struct step_kernel *k, float *milliseconds,
                struct error *e)
{
    const bool kept = t->taps.kept;
    t->taps.kept = false;
    const int status = time_candidate(one_step_of(s), s, {k, k->block}, milliseconds, e);
    t->taps.kept = kept;
    temporal_drop_graphs(t, s);
    return status;
}

} // namespace

int tuner_choose_temporal(struct temporal_state *t, cuda_state *s, const struct strategy_offer *offer, struct error *e)
{
    const in_phase trying("trying which kernel is fastest");
    const std::vector<tile_variant> tiles = tile_candidates(t, s);
    const std::vector<const struct step_kernel *> singles =
        offer->preferred ? std::vector<const struct step_kernel *>() : single_candidates(s);
    const size_t first = std::min<size_t>(tiles.size(), 1), tiles_from = first + singles.size();
    tuner_question q = question_of(s, tuning_temporal_key(tuning_device_key(), room_key(s), offer), seconds_of_blocks);
    tuner_answer answer;
    int model = 0;
    bool made;
    /* the likeliest tiles, then single steps, then the other tiles */
    const auto tile_of = [&](size_t i) {
        return i < first ? &tiles[i] : i < tiles_from ? nullptr : &tiles[i - singles.size()];
    };
    for (size_t i = 0; i < tiles.size() + singles.size(); i++)
        q.candidates.push_back(tile_of(i) ? answer_of_tiles(*tile_of(i))
                                          : tuned_as(singles[i - first]->name, {0, 0, 0}));
    q.always = tiles_from;
    q.time = [&](size_t i, double *milliseconds, struct error *error) {
        float measured;
        const int status = tile_of(i) ? time_tiles(t, s, *tile_of(i), &model, &measured, error)
                                      : time_single(t, s, singles[i - first], &measured, error);
        *milliseconds = (double)measured;
        return status;
    };
    const struct one_step *o = one_step_of(s);
    const candidate open = {o->kernel, o->block};
    if (tuner_ask(q, &answer, e))
        return -1;
    if (o->kernel != open.kernel && one_step_use(one_step_of(s), s, open.kernel, open.block, e))
        return -1;
    const tile_variant *best = answer.best == SIZE_MAX ? nullptr : tile_of(answer.best);
    s->step_seconds = 1e-3 * answer.milliseconds;
    if (best)
        return tile_plan_kernel(t) == best->kernel && t->tile_chunk == best->planes ? 0
                                                                                    : plan_tiles(t, s, *best, &made, e);
    tile_plan_drop(t, s);
    t->tile_chunk = 0;
    return offer->insisted ? 0 : tuner_choose_step(one_step_of(s), s, e);
}

bool tuner_recall(struct strategies_chosen *chosen, const struct strategy_case *c, double *step_seconds)
{
    *step_seconds = 0.0;
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
    const bool blocks_known = tries_blocks && tuning_recall(tuning_temporal_key(device, room, blocks), &of_blocks);
    if (steps_known)
        single->strategy = known;
    if (blocks_known || steps_known)
        *step_seconds = 1e-3 * (blocks_known ? of_blocks : of_steps).milliseconds;
    if (blocks_known && of_blocks.shape.x > 0) /* otherwise single steps were faster */
        blocks->time_block = of_blocks.shape.x;
    else if (blocks_known)
        blocks->wanted = false;
    return tries_blocks ? !blocks_known || (!blocks->wanted && single->tuned && !steps_known) : !steps_known;
}
