/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/region_levels.cuh"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/grid/device_pages.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/boundary_points.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/region_sets.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_parts.cuh"

namespace
{

const char *const what = "boundary region";

struct level {
    level_block *blocks;
    level_entry *entries;
    unsigned block_count;
    uint64_t *tap_at; /* taps where this level is stepped */
    uint32_t *tap_history;
    unsigned tap_count;
};

} // namespace

struct region_levels {
    int steps;
    std::vector<level> levels;  /* [t - 1] */
    struct device_pages own[2]; /* grids owned by the region of a part */
};

namespace
{

/* --- blocks of a level --- */

/* The points from which the blocks of a level are made. */
struct level_lists {
    struct boundary_points points;
    vector_list inner, solids; /* solids: only for the first level */

    ~level_lists()
    {
        boundary_points_drop_some(&points);
        vector_list_drop(&inner);
    }
};

/* In an order of blocks: boundary points (LISTED_BLOCK), or `solids` (this); otherwise `inner`. */
enum : uint32_t { CLEARED_BLOCK = 0x40000000u };

/* All kinds of blocks alternate, by layers of bricks, so that blocks running at a time read the
 * same planes. */
std::vector<uint32_t> order_of(const level_lists &l)
{
    std::vector<uint32_t> order;
    const std::vector<listed_block> &listed = l.points.blocks;
    for (uint32_t i = l.inner.first_driven; i < l.inner.blocks; i++)
        order.push_back(i);
    const size_t layers = l.inner.of_layers.size() - 1;
    for (size_t layer = 0, next = 0; layer < layers; layer++) {
        std::vector<uint32_t> kinds[3];
        for (; next < listed.size() && (layer + 1 == layers || listed[next].plane < (layer + 1) * BRICK_PLANES); next++)
            kinds[0].push_back(listed[next].index | LISTED_BLOCK);
        for (uint32_t i = l.inner.of_layers[layer]; i < l.inner.of_layers[layer + 1]; i++)
            kinds[1].push_back(i);
        if (l.solids.blocks)
            for (uint32_t i = l.solids.of_layers[layer]; i < l.solids.of_layers[layer + 1]; i++)
                kinds[2].push_back(i | CLEARED_BLOCK);
        const size_t turns = std::max({kinds[0].size(), kinds[1].size(), kinds[2].size(), (size_t)1});
        for (size_t i = 0; i < turns; i++)
            for (const std::vector<uint32_t> &kind : kinds)
                for (size_t k = kind.size() * i / turns; k < kind.size() * (i + 1) / turns; k++)
                    order.push_back(kind[k]);
    }
    return order;
}

struct vectors_view {
    const uint32_t *vectors;
    const uint8_t *masks;
};

/* Writes blocks and their entries in order. One thread block per block. */
__global__ void write_blocks(const uint32_t *order, const boundary_view<float> points, const vectors_view inner,
                             const vectors_view solids, uint32_t first_driven, int values, level_block *blocks,
                             level_entry *entries)
{
    const uint32_t work = order[blockIdx.x], index = work & ~(LISTED_BLOCK | CLEARED_BLOCK);
    const uint64_t slot = (uint64_t)index * VECTOR_THREADS + threadIdx.x;
    level_block block = {};
    level_entry entry = {};
    if (work & LISTED_BLOCK && index < points.branch_blocks) {
        block.work = LEVEL_BRANCHED;
        block.walls = points.blocks[index];
        entry.at = block.walls.base + points.offsets[slot];
        entry.kind = points.branch_kinds[slot];
    } else if (work & LISTED_BLOCK) {
        const uint64_t first = (uint64_t)(index - points.branch_blocks) * VECTOR_THREADS;
        block.work = LEVEL_PLAIN;
        block.walls.points = (uint32_t)min(points.plain_count - first, (uint64_t)VECTOR_THREADS);
        if (threadIdx.x < block.walls.points) {
            entry.at = points.plain_at[first + threadIdx.x];
            entry.kind = points.plain_kinds[first + threadIdx.x];
        }
    } else {
        const vectors_view &list = work & CLEARED_BLOCK ? solids : inner;
        block.work = work & CLEARED_BLOCK ? LEVEL_CLEARED : index >= first_driven ? LEVEL_DRIVEN : LEVEL_VECTORS;
        entry.at = (uint64_t)list.vectors[slot] * (unsigned)values;
        entry.kind = list.masks[slot];
    }
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = block;
    entries[(size_t)blockIdx.x * VECTOR_THREADS + threadIdx.x] = entry;
}

int make_blocks(struct level *l, const level_lists &lists, const cuda_state *s, struct error *e)
{
    const std::vector<uint32_t> order = order_of(lists);
    uint32_t *on_device = nullptr;
    l->block_count = (unsigned)order.size();
    int status = upload(&on_device, order.data(), order.size(), what, e) ||
                 upload<level_block>(&l->blocks, nullptr, order.size(), what, e) ||
                 upload<level_entry>(&l->entries, nullptr, order.size() * VECTOR_THREADS, what, e);
    if (!status && l->block_count) {
        write_blocks<<<l->block_count, VECTOR_THREADS>>>(
            on_device, boundary_view_of<float>(&lists.points, s), {lists.inner.vectors, lists.inner.masks},
            {lists.solids.vectors, lists.solids.masks}, lists.inner.first_driven,
            16 / (int)precision_bytes(s->problem->precision), l->blocks, l->entries);
        status = scan_settled(what, e);
    }
    cudaFree(on_device);
    return status ? -1 : 0;
}

/* --- the plan --- */

/* Lists the taps in the points of a level. */
int list_taps(struct level *l, region_sets &sets, const uint32_t *region, const cuda_state *s, struct error *e)
{
    const struct tap_history *h = s->tap_history;
    std::vector<uint32_t> set, history;
    std::vector<uint64_t> at;
    if (h->points.empty())
        return 0;
    if (sets.read(&set, region, e))
        return -1;
    for (size_t i = 0; i < h->points.size(); i++) {
        const uint64_t nx = s->layout.points[0], place = h->points[i] / nx * s->layout.pitch + h->points[i] % nx;
        if (sets.has(set, place)) {
            at.push_back(place);
            history.push_back((uint32_t)i);
        }
    }
    l->tap_count = (unsigned)at.size();
    return l->tap_count && (upload(&l->tap_at, at.data(), at.size(), what, e) ||
                            upload(&l->tap_history, history.data(), history.size(), what, e))
               ? -1
               : 0;
}

/* The sets of a room. */
struct room_sets {
    region_sets sets;
    uint32_t *air = nullptr, *solid = nullptr, *branched = nullptr, *driven = nullptr, *region = nullptr,
             *scratch[2] = {};
    own_planes own;
    std::vector<uint32_t *> stepped; /* [t - 1] by level t */

