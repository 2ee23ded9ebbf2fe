/* SPDX-License-Identifier: MIT */
/* Walls with branches: blocks of points of the same kind. States of a block are pairs (v, g), [branch][point]. */
#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/ptx.cuh"
#include "cuda/step/branches.cuh"

namespace
{

/* Sums each block in a fixed order, so that results are reproducible; only points low .. high -
 * 1 of a grid. */
template <typename REAL>
__global__ void stored(const branch_block *blocks, const uint32_t *offsets, const branch_factors_device<REAL> *factors,
                       const branch_state<REAL> *states, uint64_t low, uint64_t high, double *partial)
{
    __shared__ double sums[BRANCH_THREADS];
    const branch_block block = blocks[blockIdx.x];
    const uint64_t point = block.base + offsets[(size_t)blockIdx.x * BRANCH_THREADS + threadIdx.x];
    const bool counts = threadIdx.x < block.points && point >= low && point < high;
    double sum = 0.0;
    for (uint32_t m = 0; m < block.count && counts; m++) {
        const branch_factors_device<REAL> f = factors[block.first + m];
        const branch_state<REAL> s = states[block.states / 2 + threadIdx.x + (size_t)m * BRANCH_THREADS];
        sum += f.stored_v * (double)s.first * (double)s.first + f.stored_g * (double)s.second * (double)s.second;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = BRANCH_THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

/* Calls work(i) for i = 0 .. count - 1, in any order, in several threads that take `grain` of
 * them at a time. An exception of a call is rethrown after all threads have ended. */
template <typename WORK> void in_parallel(size_t count, size_t grain, WORK work)
{
    const size_t turns = (count + grain - 1) / grain;
    const size_t most = std::max(1u, std::min(std::thread::hardware_concurrency(), 16u));
    std::atomic<size_t> next(0);
    std::exception_ptr thrown;
    std::mutex lock;
    const auto run = [&] {
        try {
            for (size_t turn = next++; turn < turns; turn = next++)
                for (size_t i = turn * grain; i < std::min((turn + 1) * grain, count); i++)
                    work(i);
        } catch (...) {
            const std::lock_guard<std::mutex> guard(lock);
            thrown = std::current_exception();
            next = turns;
        }
    };
    std::vector<std::thread> threads;
    for (size_t i = 1; i < std::min(turns, most); i++)
        try {
            threads.emplace_back(run);
        } catch (...) { /* continues with the threads that started */
            break;
        }
    run();
    for (std::thread &thread : threads)
        thread.join();
    if (thrown)
        std::rethrow_exception(thrown);
}

/* Collects points by kind, from segments along x and along y. */
struct gathering {
    const struct rows *rows;
    size_t pitch;
    std::vector<std::vector<uint64_t>> of_kind[2];
};

void gather_span(void *context, const struct branch_span *span)
{
    gathering *g = (gathering *)context;
    const struct branch_segment *s = span->segment;
    for (size_t i = 0; i < span->count; i++)
        g->of_kind[s->along_y][s->kind].push_back((span->row + (s->along_y ? i : 0)) * g->pitch + s->x +
                                                  (s->along_y ? 0 : i));
}

/* Shape of a block of BRANCH_THREADS points at walls normal to x. */
enum { PATCH_PLANES = 8, PATCH_ROWS = BRANCH_THREADS / PATCH_PLANES };

/* The division of the room's points into blocks. */
struct cutting {
    std::vector<branch_block> blocks;
    std::vector<uint32_t> offsets;
    std::vector<uint32_t> kinds; /* kind of each block */
    uint64_t states;
};

/* Divides the points of a kind into blocks: full ones, each within the range of an offset. */
void cut_kind(cutting &c, uint32_t number, const struct branch_kind &kind, const std::vector<uint64_t> &at)
{
    for (size_t first = 0; first < at.size();) {
        size_t end = first;
        uint64_t low = at[first], high = at[first];
        for (; end < at.size() && end - first < BRANCH_THREADS; end++) {
            const uint64_t min = std::min(low, at[end]), max = std::max(high, at[end]);
            if (max - min > UINT32_MAX)
                break;
            low = min;
            high = max;
        }
        c.blocks.push_back({low, c.states, (uint32_t)(end - first), kind.first, kind.count, kind.heavy, kind.series,
                            kind.weight, kind.half_a});
        c.kinds.push_back(number);
        for (size_t i = 0; i < BRANCH_THREADS; i++)
            c.offsets.push_back(first + i < end ? (uint32_t)(at[first + i] - low) : 0);
        c.states += (uint64_t)2 * kind.count * BRANCH_THREADS;
        first = end;
    }
}

/* Sorts points that already ascend from group to group of planes. */
template <typename ORDER> void sort_planes(std::vector<uint64_t> &points, uint64_t planes, ORDER order)
{
    std::vector<size_t> first;
    for (size_t i = 0; i < points.size(); i++)
        if (i == 0 || points[i] / planes != points[i - 1] / planes)
            first.push_back(i);
    first.push_back(points.size());
    in_parallel(first.size() - 1, 16, [&](size_t i) {
        std::sort(points.begin() + (ptrdiff_t)first[i], points.begin() + (ptrdiff_t)first[i + 1], order);
    });
}

/* The points of each kind, by the direction of their segments, ascending from plane to plane. */
typedef std::vector<std::vector<uint64_t>> points_of_kinds;

void gather_planes(points_of_kinds (&all)[2], const struct rows *rows, size_t pitch)
{
    const struct branches *b = &rows->branches;
    const size_t shares = std::min<size_t>(rows->nz, 64);
    std::vector<gathering> parts(shares,
                                 {rows, pitch, {points_of_kinds(b->kind_count), points_of_kinds(b->kind_count)}});
    in_parallel(shares, 1, [&](size_t i) {
        for (size_t z = rows->nz * i / shares; z < rows->nz * (i + 1) / shares; z++)
            branches_visit(b, rows->ny, z * rows->ny, (z + 1) * rows->ny, gather_span, &parts[i]);
    });
    for (points_of_kinds &of_direction : all)
        of_direction.resize(b->kind_count);
    in_parallel(2 * b->kind_count, 1, [&](size_t i) {
        std::vector<uint64_t> &of_kind = all[i % 2][i / 2];
        size_t count = 0;
        for (const gathering &part : parts)
            count += part.of_kind[i % 2][i / 2].size();
        of_kind.reserve(count);
        for (const gathering &part : parts)
            of_kind.insert(of_kind.end(), part.of_kind[i % 2][i / 2].begin(), part.of_kind[i % 2][i / 2].end());
    });
}

/* Appends the blocks of another kind. */
void append(cutting &c, const cutting &next)
{
    for (branch_block block : next.blocks) {
        block.states += c.states;
        c.blocks.push_back(block);
    }
    c.offsets.insert(c.offsets.end(), next.offsets.begin(), next.offsets.end());
    c.kinds.insert(c.kinds.end(), next.kinds.begin(), next.kinds.end());
    c.states += next.states;
}

cutting cut(const struct rows *rows, size_t pitch)
{
    const struct branches *b = &rows->branches;
    cutting c = {};
    points_of_kinds points[2];
    /* a wall normal to x has neighbours along y and z: a block of its points is a patch, so that
     * most neighbours lie in lines with its other points */
    const uint64_t plane = pitch * rows->ny;
    const auto by_patch = [&](uint64_t p, uint64_t q) {
        const auto key = [&](uint64_t at) {
            return std::make_tuple(at / plane / PATCH_PLANES, at % pitch, at % plane / pitch / PATCH_ROWS, at);
        };
        return key(p) < key(q);
    };
    gather_planes(points, rows, pitch);
    std::vector<cutting> parts(2 * b->kind_count);
    for (size_t kind = 0; kind < b->kind_count; kind++) { /* the planes of each kind in parallel */
        sort_planes(points[0][kind], plane, std::less<uint64_t>());
        sort_planes(points[1][kind], PATCH_PLANES * plane, by_patch);
    }
    in_parallel(parts.size(), 1, [&](size_t i) {
        parts[i] = {};
        cut_kind(parts[i], (uint32_t)(i / 2), b->kinds[i / 2], points[i % 2][i / 2]);
    });
    for (const cutting &part : parts)
        append(c, part);
    return c;
}

template <typename REAL> int upload_factors(struct branch_walls *w, const struct branches *b, struct error *e)
{
    std::vector<branch_factors_device<REAL>> factors;
    for (size_t i = 0; i < b->factor_count; i++) {
        const struct branch_factors f = b->factors[i];
        factors.push_back({branch_multipliers_of<REAL>(f), f.tanks, f.lost, f.stored_v, f.stored_g});
    }
    return upload((branch_factors_device<REAL> **)&w->factors, factors.data(), factors.size(), "walls", e);
}

/* Keeps a sixth of the second-level cache for the states, the optimum measured on an H200. With
 * more, the field, which also reuses the cache from step to step, loses as much. */
float share_kept(double bytes)
{
    int device = 0, cache = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device) != cudaSuccess)
        return 0.0f;
    return (float)std::min(1.0, (double)cache / (6.0 * bytes));
}

} // namespace

