/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/temporal.cuh"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "cuda/engine/device.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/region_levels.cuh"

namespace
{

/* "3", "3, 4 or 5": the depths of the tile kernels for a problem. */
void list_depths(char *text, size_t size, const struct problem *p)
{
    unsigned depths = 0;
    size_t used = 0;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        depths |= 1u << k->steps;
    for (int depth = 1; depths >> depth && used < size; depth++)
        if (depths >> depth & 1u)
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     !used                  ? ""
                                     : depths >> depth >> 1 ? ", "
                                                            : " or ",
                                     depth);
}

/* The reason why temporal blocks cannot step a problem, or NULL. time_block: requested depth; 0:
 * any. */
const char *refusal(const struct problem *p, const struct layout *l, bool audited, int time_block)
{
    static thread_local char text[120];
    char depths[40];
    const uint64_t max = (uint64_t)1 << 31;
    if (!device_overlaps()) /* code for older devices is empty */
        return "temporal blocking needs a GPU of compute capability 9.0 or later and a build for it";
    if (leapfrog_of(p)->viscosity > 0.0)
        return "temporal blocking does not support lossy air";
    if (leapfrog_of(p)->bodies)
        return "temporal blocking does not support instruments";
    if (transmission_any(leapfrog_of(p)))
        return "temporal blocking does not support partitions that transmit";
    if (audited)
        return "temporal blocking does not support the energy balance";
    if (l->points[0] >= max || l->points[1] >= max || l->points[2] >= max || tap_history_device_bytes(p) >= max / 4)
        return "the grid is too large or has too many receivers for temporal blocking";
    bool known = !time_block;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        known = known || k->steps == time_block;
    list_depths(depths, sizeof depths, p);
    snprintf(text, sizeof text, "its temporal blocks have %s steps, not %d", depths, time_block);
    return known ? nullptr : text;
}

/* Whether only a boundary region can step features that tiles cannot: walls with branches, and
 * objects with the 19-point stencil, whose tiles read no map. Blocks in place have no boundary
 * region. */
bool region_required(const struct strategy_case *c)
{
    return c->rows->branches.point_count ||
           (leapfrog_of(c->problem)->stencil == STENCIL_19_POINT && c->layout->irregular_count);
}

/* The greatest depth. */
int deepest(const struct problem *p)
{
    int steps = 0;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        steps = std::max(steps, k->steps);
    return steps;
}

/* Depth of the blocks that are tried first. The cost of a level of a boundary region hardly
 * depends on depth. */
int first_depth(const struct problem *p, bool has_region)
{
    return has_region ? deepest(p) : tile_kernels(p)->steps;
}

/* --- memory --- */

/* Bytes of four grids, or of two with `spare` additional planes. */
uint64_t field_bytes(const struct strategy_case *c, size_t spare)
{
    return (spare ? 2 : 4) * grid_bytes(c, spare);
}

/* Spare planes for blocks in place: an eighth of the grid, or less if the field may have at most
 * `max` bytes. Fewer planes mean more launches per block, each of which repeats planes of the
 * previous one. */
size_t spare_planes(const struct strategy_case *c, uint64_t max)
{
    const size_t min = 24, steps = (size_t)deepest(c->problem);
    size_t spare = 0;
    const size_t asked = c->choice->block[0] > 0 ? (size_t)c->choice->block[2] + steps : 0; /* for that chunk */
    for (size_t share = 8; share <= 32; share *= 2) {
        spare = std::max({c->layout->points[2] / share, min, asked});
        if (field_bytes(c, spare) < max)
            break;
    }
    return spare;
}

/* Bytes of a boundary region and of the grids that it owns. */
uint64_t region_bytes(const struct strategy_case *c)
{
    const int steps = c->choice->time_block > 1 ? c->choice->time_block : deepest(c->problem);
    return region_levels_possible(c->problem, c->layout, c->rows)
               ? region_levels_device_bytes(c->problem, c->layout, c->rows) +
                     (uint64_t)region_levels_grids(c->problem, steps) * grid_bytes(c, 0)
               : 0;
}

/* Bytes besides the grids: for all temporal blocks, and for the boundary region, which requires
 * four grids. */
struct memory_besides {
    uint64_t all, region;
};

memory_besides bytes_besides(const struct strategy_case *c)
{
    return {map_bytes(c) + tap_history_device_bytes(c->problem) +
                branches_device_bytes(c->rows, c->problem->precision, false),
            region_bytes(c)};
}

/* Chooses four grids or two; *fits is false if neither fits. A boundary region needs values that
 * blocks in place overwrite, hence four grids. */