    explicit room_sets(const cuda_state *s) : sets(s), own(s->problem)
    {
    }

    int make(const cuda_state *s, int steps, struct error *e)
    {
        for (uint32_t **set : {&air, &solid, &branched, &driven, &region, &scratch[0], &scratch[1]})
            if (sets.make(set, e))
                return -1;
        stepped.resize((size_t)steps);
        for (uint32_t *&set : stepped)
            if (sets.make(&set, e))
                return -1;
        sets.mark(s, air, solid, region, branched, driven);
        return 0;
    }

    /* In the outermost planes of halos, whose neighbours are missing, only points with branches
     * are stepped, as all levels have them. A block may still write to these planes; its results
     * at points without air there are cleared. */
    void leave_out_ends()
    {
        if (!own.has_halos())
            return;
        for (uint32_t *set : {air, solid, region}) {
            sets.keep_ends(set, own.first > 0 ? 1 : 0, own.end < own.count ? own.count - 1 : own.count, scratch[0]);
            sets.keep_first(set, scratch[0], set);
        }
    }

    /* Adds the region, `reach` links wide, to the levels that are stepped so far. */
    void add_to_levels(int reach)
    {
        const int steps = (int)stepped.size();
        for (int t = 1; t <= steps; t++) {
            uint32_t *set = stepped[(size_t)t - 1];
            if (level_reach(t, steps) == reach)
                sets.keep_either(set, region, set);
            if (own.has_halos() && level_reach_at_halo(t, steps) == reach) {
                const int beside = level_planes_beside_halo(t, steps);
                sets.keep_ends(region, own.first > 0 ? own.first + beside : 0,
                               own.end < own.count ? own.end - beside : own.count, scratch[0]);
                sets.keep_either(set, scratch[0], set);
            }
        }
    }

