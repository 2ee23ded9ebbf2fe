/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/region_sets.cuh"

#include "cuda/engine/device.cuh"

namespace
{

const char *const what = "boundary region";

/* --- sets of points, a bit each --- */

__global__ void mark_points(const boundary_scan s, uint32_t *air, uint32_t *solid, uint32_t *wrong)
{
    int64_t word;
    int x, y, z;
    if (!find_word(s, &word, &x, &y, &z))
        return;
    const unsigned around = state_around(s, y, z);
    uint32_t is_air = 0, is_solid = 0, is_wrong = 0;
    for (int i = 0; i < WORD && x + i < s.n[0]; i++) {
        const point_code code = s.map[((int64_t)z * s.n[1] + y) * s.pitch + x + i];
        const bool in = in_box(s, x + i, y, z);
        is_air |= (uint32_t)(code != 0) << i;
        is_wrong |= (uint32_t)(code && !(in && code == s.states[around | state_along(s, x + i)])) << i;
        is_solid |= (uint32_t)(!code && in) << i;
    }
    air[word] = is_air;
    wrong[word] = is_wrong;
    solid[word] = is_solid;
}

__global__ void mark_branched(const boundary_scan s, const branch_block *blocks, const uint32_t *offsets,
                              uint32_t *wrong, uint32_t *branched)
{
    const branch_block block = blocks[blockIdx.x];
    if (threadIdx.x >= block.points)
        return;
    const uint64_t at = block.base + offsets[(size_t)blockIdx.x * BRANCH_THREADS + threadIdx.x];
    atomicOr(wrong + word_of(s, at), bit_of(s, at));
    atomicOr(branched + word_of(s, at), bit_of(s, at));
}

__global__ void mark_places(const boundary_scan s, const drive_point *drives, unsigned count, uint32_t *driven)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    atomicOr(driven + word_of(s, drives[i].at), bit_of(s, drives[i].at));
}

__global__ void keep_end_planes(const boundary_scan s, const uint32_t *set, int lower, int upper, uint32_t *out)
{
    int64_t word;
    int x, y, z;
    if (find_word(s, &word, &x, &y, &z))
        out[word] = z < lower || z >= upper ? set[word] : 0u;
}

/* The word of a set in another row; 0 beyond the grid. */
__device__ uint32_t word_at(const boundary_scan &s, const uint32_t *set, int i, int y, int z)
{
    return i >= 0 && i < s.words && y >= 0 && y < s.n[1] && z >= 0 && z < s.n[2]
               ? set[((int64_t)z * s.n[1] + y) * s.words + i]
               : 0u;
}

/* Union of a word and the adjacent words along the other axes. */
__device__ uint32_t cross(const boundary_scan &s, const uint32_t *set, int i, int y, int z)
{
    return word_at(s, set, i, y, z) | word_at(s, set, i, y - 1, z) | word_at(s, set, i, y + 1, z) |
           word_at(s, set, i, y, z - 1) | word_at(s, set, i, y, z + 1);
}

/* Points of `among` in a set or one link away from it. */
__global__ void widen_set(const boundary_scan s, const uint32_t *set, bool diagonals, const uint32_t *among,
                          uint32_t *wider)
{
    int64_t word;
    int x, y, z;
    if (!find_word(s, &word, &x, &y, &z))
        return;
    const int i = x / WORD;
    uint32_t out = cross(s, set, i, y, z), row = word_at(s, set, i, y, z), before = word_at(s, set, i - 1, y, z),
             after = word_at(s, set, i + 1, y, z);
    if (diagonals) {
        row = out;
        before = cross(s, set, i - 1, y, z);
        after = cross(s, set, i + 1, y, z);
        out |= word_at(s, set, i, y - 1, z - 1) | word_at(s, set, i, y + 1, z - 1) | word_at(s, set, i, y - 1, z + 1) |
               word_at(s, set, i, y + 1, z + 1);
    }
    out |= row << 1 | row >> 1 | before >> (WORD - 1) | after << (WORD - 1);
    wider[word] = out & among[word];
}

enum combination { BOTH, EITHER, FIRST_WITHOUT_SECOND };

