/* SPDX-License-Identifier: MIT */
/* Drives and taps on the device, within a kernel of the field or in a separate launch. */
#ifndef AULA_CUDA_AUDIO_CUH
#define AULA_CUDA_AUDIO_CUH

#include "cuda/grid/view.cuh"

static const unsigned EVERY_TILE = 0xffffffffu;

/* One term of a channel. */
struct tap_value {
    double value; /* weight * p */
    bool late;    /* at level 1 */
};

template <typename REAL> __device__ inline tap_value read_term(const step<REAL> &s, uint32_t k, uint32_t end)
{
    if (k >= end)
        return {0.0, false};
    const term one = s.tap_terms[k];
    return {one.weight * (double)s.now[one.at], one.level != 0};
}

/* Terms at level 0 belong to this sample, terms at level 1 to the previous one: the field after
 * its step. Called by a whole warp, as a receiver between points has more than a hundred terms,
 * for whose loads a single thread would wait one by one. Each lane loads a term; all lanes add
 * them up in order. */
template <typename REAL> __device__ inline void read_channel(const step<REAL> &s, unsigned channel, unsigned lane)
{
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    const uint32_t first = s.tap_first[channel], end = s.tap_first[channel + 1];
    double now = 0.0, after = 0.0;
    tap_value next = read_term(s, first + lane, end);
    for (uint32_t k = first; k < end; k += 32) {
        const tap_value mine = next;
        const unsigned late = __ballot_sync(0xffffffffu, mine.late);
        next = read_term(s, k + 32 + lane, end);
        const uint32_t count = min(end - k, 32u);
        for (uint32_t i = 0; i < count; i++) {
            const double value = __shfl_sync(0xffffffffu, mine.value, (int)i);
            if (late >> i & 1u)
                after += value;
            else
                now += value;
        }
    }
    double *row = s.taps + channel * s.tap_stride;
    if (lane)
        return;
    row[n] = now;
    if (n > 0)
        row[n - 1] += after;
}

/* All channels, by the warps of `blocks` thread blocks of whole warps; the first warps of all
 * blocks take the first channels. */
template <typename REAL>
__device__ inline void read_taps(const step<REAL> &s, unsigned block, unsigned blocks, unsigned thread,
                                 unsigned threads)
{
    for (unsigned long long channel = (unsigned long long)(thread / 32u) * blocks + block; channel < s.tap_count;
         channel += (unsigned long long)(threads / 32u) * blocks)
        read_channel(s, (unsigned)channel, thread % 32u);
}

/* The contribution of a drive point to p^{n+1}. */
template <typename REAL> __device__ inline REAL drive_of(const step<REAL> &s, const drive_point &point)
{
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    double sum = 0.0;
    for (uint32_t k = point.first; k < point.end; k++)
        sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
    return (REAL)(point.factor * sum);
}

/* Adds the drives of a tile (EVERY_TILE: of all tiles) to p^{n+1} after the wall's update; the
 * factor 1/(1 + a) puts them inside the wall's bracket. */
template <typename REAL>
__device__ inline void add_drives(const step<REAL> &s, unsigned tile, unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < s.drive_point_count; i += threads) {
        const drive_point point = s.drive_points[i];
        if (tile == EVERY_TILE || point.tile == tile)
            s.next[point.at] += drive_of(s, point);
    }
}

/* Terms at level 1 of the last sample of a block; *base has already advanced past it. */
template <typename REAL> __device__ inline void read_late_taps(const step<REAL> &s, unsigned channel)
{
    const unsigned long long n = *s.base;
    double after = 0.0;
    for (uint32_t k = s.tap_first[channel]; k < s.tap_first[channel + 1]; k++)
        if (s.tap_terms[k].level != 0)
            after += s.tap_terms[k].weight * (double)s.now[s.tap_terms[k].at];
    if (n > 0)
        s.taps[channel * s.tap_stride + n - 1] += after;
}

#endif