    /* Widens the region by a link. At the start, when it is `reach` = 0 links wide, it also
     * widens from points without air in the box, whose neighbours are regular if p = 0 there. */
    void widen(int reach)
    {
        if (!reach)
            sets.keep_either(region, solid, region);
        sets.widen(region, air, scratch[0]);
        std::swap(region, scratch[0]);
    }
};

int fill_level(struct level *l, room_sets &room, const uint32_t *stepped, const cuda_state *s,
               const vector_list &solids, struct error *e)
{
    const struct boundary_points *all = &one_step_of(s)->boundary;
    uint32_t *some = room.scratch[0];
    level_lists lists = {};
    lists.solids = solids;
    room.sets.keep_first(stepped, all->interior, some);
    room.sets.keep_first(some, room.branched, some);
    if (boundary_points_list_some(&lists.points, all, s, some, e))
        return -1;
    room.sets.keep_both(stepped, all->interior, some);
    if (room.sets.list_vectors(&lists.inner, some, room.driven, e) || list_taps(l, room.sets, stepped, s, e))
        return -1;
    return make_blocks(l, lists, s, e);
}

/* Lists points without air within STEPS links of air. */
int list_solids(vector_list *solids, room_sets &room, int steps, struct error *e)
{
    const uint32_t *from = room.air;
    for (int i = 0; i < steps; i++) {
        room.sets.widen(from, room.solid, room.scratch[i % 2]);
        from = room.scratch[i % 2];
    }
    return room.sets.list_vectors(solids, from, nullptr, e);
}

int fill(struct region_levels *r, const cuda_state *s, struct error *e)
{
    room_sets room(s);
    vector_list solids = {}, none = {};
    const int farthest = std::max(r->steps - 1, level_reach(1, r->steps)),
              reach_max = room.own.has_halos() ? level_reach_at_halo(1, r->steps) : farthest;
    r->levels.resize((size_t)r->steps);
    int status = room.make(s, r->steps, e) || list_solids(&solids, room, r->steps, e);
    if (!status)
        room.leave_out_ends();
    for (int reach = 0; reach <= reach_max && !status; reach++) {
        room.add_to_levels(reach);
        room.widen(reach);
    }
    for (int t = 1; t <= r->steps && !status; t++)
        status = fill_level(&r->levels[(size_t)t - 1], room, room.stepped[(size_t)t - 1], s, t == 1 ? solids : none, e);
    vector_list_drop(&solids);
    return status ? -1 : 0;
}

/* --- launches --- */

/* The grids of a block's levels. */
template <typename REAL> struct level_grids {
    REAL *first, *before, *next, *next_before;
    REAL *odd, *even; /* of levels in between */
    int steps;

    REAL *at(int level) const
    {
        return level == -1          ? before
               : level == 0         ? first
               : level == steps     ? next
               : level == steps - 1 ? next_before
               : level % 2          ? odd
                                    : even;
    }
};

int make(struct region_levels *r, cuda_state *s, struct error *e)
{
    if (!own_planes(s->problem).has_halos())
        branches_share_states(&s->branches);
    else if (branches_set_up_second_states(&s->branches, s->problem->precision, e))
        return -1;
    if ((!s->map && setup_map(s, e)) || level_step_prepare(s->rows.stencil, s->problem->precision, e))
        return -1;
    for (int i = 0; i < region_levels_grids(s->problem, r->steps); i++)
        if (device_pages_make(&r->own[i], {s->problem, &s->layout, &s->rows, precision_bytes(s->problem->precision), 0},
                              "grid", e))
            return -1;
    return fill(r, s, e);
}

} // namespace

bool region_levels_possible(const struct problem *p, const struct layout *l, const struct rows *rows)
{
    const uint64_t values = 16 / precision_bytes(p->precision); /* per vector */
    return (l->irregular_count || rows->branches.point_count) &&
           (uint64_t)l->pitch * l->points[1] * l->points[2] / values <= UINT32_MAX;
}

bool region_levels_needed(const cuda_state *s)
{
    return !s->spare && region_levels_possible(s->problem, &s->layout, &s->rows);
}