int choose_memory(struct strategy_offer *offer, const struct strategy_case *c, bool *fits, struct error *e)
{
    size_t available = 0, total = 0;
    if (cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    const memory_besides besides = bytes_besides(c);
    const uint64_t usable = available / 16 * 15, with_region = besides.all + besides.region;
    const uint64_t max = usable > with_region ? usable - with_region : 0,
                   max_in_place = usable > besides.all ? usable - besides.all : 0;
    if (c->choice->cuda.in_place || field_bytes(c, 0) >= max)
        offer->spare = spare_planes(c, max_in_place);
    *fits = field_bytes(c, offer->spare) < (offer->spare ? max_in_place : max);
    if (!offer->spare || !region_required(c))
        return 0;
    *fits = false;
    return !offer->insisted
               ? 0
               : fail(e, ERROR_MEMORY,
                      "out of GPU memory (%s needed for temporal blocking); lower grid.rate, or use --time-block 1",
                      memory_text(field_bytes(c, 0) + with_region));
}

/* --- whether they apply --- */

/* Fails if another option contradicts a request for temporal blocks. */
int check_choice(const struct strategy *self, const struct strategy_case *c, struct error *e)
{
    const struct solver_options *choice = c->choice;
    if (c->named == self && choice->time_block == 1)
        return fail(
            e, ERROR_USAGE,
            "--kernel %s --time-block 1: the %s kernel uses temporal blocks of several steps; remove --time-block",
            self->name, self->name);
    if (choice->cuda.in_place && choice->time_block == 1)
        return fail(e, ERROR_USAGE,
                    "--in-place --time-block 1: only temporal blocks of several steps work in place; remove one of the "
                    "options");
    if (!c->named || c->named == self)
        return 0;
    if (choice->cuda.in_place)
        return fail(e, ERROR_ENGINE, "--in-place: the %s kernel does not support temporal blocking; remove it",
                    c->named->name);
    return choice->time_block > 1
               ? fail(e, ERROR_ENGINE, "--time-block %d: the %s kernel does not support temporal blocking; remove it",
                      choice->time_block, c->named->name)
               : 0;
}

int applicable(const struct strategy *self, struct strategy_offer *offer, const struct strategy_case *c,
               struct error *e)
{
    const struct solver_options *choice = c->choice;
    const bool named = c->named == self;
    const char *reason = named ? refusal(c->problem, c->layout, false, 0) : nullptr;
    bool fits;
    if (reason)
        return fail(e, ERROR_ENGINE, "the %s kernel cannot be used: %s", self->name, reason);
    if (check_choice(self, c, e))
        return -1;
    offer->insisted = named || choice->time_block > 1 || choice->cuda.in_place;
    offer->time_block = choice->time_block;
    reason = refusal(c->problem, c->layout, choice->audit, choice->time_block);
    if (!reason && region_required(c) && !region_levels_possible(c->problem, c->layout, c->rows))
        reason = "the walls and objects of a grid of this size do not support temporal blocking";
    if (!reason && choice->cuda.in_place && region_required(c))
        reason = c->rows->branches.point_count
                     ? "temporal blocking in place would overwrite values of the field that walls with branches need"
                     : "temporal blocking in place would overwrite values of the field that objects need in the "
                       "19-point scheme";
    if (reason && offer->insisted)
        return fail(e, ERROR_ENGINE, "%s %s: %s",
                    named                    ? "--kernel"
                    : choice->time_block > 1 ? "--time-block"
                                             : "--in-place",
                    named ? self->name : "with --engine cuda", reason);
    if (reason)
        return 0;
    if (choose_memory(offer, c, &fits, e))
        return -1;
    const bool worth = is_worth_tuning(c->layout);
    offer->wanted = offer->insisted || (fits && worth && choice->time_block != 1 &&
                                        !(choice->kernel || choice->cuda.no_tune || choice->block[0] > 0));
    offer->tuned = worth && !choice->cuda.no_tune && !(offer->insisted && choice->block[0] > 0);
    /* With other solvers on the GPU, temporal blocks save memory bandwidth, and each solver has
     * fewer multiprocessors to keep busy. */
    offer->preferred = offer->insisted || choice->cuda.beside > 0;
    return 0;
}

void make_plan(const struct strategy_offer *offer, const struct strategy_case *c, struct solver_plan *r)
{
    const struct layout *l = c->layout;
    r->kernel = offer->strategy->name;
    const bool has_region = !offer->spare && region_levels_possible(c->problem, l, c->rows);
    r->time_block = offer->time_block ? offer->time_block : first_depth(c->problem, has_region);
    r->field_bytes = field_bytes(c, offer->spare);
    r->cuda.in_place = offer->spare > 0;
    if (c->rows->branches.point_count && !l->irregular_count) /* the boundary region is derived from the map */
        r->boundary_bytes += map_bytes(c);
    if (!offer->spare)
        r->boundary_bytes += region_bytes(c);
    r->channel_bytes += tap_history_device_bytes(c->problem);
}

/* --- opening --- */

/* Plans the first kernel of the table of the requested depth whose tiles fit; preferably of the
 * depth that is tried first. */
int plan_first(struct temporal_state *t, cuda_state *s, struct error *e)
{
    const int likely = first_depth(s->problem, region_levels_needed(s));
    bool made = false;
    for (int depth : {likely, 0})
        for (const struct tile_kernel *k = tile_kernels(s->problem); k->steps && !made; k++)
            if ((!t->time_block || k->steps == t->time_block) && (!depth || k->steps == depth) &&
                tile_plan_set_up(t, s, k, &made, e))
                return -1;
    return 0;
}

int make_plan(struct temporal_state *t, cuda_state *s, const struct strategy_offer *offer,
              const struct solver_options *c, struct error *e)
{
    if (setup_other_grids(s, e) || tap_history_set_up(&t->taps, s, e))
        return -1;
    if (offer->insisted && c->block[0] > 0) {
        t->tile_chunk = c->block[2];
        memcpy(t->tile_extent, c->block, sizeof t->tile_extent);
    }
    return offer->tuned ? tuner_choose_temporal(t, s, offer, e) : plan_first(t, s, e);
}

void close_temporal(void *state, cuda_state *s)
{
    struct temporal_state *t = (struct temporal_state *)state;
    if (!t)
        return;
    tile_plan_drop(t, s);
    tap_history_drop(&t->taps);
    s->tap_history = nullptr;
    region_levels_drop(t->region);
    branches_drop_second_states(&s->branches);
    delete t;
}

int open_temporal(void **state, cuda_state *s, struct strategy_offer *offer, const struct solver_options *c,
                  struct error *e)
{
    struct temporal_state *t = new (std::nothrow) temporal_state();
    *state = t;
    if (!t)
        return fail(e, ERROR_MEMORY, "out of memory");
    t->time_block = offer->time_block;
    s->tap_history = &t->taps;
    const int status = make_plan(t, s, offer, c, e);
    if (status) {
        if (offer->insisted || e->code != ERROR_MEMORY)
            return -1;
        tile_plan_drop(t, s); /* single steps need less memory */
    }
    if (t->plan) {
        offer->time_block = s->pass_steps = tile_plan_kernel(t)->steps;
        return 0;
    }
    if (offer->insisted)
        return fail(e, ERROR_ENGINE,
                    "no tile of the %s kernel fits, as too many sources or receivers lie close together%s",
                    offer->strategy->name, t->tile_chunk ? " or --block is not supported" : "");
    close_temporal(t, s);
    *state = nullptr;
    return 0;
}

/* --- stepping --- */

/* Launches graphs of GRAPH_BLOCKS blocks, which restore phase and pair of grids, then single
 * blocks. */
int enqueue(void *state, cuda_state *s, size_t *steps, struct error *e)
{
    struct temporal_state *t = (struct temporal_state *)state;
    if (!t->plan)
        return 0;
    const size_t depth = (size_t)tile_plan_kernel(t)->steps, graph_steps = GRAPH_BLOCKS * depth;
    auto record = [&] {
        int status = 0;
        for (size_t i = 0; i < GRAPH_BLOCKS && !status; i++)
            status = tile_plan_enqueue(t, s, (int)(((size_t)s->phase + i * depth) % PHASES),
                                       (s->pair_of_grids + (int)i) & 1, (int)(i * depth), e);
        return status;
    };
    /* single steps after a block and before the next exchange would read outdated halos:
     * docs/design/parallel.md (P19) */
    if (s->exchanging && tile_plan_leaves_halos(t) && *steps != depth)
        return 0;
    s->history_is_old = s->history_is_old || *steps >= depth;
    if ((*steps < depth || *steps >= graph_steps || !tile_plan_hides_halos(t, s)) && halos_wait(s, e))
        return -1;
    for (; *steps >= graph_steps; *steps -= graph_steps)
        if (graph_launch(s, &t->graphs[s->pair_of_grids][s->phase], graph_steps, record, e))
            return -1;
    const size_t first = *steps;
    for (; *steps >= depth; *steps -= depth) {
        if (tile_plan_enqueue(t, s, s->phase, s->pair_of_grids, (int)(first - *steps), e))
            return -1;
        s->phase = (int)(((size_t)s->phase + depth) % PHASES);
        s->pair_of_grids = !s->pair_of_grids;
    }
    if (first > *steps)
        advance_base(s, first - *steps);
    return cuda_check(cudaGetLastError(), "temporal blocks", e);
}

} // namespace

extern const struct strategy temporal_blocks = {"temporal",    false,   applicable,     make_plan,
                                                open_temporal, enqueue, close_temporal, ONLY_7_POINT | ONLY_19_POINT};

void temporal_drop_graphs(struct temporal_state *t, cuda_state *s)
{
    for (auto &of_pair : t->graphs)
        for (cudaGraphExec_t &graph : of_pair)
            graph_drop(&graph);
    one_step_drop_graphs(one_step_of(s));
}
