/* What receivers hear in passes of several steps. A pass meets a tap's points one by one, each in the tile that owns it, at levels that
 * no grid ever holds; so each point's value is kept level by level, and the taps are summed when the block is done. */
#include <algorithm>

#include "cuda/engine/state.cuh"
#include "cuda/temporal/tile_plan.cuh"

namespace
{

template <typename REAL>
__global__ void take_level(const REAL *grid, const uint64_t *at, unsigned count, double *captures,
                           const unsigned long long *base, int offset)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        captures[i * (size_t)CAPTURE_LEVELS + *base + (unsigned long long)offset] = (double)grid[at[i]];
}

/* Sample n hears level 0 of its entries at level n and level 1 at n + 1, summed as read_taps() does. */
__global__ void sum_levels(const double *captures, const uint32_t *capture_of, const term *terms, const uint32_t *first,
                           double *taps, unsigned channels, size_t steps)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < channels * steps;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t channel = i / steps, n = i % steps;
        double now = 0.0, after = 0.0;
        for (uint32_t k = first[channel]; k < first[channel + 1]; k++) {
            const double *levels = captures + capture_of[k] * (size_t)CAPTURE_LEVELS + n;
            if (terms[k].level == 0)
                now += terms[k].weight * levels[0];
            else
                after += terms[k].weight * levels[1];
        }
        taps[channel * BLOCK_STEPS + n] = now + after;
    }
}

} // namespace

uint64_t captures_bytes(const struct problem *p)
{
    uint64_t entries = 0;
    for (size_t c = 0; c < p->tap_count; c++)
        entries += p->taps[c].count;
    return entries * CAPTURE_LEVELS * sizeof(double);
}

int captures_set_up(cuda_state *s, struct error *e)
{
    const struct problem *p = s->problem;
    std::vector<uint64_t> at;
    std::vector<uint32_t> capture_of;
    for (size_t c = 0; c < p->tap_count; c++)
        for (size_t i = 0; i < p->taps[c].count; i++)
            s->capture_at.push_back(p->taps[c].entries[i].point);
    std::sort(s->capture_at.begin(), s->capture_at.end());
    s->capture_at.erase(std::unique(s->capture_at.begin(), s->capture_at.end()), s->capture_at.end());
    for (size_t c = 0; c < p->tap_count; c++)
        for (size_t i = 0; i < p->taps[c].count; i++)
            capture_of.push_back(
                (uint32_t)(std::lower_bound(s->capture_at.begin(), s->capture_at.end(), p->taps[c].entries[i].point) -
                           s->capture_at.begin()));
    for (uint64_t point : s->capture_at)
        at.push_back(point / p->points[0] * s->layout.pitch + point % p->points[0]);
    return upload(&s->capture_points, at.data(), at.size(), "tap points", e) ||
           upload(&s->capture_of, capture_of.data(), capture_of.size(), "tap points", e) ||
           upload<double>(&s->captures, nullptr, at.size() * CAPTURE_LEVELS, "tap points", e);
}

void captures_drop(cuda_state *s)
{
    cudaFree(s->capture_points);
    cudaFree(s->capture_of);
    cudaFree(s->captures);
    s->capture_points = nullptr;
    s->capture_of = nullptr;
    s->captures = nullptr;
    s->capture_at.clear();
}

void captures_take(const cuda_state *s, int phase, int pair, int offset)
{
    const unsigned count = (unsigned)s->capture_at.size();
    const void *grid = s->grids[grid_in(s, pair, phase)];
    if (count && s->problem->precision == PRECISION_DOUBLE)
        take_level<<<1, 256, 0, s->stream>>>((const double *)grid, s->capture_points, count, s->captures, s->base,
                                             offset);
    else if (count)
        take_level<<<1, 256, 0, s->stream>>>((const float *)grid, s->capture_points, count, s->captures, s->base,
                                             offset);
}

void captures_sum(const cuda_state *s, size_t steps)
{
    const size_t values = steps * s->problem->tap_count;
    const unsigned blocks = (unsigned)(values / 256 < 1024 ? values / 256 + 1 : 1024);
    sum_levels<<<blocks, 256, 0, s->stream>>>(s->captures, s->capture_of, s->tap_terms, s->tap_first, s->taps,
                                              (unsigned)s->problem->tap_count, steps);
}