std::vector<branch_place> branches_places(const struct rows *rows, size_t pitch)
{
    const cutting c = cut(rows, pitch);
    const uint64_t plane = pitch * rows->ny;
    std::vector<std::atomic<size_t>> next(rows->nz + 1); /* by plane: index of the next place */
    /* iterates over the stretches of a block's points within a plane */
    const auto each = [&](auto call) {
        in_parallel(c.blocks.size(), 1024, [&](size_t block) {
            const uint64_t base = c.blocks[block].base;
            const uint32_t *offsets = &c.offsets[block * BRANCH_THREADS];
            for (uint32_t i = 0, end; i < c.blocks[block].points; i = end) {
                const uint64_t z = (base + offsets[i]) / plane;
                for (end = i + 1; end < c.blocks[block].points && (base + offsets[end]) / plane == z;)
                    end++;
                call(block, i, end, (size_t)z);
            }
        });
    };
    each([&](size_t, uint32_t i, uint32_t end, size_t z) { next[z + 1] += end - i; });
    for (size_t z = 0; z < rows->nz; z++)
        next[z + 1] += next[z];
    const std::vector<size_t> first(next.begin(), next.end());
    std::vector<branch_place> places(first[rows->nz]);
    each([&](size_t block, uint32_t i, uint32_t end, size_t z) {
        size_t to = next[z].fetch_add(end - i);
        for (; i < end; i++)
            places[to++] = {c.blocks[block].base + c.offsets[block * BRANCH_THREADS + i],
                            c.blocks[block].states / 2 + i, c.kinds[block]};
    });
    in_parallel(rows->nz, 8, [&](size_t z) {
        std::sort(places.begin() + (ptrdiff_t)first[z], places.begin() + (ptrdiff_t)first[z + 1],
                  [](const branch_place &a, const branch_place &b) { return a.at < b.at; });
    });
    return places;
}

