/* Drives and taps on the device, within a kernel of the field or in a separate launch. */
#ifndef AULA_CUDA_AUDIO_CUH
#define AULA_CUDA_AUDIO_CUH

#include "cuda/grid/view.cuh"

static const unsigned EVERY_TILE = 0xffffffffu;

/* Terms of level 0 belong to this sample, terms of level 1 to the previous one: the field after its step. */
template <typename REAL> __device__ inline void read_taps(const step<REAL> &s, unsigned channel)
{
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    double now = 0.0, after = 0.0;
    for (uint32_t k = s.tap_first[channel]; k < s.tap_first[channel + 1]; k++) {
        const double value = s.tap_terms[k].weight * (double)s.now[s.tap_terms[k].at];
        if (s.tap_terms[k].level == 0)
            now += value;
        else
            after += value;
    }
    double *row = s.taps + channel * s.tap_stride;
    row[n] = now;
    if (n > 0)
        row[n - 1] += after;
}

/* Adds the drives of a tile (EVERY_TILE: of all tiles) to p^{n+1} after the wall's update; the factor 1/(1 + a) puts
 * them inside the wall's bracket. */
template <typename REAL>
__device__ inline void add_drives(const step<REAL> &s, unsigned tile, unsigned thread, unsigned threads)
{
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    for (unsigned i = thread; i < s.drive_point_count; i += threads) {
        const drive_point point = s.drive_points[i];
        if (tile != EVERY_TILE && point.tile != tile)
            continue;
        double sum = 0.0;
        for (uint32_t k = point.first; k < point.end; k++)
            sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
        s.next[point.at] += (REAL)(point.factor * sum);
    }
}

/* Terms of level 1 of the last sample of a block; *base has already advanced past it. */
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
