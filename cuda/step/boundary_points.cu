/* SPDX-License-Identifier: MIT */
#include "cuda/step/boundary_points.cuh"

#include <algorithm>

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"
#include "cuda/grid/view.cuh"

namespace
{

/* Interior: points of the air with all neighbours. Listed: the other points of the air. One
 * thread per word. */
__global__ void classify(const boundary_scan s)
{
    int64_t word;
    int x, y, z;
    if (!find_word(s, &word, &x, &y, &z))
        return;
    const unsigned around = state_around(s, y, z);
    uint32_t interior = 0, listed = 0;
    for (int i = 0; i < WORD && x + i < s.n[0]; i++) {
        const unsigned state = around | state_along(s, x + i);
        const point_code code = s.map                    ? s.map[((int64_t)z * s.n[1] + y) * s.pitch + x + i]
                                : in_box(s, x + i, y, z) ? s.states[state]
                                                         : (point_code)0;
        interior |= (uint32_t)(code && !state && code == s.states[0]) << i;
        listed |= (uint32_t)(code && !(!state && code == s.states[0])) << i;
    }
    s.interior[word] = interior;
    s.listed[word] = listed;
}

/* Points with branches are listed elsewhere. lasts: the last point of each block; zero on entry. */
__global__ void take_branches(const boundary_scan s, const branch_block *blocks, const uint32_t *offsets,
                              uint32_t *kinds, unsigned long long *lasts)
{
    const branch_block block = blocks[blockIdx.x];
    const size_t slot = (size_t)blockIdx.x * BRANCH_THREADS + threadIdx.x;
    if (threadIdx.x >= block.points)
        return;
    const uint64_t at = block.base + offsets[slot];
    const int64_t word = word_of(s, at);
    const uint32_t bit = bit_of(s, at);
    atomicAnd(s.interior + word, ~bit);
    atomicAnd(s.listed + word, ~bit);
    kinds[slot] = kind_of(s, at);
    atomicMax(lasts + blockIdx.x, (unsigned long long)at);
}

/* Counts the listed points of each row. One warp per row. */
__global__ void count_listed(const boundary_scan s, uint64_t *counts)
{
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= s.rows)
        return;
    unsigned count = 0;
    for (int i = (int)threadIdx.x; i < s.words; i += WARP)
        count += (unsigned)__popc(s.listed[row * s.words + i]);
    for (int half = WARP / 2; half; half /= 2)
        count += __shfl_xor_sync(0xffffffffu, count, half);
    if (threadIdx.x == 0)
        counts[row] = count;
}

/* first: index in the list of each row's first point. */
__global__ void list_points(const boundary_scan s, const uint64_t *first, uint64_t *at, uint32_t *kinds)
{
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= s.rows)
        return;
    uint64_t to = first[row];
    for (int i = 0; i < s.words; i++) {
        const uint32_t listed = s.listed[row * s.words + i], bit = 1u << threadIdx.x;
        if (listed & bit) {
            const uint64_t place = to + (uint64_t)__popc(listed & (bit - 1u));
            at[place] = (uint64_t)row * (uint64_t)s.pitch + (uint64_t)(i * WORD) + threadIdx.x;
            kinds[place] = kind_of(s, at[place]);
        }
        to += (uint64_t)__popc(listed);
    }
}

/* Finds out which points with drives are boundary points. One thread per point. */
__global__ void find_driven(const boundary_scan s, const drive_point *drives, unsigned count, uint8_t *driven)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    driven[i] = !(s.interior[word_of(s, drives[i].at)] & bit_of(s, drives[i].at));
}

__device__ bool is_driven(const drive_point *drives, unsigned count, const uint8_t *driven, uint64_t at)
{
    for (unsigned i = 0; i < count; i++)
        if (driven[i] && drives[i].at == at)
            return true;
    return false;
}

__global__ void mark_branches(const branch_block *blocks, const uint32_t *offsets, uint32_t *kinds,
                              const drive_point *drives, unsigned count, const uint8_t *driven)
{
    const branch_block block = blocks[blockIdx.x];
    const size_t slot = (size_t)blockIdx.x * BRANCH_THREADS + threadIdx.x;
    if (threadIdx.x < block.points && is_driven(drives, count, driven, block.base + offsets[slot]))
        kinds[slot] |= KIND_DRIVEN;
}