uint64_t branches_device_bytes(const struct rows *rows, enum precision precision, bool audited)
{
    const struct branches *b = &rows->branches;
    const size_t real = precision_bytes(precision), slot = sizeof(uint32_t) + (audited ? sizeof(double) : 0);
    std::vector<uint64_t> points(b->kind_count, 0);
    uint64_t bytes = b->factor_count * (precision == PRECISION_DOUBLE ? sizeof(branch_factors_device<double>)
                                                                      : sizeof(branch_factors_device<float>));
    for (uint64_t i = 0; i < b->segment_count; i++)
        points[b->segments[i].kind] += b->segments[i].length;
    for (size_t kind = 0; kind < b->kind_count; kind++) {          /* whole blocks */
        const uint64_t blocks = points[kind] / BRANCH_THREADS + 2; /* two directions, whose last blocks are not full */
        bytes += blocks * (sizeof(branch_block) + BRANCH_THREADS * (slot + 2 * real * b->kinds[kind].count));
    }
    return bytes;
}

int branches_setup(struct branch_walls *w, const struct rows *rows, size_t pitch, enum precision precision,
                   bool audited, size_t more, struct error *e)
{
    const struct branches *b = &rows->branches;
    *w = {};
    if (!b->point_count)
        return more ? upload<char>((char **)&w->states[0], nullptr, more * precision_bytes(precision), "walls", e) : 0;
    const cutting c = cut(rows, pitch);
    w->block_count = c.blocks.size();
    w->state_count = c.states;
    w->kept = share_kept((double)c.states * (double)precision_bytes(precision));
    const size_t slots = c.offsets.size(), real = precision_bytes(precision);
    return upload(&w->blocks, c.blocks.data(), c.blocks.size(), "walls", e) ||
           upload(&w->offsets, c.offsets.data(), slots, "walls", e) ||
           (precision == PRECISION_DOUBLE ? upload_factors<double>(w, b, e) : upload_factors<float>(w, b, e)) ||
           upload<char>((char **)&w->states[0], nullptr, (c.states + more) * real, "walls", e) ||
           (audited && upload<double>(&w->absorbed, nullptr, slots, "walls", e));
}

int branches_set_up_second_states(struct branch_walls *w, enum precision precision, struct error *e)
{
    return w->states[1] && w->states[1] != w->states[0]
               ? 0
               : upload<char>((char **)&w->states[1], nullptr, w->state_count * precision_bytes(precision), "walls", e);
}

void branches_share_states(struct branch_walls *w)
{
    branches_drop_second_states(w);
    w->states[1] = w->states[0];
}

void branches_drop_second_states(struct branch_walls *w)
{
    if (w->states[1] != w->states[0])
        cudaFree(w->states[1]);
    w->states[1] = nullptr;
}

void branches_drop(struct branch_walls *w)
{
    branches_drop_second_states(w);
    void *const all[] = {w->blocks, w->offsets, w->factors, w->states[0], w->absorbed};
    for (void *memory : all)
        if (memory)
            cudaFree(memory);
    *w = {};
}

template <typename REAL>
void branches_energy(const struct branch_walls *w, int pair_of_grids, uint64_t low, uint64_t high, double *sums,
                     cudaStream_t stream)
{
    if (w->block_count)
        stored<REAL><<<(unsigned)w->block_count, BRANCH_THREADS, 0, stream>>>(
            w->blocks, w->offsets, (const branch_factors_device<REAL> *)w->factors,
            (const branch_state<REAL> *)w->states[pair_of_grids], low, high, sums);
}

template void branches_energy<float>(const struct branch_walls *, int, uint64_t, uint64_t, double *, cudaStream_t);
template void branches_energy<double>(const struct branch_walls *, int, uint64_t, uint64_t, double *, cudaStream_t);