uint64_t region_levels_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows)
{
    const uint64_t boundary_points = rows->branches.point_count + l->irregular_points;
    const uint64_t second_states =
        rows->branches.point_count && own_planes(p).has_halos() ? branches_device_bytes(rows, p->precision, false) : 0;
    /* A wall normal to x needs most: at depth 5, five points of its own, vectors of 3 to 6
     * points per level, next to halos of 4 to 8, and five points behind it. No level has more
     * vectors than the grid. In addition, during set-up: lists, sets and numbers of bricks. */
    enum { LEVELS = 5 };
    const uint64_t each = sizeof(level_entry) + sizeof(level_block) / VECTOR_THREADS + sizeof(uint32_t) + 1;
    const uint64_t words = (l->points[0] + WORD - 1) / WORD * l->points[1] * l->points[2];
    const uint64_t vectors = words * WORD / (16 / precision_bytes(p->precision));
    const uint64_t entries = (p->precision == PRECISION_DOUBLE ? 26 : 19) * boundary_points;
    return second_states + std::min(entries, (LEVELS + 1) * vectors + LEVELS * boundary_points) * each +
           words * ((8 + LEVELS) * sizeof(uint32_t) + 1);
}

int region_levels_grids(const struct problem *p, int steps)
{
    return own_planes(p).has_halos() ? std::min(steps - 2, 2) : 0;
}

int region_levels_set_up(struct region_levels **r, cuda_state *s, int steps, struct error *e)
{
    if (*r && (*r)->steps == steps)
        return 0;
    const in_phase planning("planning the boundary region");
    region_levels_drop(*r);
    *r = new region_levels();
    (*r)->steps = steps;
    if (!make(*r, s, e))
        return 0;
    region_levels_drop(*r); /* no region if it is incomplete */
    *r = nullptr;
    return -1;
}

void region_levels_drop(struct region_levels *r)
{
    if (!r)
        return;
    for (struct level &l : r->levels) {
        cudaFree(l.blocks);
        cudaFree(l.entries);
        cudaFree(l.tap_at);
        cudaFree(l.tap_history);
    }
    for (struct device_pages &grid : r->own)
        device_pages_free(&grid);
    delete r;
}

template <typename REAL>
void region_levels_enqueue(const struct region_levels *r, const cuda_state *s, const temporal_block<REAL> &block,
                           int phase, int pair_of_grids)
{
    const bool apart = r->own[0].at;
    REAL *first = (REAL *)s->grids[grid_in(s, pair_of_grids, phase)],
         *before = (REAL *)s->grids[grid_in(s, pair_of_grids, phase - 1)];
    const level_grids<REAL> grids = {first,
                                     before,
                                     block.next,
                                     block.next_before,
                                     apart ? (REAL *)r->own[0].at : before,
                                     apart ? (REAL *)r->own[1].at : first,
                                     r->steps};
    const struct boundary_points none = {}; /* lists are in the blocks */
    for (int t = 1; t <= r->steps; t++) {
        const struct level &l = r->levels[(size_t)t - 1];
        level_step<REAL> args;
        memset(&args, 0, sizeof args);
        static_cast<grid_view<REAL> &>(args) = block;
        static_cast<drive_view &>(args) = block;
        args.offset += t - 1;
        args.now = grids.at(t - 1);
        args.before = grids.at(t - 2);
        args.next = grids.at(t);
        args.states = (const coefficients<REAL> *)s->states;
        args.boundary = boundary_view_of<REAL>(&none, s);
        args.boundary.states = (branch_state<REAL> *)s->branches.states[t > 1 ? !pair_of_grids : pair_of_grids];
        args.boundary.kept = 1.0f; /* all states: the field of a region is small, and would not be displaced */
        args.new_states = (branch_state<REAL> *)s->branches.states[!pair_of_grids];
        args.blocks = l.blocks;
        args.entries = l.entries;
        args.block_count = l.block_count;
        args.reversed =
            !(t & 1); /* starts with the planes that the previous level has left in the second-level cache */
        args.drive_points = s->device_drive_points;
        args.drive_point_count = (unsigned)s->drive_points.size();
        args.cleared[0] = block.next;
        args.cleared[1] = block.next_before;
        if (l.block_count)
            level_step_launch(args, s->rows.stencil, s->stream);
        const level_taps<REAL> taps = {grids.at(t), l.tap_at,          l.tap_history,
                                       l.tap_count, block.tap_history, block.tap_history_stride,
                                       block.base,  block.offset + t};
        if (l.tap_count)
            level_taps_launch(taps, s->stream);
    }
}

template void region_levels_enqueue<float>(const struct region_levels *, const cuda_state *,
                                           const temporal_block<float> &, int, int);
template void region_levels_enqueue<double>(const struct region_levels *, const cuda_state *,
                                            const temporal_block<double> &, int, int);
