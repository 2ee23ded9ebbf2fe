/* SPDX-License-Identifier: MIT */
/* Taps in a temporal block: values of their points at each level, from which the samples are summed after the block. */
#include "cuda/temporal/temporal.cuh"

#include <algorithm>

namespace
{

template <typename REAL>
__global__ void take_level(const REAL *grid, const uint64_t *at, unsigned count, double *levels,
                           const unsigned long long *base, int offset)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        levels[i * (size_t)HISTORY_LEVELS + *base + (unsigned long long)offset] = (double)grid[at[i]];
}

/* Sample n is the sum of level-0 entries at level n and level-1 entries at n + 1, in the order of read_taps(). */
__global__ void sum_levels(const double *levels, const uint32_t *point_of, const term *terms, const uint32_t *first,
                           double *taps, unsigned channels, size_t steps)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < channels * steps;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t channel = i / steps, n = i % steps;
        double now = 0.0, after = 0.0;
        for (uint32_t k = first[channel]; k < first[channel + 1]; k++) {
            const double *of_point = levels + point_of[k] * (size_t)HISTORY_LEVELS + n;
            if (terms[k].level == 0)
                now += terms[k].weight * of_point[0];
            else
                after += terms[k].weight * of_point[1];
        }
        taps[channel * BLOCK_STEPS + n] = now + after;
    }
}

} // namespace

uint64_t tap_history_device_bytes(const struct problem *p)
{
    uint64_t entries = 0;
    for (size_t c = 0; c < p->tap_count; c++)
        entries += p->taps[c].count;
    return entries * HISTORY_LEVELS * sizeof(double);
}

int tap_history_set_up(struct tap_history *h, const cuda_state *s, struct error *e)
{
    const struct problem *p = s->problem;
    std::vector<uint64_t> at;
    std::vector<uint32_t> point_of;
    for (size_t c = 0; c < p->tap_count; c++)
        for (size_t i = 0; i < p->taps[c].count; i++)
            h->points.push_back(p->taps[c].entries[i].point);
    std::sort(h->points.begin(), h->points.end());
    h->points.erase(std::unique(h->points.begin(), h->points.end()), h->points.end());
    for (size_t c = 0; c < p->tap_count; c++)
        for (size_t i = 0; i < p->taps[c].count; i++) {
            const auto found = std::lower_bound(h->points.begin(), h->points.end(), p->taps[c].entries[i].point);
            point_of.push_back((uint32_t)(found - h->points.begin()));
        }
    for (uint64_t point : h->points)
        at.push_back(point / p->points[0] * s->layout.pitch + point % p->points[0]);
    return upload(&h->at, at.data(), at.size(), "tap points", e) ||
           upload(&h->point_of, point_of.data(), point_of.size(), "tap points", e) ||
           upload<double>(&h->levels, nullptr, at.size() * HISTORY_LEVELS, "tap points", e);
}

void tap_history_drop(struct tap_history *h)
{
    cudaFree(h->at);
    cudaFree(h->point_of);
    cudaFree(h->levels);
    *h = {};
}

void tap_history_record(const cuda_state *s, int phase, int offset)
{
    const struct tap_history *h = s->tap_history;
    const unsigned count = (unsigned)h->points.size();
    const void *grid = s->grids[grid_at(s, phase)];
    offset = offset_of(s, offset);
    if (count && s->problem->precision == PRECISION_DOUBLE)
        take_level<<<1, 256, 0, s->stream>>>((const double *)grid, h->at, count, h->levels, s->base, offset);
    else if (count)
        take_level<<<1, 256, 0, s->stream>>>((const float *)grid, h->at, count, h->levels, s->base, offset);
}

void tap_history_sum(const cuda_state *s, size_t steps)
{
    const struct tap_history *h = s->tap_history;
    const size_t values = steps * s->problem->tap_count;
    const unsigned blocks = (unsigned)(values / 256 < 1024 ? values / 256 + 1 : 1024);
    sum_levels<<<blocks, 256, 0, s->stream>>>(h->levels, h->point_of, s->tap_terms, s->tap_first, s->taps,
                                              (unsigned)s->problem->tap_count, steps);
}
