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
    {&room_kernel, true},         {&room_narrow_kernel, true},    {&webb_tiling, true},
    {&webb_tiling_shared, true},  {&webb_tiling_extended, true},  {&webb_slicing, true},
    {&webb_slicing_shared, true}, {&webb_slicing_extended, true}, {&temporal_blocks, true},
    VARIANTS(webb_tiling),        VARIANTS(webb_tiling_shared),   VARIANTS(webb_tiling_extended),
    VARIANTS(webb_slicing),       VARIANTS(webb_slicing_shared),  VARIANTS(webb_slicing_extended),
};

} // namespace

const struct strategy *strategy_at(size_t index)
{
    return index < sizeof strategies / sizeof *strategies ? strategies[index].strategy : nullptr;
}

const struct strategy *strategy_listed(size_t index)
{
    for (const struct row &row : strategies)
        if (row.listed && index-- == 0)
            return row.strategy;
    return nullptr;
}

const char *strategy_name(const char *name)
{
    return name && !strcmp(name, "fused") ? temporal_blocks.name : name; /* name in the previous release */
}

const struct strategy *strategy_named(const char *name)
{
    for (size_t i = 0; strategy_at(i); i++)
        if (!strcmp(strategy_at(i)->name, name))
            return strategy_at(i);
    return nullptr;
}