__global__ void mark_plain(const uint64_t *at, uint32_t *kinds, uint64_t points, const drive_point *drives,
                           unsigned count, const uint8_t *driven)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < points && is_driven(drives, count, driven, at[i]))
        kinds[i] |= KIND_DRIVEN;
}

struct tile_size {
    int points[3];
    unsigned tiles[3];
};

/* Several threads may set a byte, to the same value. One thread per word. */
__global__ void flag_tiles(const boundary_scan s, const tile_size t, uint8_t *masked, uint8_t *any)
{
    int64_t word;
    int x, y, z;
    if (!find_word(s, &word, &x, &y, &z))
        return;
    uint32_t box = 0;
    for (int i = 0; i < WORD && x + i < s.n[0]; i++)
        box |= (uint32_t)in_box(s, x + i, y, z) << i;
    const size_t tile =
        ((size_t)(z / t.points[2]) * t.tiles[1] + (size_t)(y / t.points[1])) * t.tiles[0] + (size_t)(x / t.points[0]);
    if (s.interior[word] != box)
        masked[tile] = TILE_MASK;
    if (s.interior[word])
        any[tile] = 1;
}

const char *const what = "boundary points";

/* Adds blocks that begin at these points, and end at or before those. */
void add_blocks(struct boundary_points *b, const boundary_scan &s, const std::vector<uint64_t> &firsts,
                const std::vector<uint64_t> &lasts)
{
    const uint64_t plane = (uint64_t)s.pitch * (uint64_t)s.n[1];
    for (size_t i = 0; i < firsts.size(); i++)
        b->blocks.push_back({firsts[i] / plane, lasts[i] / plane, (uint32_t)b->blocks.size()});
}

/* Temporary memory for making the lists, freed even after an exception. */
struct scratch {
    uint32_t *listed = nullptr; /* as `interior` */
    uint64_t *by_row = nullptr; /* number of listed points of each row, then index of the first of them in the list */
    unsigned long long *lasts = nullptr; /* last points of blocks with branches */

    ~scratch()
    {
        cudaFree(listed);
        cudaFree(by_row);
        cudaFree(lasts);
    }
};

/* The list of points without branches (b->plain_*), and its blocks. */
int list_plain(struct boundary_points *b, const boundary_scan &s, struct scratch *made, struct error *e)
{
    const size_t rows = (size_t)s.rows;
    std::vector<uint64_t> first(rows);
    int status = upload<uint64_t>(&made->by_row, nullptr, rows, what, e);
    uint64_t *on_device = made->by_row;
    if (!status) {
        count_listed<<<blocks_for(rows, 8), dim3(WARP, 8)>>>(s, on_device);
        status =
            scan_settled(what, e) ||
            cuda_check(cudaMemcpy(first.data(), on_device, rows * sizeof(uint64_t), cudaMemcpyDeviceToHost), what, e);
    }
    for (size_t row = 0; row < rows && !status; row++) {
        const uint64_t count = first[row];
        first[row] = b->plain_count;
        b->plain_count += count;
    }
    if (!status && b->plain_count) {
        status =
            cuda_check(cudaMemcpy(on_device, first.data(), rows * sizeof(uint64_t), cudaMemcpyHostToDevice), what, e) ||
            upload<uint64_t>(&b->plain_at, nullptr, b->plain_count, what, e) ||
            upload<uint32_t>(&b->plain_kinds, nullptr, b->plain_count, what, e);
        if (!status)
            list_points<<<blocks_for(rows, 8), dim3(WARP, 8)>>>(s, on_device, b->plain_at, b->plain_kinds);
        std::vector<uint64_t> firsts((b->plain_count + BRANCH_THREADS - 1) / BRANCH_THREADS);
        status =
            status || scan_settled(what, e) ||
            cuda_check(cudaMemcpy2D(firsts.data(), sizeof(uint64_t), b->plain_at, BRANCH_THREADS * sizeof(uint64_t),
                                    sizeof(uint64_t), firsts.size(), cudaMemcpyDeviceToHost),
                       what, e);
        std::vector<uint64_t> lasts(firsts); /* a block ends before the next one begins */
        lasts.erase(lasts.begin());
        lasts.push_back((uint64_t)s.pitch * (uint64_t)s.rows - 1);
        add_blocks(b, s, firsts, lasts);
    }
    return status ? -1 : 0;
}

