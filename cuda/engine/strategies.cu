/* SPDX-License-Identifier: MIT */
/* The table of strategies, the choice for a problem, and its memory requirement. */
#include <cstring>

extern "C" {
#include "solver/find_kernel.h"
}
#include "cuda/bodies/bodies.cuh"
#include "cuda/engine/energy.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/engine/strategy.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/temporal/temporal.cuh"

#define DECLARE_VARIANTS(kernel)                                                                                       \
    extern const struct step_kernel kernel, kernel##_read_only, kernel##_prefer_l1, kernel##_both;
#define VARIANTS(kernel)                                                                                               \
    {&kernel##_read_only, false}, {&kernel##_prefer_l1, false},                                                        \
    {                                                                                                                  \
        &kernel##_both, false                                                                                          \
    }

extern const struct step_kernel room_kernel, room_narrow_kernel;
extern const struct step_kernel corner_room_kernel, corner_room_narrow_kernel, corner_room_tall_kernel;
DECLARE_VARIANTS(webb_tiling)
DECLARE_VARIANTS(webb_tiling_shared)
DECLARE_VARIANTS(webb_tiling_extended)
DECLARE_VARIANTS(webb_slicing)
DECLARE_VARIANTS(webb_slicing_shared)
DECLARE_VARIANTS(webb_slicing_extended)

namespace
{

struct row {
    const struct strategy *strategy;
    bool listed; /* listed by `aula devices` and in hints; otherwise available only by name */
};

/* In order of preference. */
const struct row strategies[] = {
    {&room_kernel, true},
    {&room_narrow_kernel, true},
    {&webb_tiling, true},
    {&webb_tiling_shared, true},
    {&webb_tiling_extended, true},
    {&webb_slicing, true},
    {&webb_slicing_shared, true},
    {&webb_slicing_extended, true},
    {&corner_room_kernel, true},
    {&corner_room_narrow_kernel, true},
    {&corner_room_tall_kernel, true},
    {&temporal_blocks, true},
    VARIANTS(webb_tiling),
    VARIANTS(webb_tiling_shared),
    VARIANTS(webb_tiling_extended),
    VARIANTS(webb_slicing),
    VARIANTS(webb_slicing_shared),
    VARIANTS(webb_slicing_extended),
};

} // namespace

const struct strategy *strategy_at(size_t index)
{
    return index < sizeof strategies / sizeof *strategies ? strategies[index].strategy : nullptr;
}

const struct strategy *strategy_listed(size_t index, enum air_stencil stencil)
{
    for (const struct row &row : strategies)
        if (row.listed && strategy_steps(row.strategy, stencil) && index-- == 0)
            return row.strategy;
    return nullptr;
}

const char *strategy_stencil_refusal(const struct strategy *s, enum air_stencil stencil)
{
    if (strategy_steps(s, stencil))
        return nullptr;
    return stencil == STENCIL_19_POINT ? "it does not support the 19-point scheme"
                                       : "it does not support the 7-point scheme";
}

const char *strategy_name(const char *name)
{
    return name && !strcmp(name, "fused") ? temporal_blocks.name : name; /* its former name */
}

const struct strategy *strategy_named(const char *name, enum air_stencil stencil)
{
    const struct strategy *other = nullptr;
    for (const struct row &row : strategies) {
        if (strcmp(row.strategy->name, name) != 0)
            continue;
        if (strategy_steps(row.strategy, stencil))
            return row.strategy;
        other = row.strategy;
    }
    return other;
}

/* --- the choice among them --- */

int grid_count(const struct problem *p)
{
    return leapfrog_of(p)->viscosity > 0.0 ? 3 : 2;
}

uint64_t grid_bytes(const struct strategy_case *c, size_t spare)
{
    return device_pages_bytes({c->problem, c->layout, c->rows, precision_bytes(c->problem->precision), spare});
}

uint64_t map_bytes(const struct strategy_case *c)
{
    return device_pages_bytes({c->problem, c->layout, c->rows, sizeof(point_code), 0});
}

bool is_worth_tuning(const struct layout *l)
{
    return (uint64_t)l->pitch * l->points[1] * l->points[2] >= (uint64_t)1 << 20;
}

static const char *row_name(const void *stencil, size_t index, const char **reason)
{
    const struct strategy *row = strategy_listed(index, *(const enum air_stencil *)stencil);
    *reason = nullptr; /* `applicable` reports it */
    return row ? row->name : nullptr;
}

int strategies_choose(struct strategies_chosen *chosen, struct strategy_case *c, struct error *e)
{
    const enum air_stencil stencil = leapfrog_of(c->problem)->stencil;
    const struct kernel_table table = {"cuda", nullptr, row_name, &stencil};
    const char *wanted = strategy_name(c->choice->kernel);
    size_t index;
    *chosen = {};
    c->named = wanted ? strategy_named(wanted, stencil) : nullptr;
    if (wanted && !c->named)
        return find_kernel(&index, &table, wanted, e); /* fails with a hint that lists the kernels */
    for (size_t i = 0; strategy_at(i); i++) {
        const struct strategy *row = strategy_at(i);
        struct strategy_offer offer = {};
        struct strategy_offer &place = row->single ? chosen->single : chosen->blocks;
        offer.strategy = row;
        if (row->applicable(row, &offer, c, e))
            return -1;
        if (offer.wanted && !place.wanted)
            place = offer;
    }
    return chosen->single.wanted
               ? 0
               : fail(e, ERROR_ENGINE, "no kernel of the cuda engine supports %zu x %zu x %zu points; use --engine cpu",
                      c->layout->points[0], c->layout->points[1], c->layout->points[2]);
}

void strategies_plan(struct solver_plan *r, const struct strategies_chosen *chosen, const struct strategy_case *c)
{
    const struct problem *p = c->problem;
    const struct rows *rows = c->rows;
    const bool audited = c->choice->audit;
    r->engine = "cuda";
    r->on_device = true;
    r->time_block = 0;
    r->cuda.in_place = false;
    r->balanced = audited && grid_count(p) == 2; /* the losses of lossy air are not summed */
    r->boundary_bytes = branches_device_bytes(rows, p->precision, audited) + (audited ? energy_device_bytes(rows) : 0) +
                        halos_device_bytes(p, c->layout, rows, c->choice) + partitions_device_bytes(p, c->layout, rows);
    r->channel_bytes =
        (uint64_t)(p->drive_count + p->tap_count) * BLOCK_STEPS * sizeof(double) + bodies_device_bytes(p);
    rows_count(rows, p->counted, &r->air_points, &r->wall_points);
    chosen->single.strategy->plan(&chosen->single, c, r);
    if (chosen->blocks.wanted)
        chosen->blocks.strategy->plan(&chosen->blocks, c, r);
}