__global__ void combine_sets(const boundary_scan s, const uint32_t *a, const uint32_t *b, enum combination how,
                             uint32_t *out)
{
    const int64_t word = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (word < s.rows * s.words)
        out[word] = how == EITHER ? a[word] | b[word] : a[word] & (how == BOTH ? b[word] : ~b[word]);
}

/* --- lists of vectors --- */

/* Bit i: value i of vector k of a word. */
__device__ unsigned mask_of(uint32_t word, int k, int values)
{
    return word >> (k * values) & ((1u << values) - 1u);
}

/* Whether a vector belongs to the list; vectors with driven points have a list of their own. */
__device__ bool is_listed(uint32_t set, uint32_t driven, int k, int values, bool with_drives)
{
    const unsigned mask = mask_of(set, k, values);
    return mask && (mask_of(driven, k, values) != 0u) == with_drives;
}

/* Bricks of a grid, each one word wide. */
struct bricks {
    int words, across, along; /* numbers of bricks along x, y, z */

    explicit bricks(const boundary_scan &s)
        : words(s.words), across((s.n[1] + BRICK_ROWS - 1) / BRICK_ROWS),
          along((s.n[2] + BRICK_PLANES - 1) / BRICK_PLANES)
    {
    }
    __host__ __device__ uint64_t count() const
    {
        return (uint64_t)words * (uint64_t)across * (uint64_t)along;
    }
};

/* Writes the vectors of each brick from first[brick], or counts them if vectors is NULL. One
 * warp per brick. */
__global__ void list_brick(const boundary_scan s, const bricks all, const uint32_t *set, const uint32_t *driven,
                           bool with_drives, int values, uint64_t *first, uint32_t *vectors, uint8_t *masks)
{
    const uint64_t brick = (uint64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (brick >= all.count())
        return;
    const unsigned lane = threadIdx.x;
    const uint64_t band = brick / (unsigned)all.words;
    const int i = (int)(brick % (unsigned)all.words),
              y = (int)(band % (unsigned)all.across) * BRICK_ROWS + (int)lane % BRICK_ROWS,
              z = (int)(band / (unsigned)all.across) * BRICK_PLANES + (int)lane / BRICK_ROWS;
    const bool in = y < s.n[1] && z < s.n[2];
    const int64_t row = (int64_t)z * s.n[1] + y;
    const uint32_t word = in ? set[row * s.words + i] : 0u,
                   drives = word && driven ? driven[row * s.words + i] & word : 0u;
    unsigned count = 0;
    for (int k = 0; k < WORD / values; k++)
        count += is_listed(word, drives, k, values, with_drives);
    unsigned before = count;
    for (unsigned step = 1; step < WARP; step *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, before, step);
        before += lane >= step ? other : 0u;
    }
    if (!vectors) {
        if (lane == WARP - 1)
            first[brick] = before;
        return;
    }
    uint64_t place = first[brick] + before - count;
    for (int k = 0; k < WORD / values; k++)
        if (is_listed(word, drives, k, values, with_drives)) {
            vectors[place] =
                (uint32_t)(((uint64_t)row * (uint64_t)s.pitch + (uint64_t)(i * WORD)) / (unsigned)values + (unsigned)k);
            masks[place++] = (uint8_t)mask_of(word, k, values);
        }
}

} // namespace

region_sets::region_sets(const cuda_state *s)
    : scan(boundary_scan_of(nullptr, s)), words((uint64_t)scan.words * (uint64_t)scan.rows),
      values(16 / (int)precision_bytes(s->problem->precision)), diagonals(s->rows.stencil == STENCIL_19_POINT)
{
}

region_sets::~region_sets()
{
    for (uint32_t *set : sets)
        cudaFree(set);
    cudaFree(by_brick);
}

unsigned region_sets::blocks() const
{
    return blocks_for(words, 256);
}

int region_sets::make(uint32_t **set, struct error *e)
{
    if (upload<uint32_t>(set, nullptr, words, what, e))
        return -1;
    sets.push_back(*set);
    return 0;
}