/* Marks the listed points to which drives add, both without and with branches. */
int mark_listed(struct boundary_points *b, const cuda_state *s, bool branched, struct error *e)
{
    const unsigned count = (unsigned)b->driven.size();
    const struct branch_walls *w = &s->branches;
    uint8_t *driven = nullptr;
    if (!std::count(b->driven.begin(), b->driven.end(), 1))
        return 0;
    int status = upload(&driven, b->driven.data(), count, what, e);
    if (!status && branched && w->block_count)
        mark_branches<<<(unsigned)w->block_count, BRANCH_THREADS>>>(w->blocks, w->offsets, b->branch_kinds,
                                                                    s->device_drive_points, count, driven);
    if (!status && b->plain_count)
        mark_plain<<<blocks_for(b->plain_count, 128), 128>>>(b->plain_at, b->plain_kinds, b->plain_count,
                                                             s->device_drive_points, count, driven);
    status = status || scan_settled(what, e);
    cudaFree(driven);
    return status ? -1 : 0;
}

/* Finds the drives that add to boundary points. */
int find_all_driven(struct boundary_points *b, const cuda_state *s, const boundary_scan &rooms, struct error *e)
{
    const unsigned count = (unsigned)s->drive_points.size();
    uint8_t *driven = nullptr;
    b->driven.assign(count, 0);
    if (!count)
        return 0;
    int status = upload<uint8_t>(&driven, nullptr, count, what, e);
    if (!status) {
        find_driven<<<blocks_for(count, 128), 128>>>(rooms, s->device_drive_points, count, driven);
        status = scan_settled(what, e) ||
                 cuda_check(cudaMemcpy(b->driven.data(), driven, count, cudaMemcpyDeviceToHost), what, e);
    }
    cudaFree(driven);
    return status ? -1 : 0;
}

void sort_blocks(struct boundary_points *b)
{
    std::stable_sort(b->blocks.begin(), b->blocks.end(),
                     [](const listed_block &i, const listed_block &j) { return i.plane < j.plane; });
}

int fill_lists(struct boundary_points *b, const cuda_state *s, struct error *e)
{
    const struct branch_walls *w = &s->branches;
    boundary_scan rooms = boundary_scan_of(b->interior, s);
    struct scratch made;
    b->words = rooms.words;
    const uint64_t words = (uint64_t)rooms.words * (uint64_t)rooms.rows;
    if (upload<uint32_t>(&b->interior, nullptr, words, what, e) ||
        upload<uint32_t>(&made.listed, nullptr, words, what, e))
        return -1;
    rooms.interior = b->interior;
    rooms.listed = made.listed;
    classify<<<blocks_for(words, 256), 256>>>(rooms);
    if (w->block_count) {
        std::vector<branch_block> blocks(w->block_count);
        std::vector<uint64_t> firsts, lasts(w->block_count);
        if (upload<uint32_t>(&b->branch_kinds, nullptr, w->block_count * BRANCH_THREADS, what, e) ||
            upload<unsigned long long>(&made.lasts, nullptr, w->block_count, what, e))
            return -1;
        take_branches<<<(unsigned)w->block_count, BRANCH_THREADS>>>(rooms, w->blocks, w->offsets, b->branch_kinds,
                                                                    made.lasts);
        if (scan_settled(what, e) ||
            cuda_check(cudaMemcpy(blocks.data(), w->blocks, blocks.size() * sizeof blocks[0], cudaMemcpyDeviceToHost),
                       what, e) ||
            cuda_check(cudaMemcpy(lasts.data(), made.lasts, lasts.size() * sizeof lasts[0], cudaMemcpyDeviceToHost),
                       what, e))
            return -1;
        for (const branch_block &block : blocks)
            firsts.push_back(block.base);
        add_blocks(b, rooms, firsts, lasts);
    }
    if (scan_settled(what, e) || list_plain(b, rooms, &made, e) || find_all_driven(b, s, rooms, e) ||
        mark_listed(b, s, true, e) || partitions_place(s->partitions, b, s, e))
        return -1;
    sort_blocks(b);
    return 0;
}

} // namespace

/* Limit of interior_row::word, and of tiles (at least a word each) next to LISTED_BLOCK. Only a
 * room that is mostly solid could fit that many points into memory, as pages without air are not
 * stored. */
