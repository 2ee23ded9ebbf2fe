/* SPDX-License-Identifier: MIT */
/* The table of strategies. */
#include <cstring>

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
    bool listed; /* by `aula devices` and in hints; else available by name only */
};

/* In the order in which they are asked. */
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
    return stencil == STENCIL_19_POINT ? "it steps the 7-point scheme, and this is the 19-point scheme"
                                       : "it steps the 19-point scheme, and this is the 7-point scheme";
}

const char *strategy_name(const char *name)
{
    return name && !strcmp(name, "fused") ? temporal_blocks.name : name; /* name in the previous release */
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