void region_sets::mark(const cuda_state *s, uint32_t *air, uint32_t *solid, uint32_t *wrong, uint32_t *branched,
                       uint32_t *driven)
{
    const struct branch_walls *w = &s->branches;
    const unsigned drives = (unsigned)s->drive_points.size();
    mark_points<<<blocks(), 256>>>(scan, air, solid, wrong);
    if (w->block_count)
        mark_branched<<<(unsigned)w->block_count, BRANCH_THREADS>>>(scan, w->blocks, w->offsets, wrong, branched);
    if (drives)
        mark_places<<<blocks_for(drives, 128), 128>>>(scan, s->device_drive_points, drives, driven);
}

void region_sets::keep_ends(const uint32_t *set, int lower, int upper, uint32_t *out)
{
    keep_end_planes<<<blocks(), 256>>>(scan, set, lower, upper, out);
}

void region_sets::widen(const uint32_t *set, const uint32_t *among, uint32_t *wider)
{
    widen_set<<<blocks(), 256>>>(scan, set, diagonals, among, wider);
}

void region_sets::keep_both(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
    combine_sets<<<blocks(), 256>>>(scan, a, b, BOTH, out);
}

void region_sets::keep_either(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
    combine_sets<<<blocks(), 256>>>(scan, a, b, EITHER, out);
}

void region_sets::keep_first(const uint32_t *a, const uint32_t *without, uint32_t *out)
{
    combine_sets<<<blocks(), 256>>>(scan, a, without, FIRST_WITHOUT_SECOND, out);
}

int region_sets::list_vectors(vector_list *list, const uint32_t *set, const uint32_t *driven, struct error *e)
{
    const bricks all(scan);
    const uint64_t count = all.count(), layer = (uint64_t)all.words * (uint64_t)all.across;
    const unsigned warps = blocks_for(count, 8);
    const dim3 threads(WARP, 8);
    const int lists = driven ? 2 : 1;
    std::vector<uint64_t> first[2];
    uint64_t end = 0;
    *list = {};
    if (!by_brick && upload<uint64_t>(&by_brick, nullptr, count, what, e))
        return -1;
    for (int drives = 0; drives < lists; drives++) {
        first[drives].resize(count);
        list_brick<<<warps, threads>>>(scan, all, set, driven, drives, values, by_brick, nullptr, nullptr);
        if (scan_settled(what, e) ||
            cuda_check(cudaMemcpy(first[drives].data(), by_brick, count * sizeof(uint64_t), cudaMemcpyDeviceToHost),
                       what, e))
            return -1;
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t own = first[drives][i];
            if (!drives && i % layer == 0)
                list->of_layers.push_back((uint32_t)(end / VECTOR_THREADS));
            first[drives][i] = end;
            end += own;
        }
        end = (end + VECTOR_THREADS - 1) / VECTOR_THREADS * VECTOR_THREADS;
        if (!drives) {
            list->first_driven = (uint32_t)(end / VECTOR_THREADS);
            list->of_layers.push_back(list->first_driven);
        }
    }
    list->blocks = (uint32_t)(end / VECTOR_THREADS);
    if (!end)
        return 0;
    if (upload<uint32_t>(&list->vectors, nullptr, end, what, e) || upload<uint8_t>(&list->masks, nullptr, end, what, e))
        return -1;
    for (int drives = 0; drives < lists; drives++) {
        if (cuda_check(cudaMemcpy(by_brick, first[drives].data(), count * sizeof(uint64_t), cudaMemcpyHostToDevice),
                       what, e))
            return -1;
        list_brick<<<warps, threads>>>(scan, all, set, driven, drives, values, by_brick, list->vectors, list->masks);
        if (scan_settled(what, e))
            return -1;
    }
    return 0;
}

int region_sets::read(std::vector<uint32_t> *to, const uint32_t *set, struct error *e)
{
    to->resize(words);
    return cuda_check(cudaMemcpy(to->data(), set, words * sizeof *set, cudaMemcpyDeviceToHost), what, e);
}

bool region_sets::has(const std::vector<uint32_t> &set, uint64_t at) const
{
    return set[(size_t)word_of(scan, at)] & bit_of(scan, at);
}

void vector_list_drop(vector_list *list)
{
    cudaFree(list->vectors);
    cudaFree(list->masks);
    *list = {};
}