const char *boundary_points_refusal(const struct layout *l)
{
    const uint64_t words = (l->points[0] + WORD - 1) / WORD * l->points[1] * l->points[2];
    return words >> 31 ? "the grid must have fewer than 2^36 points" : nullptr;
}

uint64_t boundary_points_plain(const struct layout *l)
{
    uint64_t faces = 0;
    for (int face = 0; face < FACES; face++)
        if (l->missing >> face & 1u)
            faces += l->points[(face / 2 + 1) % 3] * l->points[(face / 2 + 2) % 3];
    return l->irregular_points + faces;
}

uint64_t boundary_points_bytes(const struct layout *l, const struct rows *rows)
{
    if (!l->irregular_count && !rows->branches.point_count)
        return 0;
    const uint64_t words = (l->points[0] + WORD - 1) / WORD, grid_rows = l->points[1] * l->points[2];
    const uint64_t blocks = rows->branches.point_count / BRANCH_THREADS + 2 * rows->branches.kind_count;
    return 2 * words * grid_rows * sizeof(uint32_t) + grid_rows * sizeof(uint64_t) + /* one of each during set-up */
           blocks * BRANCH_THREADS * sizeof(uint32_t) +
           boundary_points_plain(l) * (sizeof(uint64_t) + sizeof(uint32_t));
}

int boundary_points_setup(struct boundary_points *b, const cuda_state *s, struct error *e)
{
    *b = {};
    b->driven.assign(s->drive_points.size(), 0);
    if (!s->layout.irregular_count && !s->branches.block_count)
        return partitions_place(s->partitions, b, s, e); /* there are none: beside a partition, points are irregular */
    const in_phase listing("listing the boundary points");
    const int status = without_throwing(e, [&] { return fill_lists(b, s, e); });
    if (status)
        boundary_points_drop(b);
    return status;
}

int boundary_points_list_some(struct boundary_points *some, const struct boundary_points *all, const cuda_state *s,
                              uint32_t *listed, struct error *e)
{
    boundary_scan rooms = boundary_scan_of(all->interior, s);
    struct scratch made;
    *some = {};
    some->interior = all->interior;
    some->words = all->words;
    some->branch_kinds = all->branch_kinds;
    some->driven = all->driven;
    for (const listed_block &block : all->blocks)
        if (block.index < s->branches.block_count)
            some->blocks.push_back(block);
    rooms.listed = listed;
    if (list_plain(some, rooms, &made, e) || mark_listed(some, s, false, e))
        return -1;
    sort_blocks(some);
    return 0;
}

void boundary_points_drop_some(struct boundary_points *some)
{
    cudaFree(some->plain_at);
    cudaFree(some->plain_kinds);
    *some = {};
}

void boundary_points_drop(struct boundary_points *b)
{
    for (void *memory : {(void *)b->interior, (void *)b->branch_kinds, (void *)b->plain_at, (void *)b->plain_kinds})
        cudaFree(memory);
    *b = {};
}

int boundary_points_flag(const struct boundary_points *b, const cuda_state *s, const int size[3],
                         const unsigned tiles[3], std::vector<uint8_t> *flags, std::vector<uint8_t> *any,
                         struct error *e)
{
    const boundary_scan rooms = boundary_scan_of(b->interior, s);
    const uint64_t words = (uint64_t)rooms.words * (uint64_t)rooms.rows;
    const size_t count = (size_t)tiles[0] * tiles[1] * tiles[2];
    uint8_t *on_device = nullptr; /* masked tiles, then `any` */
    std::vector<uint8_t> both(2 * count);
    int status = upload<uint8_t>(&on_device, nullptr, both.size(), what, e);
    if (!status) {
        const tile_size t = {{size[0], size[1], size[2]}, {tiles[0], tiles[1], tiles[2]}};
        flag_tiles<<<blocks_for(words, 256), 256>>>(rooms, t, on_device, on_device + count);
        status = scan_settled(what, e) ||
                 cuda_check(cudaMemcpy(both.data(), on_device, both.size(), cudaMemcpyDeviceToHost), what, e);
    }
    cudaFree(on_device);
    flags->assign(both.begin(), both.begin() + (ptrdiff_t)count);
    any->assign(both.begin() + (ptrdiff_t)count, both.end());
    return status ? -1 : 0;
}
