/* The table of strategies. */
#include <cstring>

#include "cuda/step/one_step.cuh"
#include "cuda/temporal/temporal.cuh"

#define DECLARE_VARIANTS(kernel)                                                                                       \
    extern const struct step_kernel kernel, kernel##_read_only, kernel##_prefer_l1, kernel##_both;
#define VARIANTS(kernel) &kernel##_read_only, &kernel##_prefer_l1, &kernel##_both

extern const struct step_kernel room_kernel, room_narrow_kernel;
DECLARE_VARIANTS(webb_tiling)
DECLARE_VARIANTS(webb_tiling_shared)
DECLARE_VARIANTS(webb_tiling_extended)
DECLARE_VARIANTS(webb_slicing)
DECLARE_VARIANTS(webb_slicing_shared)
DECLARE_VARIANTS(webb_slicing_extended)

const struct strategy *const strategies[] = {
    &room_kernel,  &room_narrow_kernel,  &webb_tiling,           &webb_tiling_shared, &webb_tiling_extended,
    &webb_slicing, &webb_slicing_shared, &webb_slicing_extended, &temporal_blocks,    nullptr,
};

/* Available by name only. */
static const struct strategy *const unlisted[] = {
    VARIANTS(webb_tiling),
    VARIANTS(webb_tiling_shared),
    VARIANTS(webb_tiling_extended),
    VARIANTS(webb_slicing),
    VARIANTS(webb_slicing_shared),
    VARIANTS(webb_slicing_extended),
    nullptr,
};

const struct strategy *strategy_at(size_t index)
{
    size_t listed = 0;
    while (strategies[listed] && listed < index)
        listed++;
    return strategies[listed] ? strategies[listed] : unlisted[index - listed];
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
