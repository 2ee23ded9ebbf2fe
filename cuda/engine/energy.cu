/* SPDX-License-Identifier: MIT */
#include "cuda/engine/energy.cuh"

#include <cstring>

#include "cuda/engine/plane_states.cuh"
#include "cuda/grid/corners.cuh"
#include "cuda/grid/view.cuh"

namespace
{

enum { ENERGY_BLOCKS = 1024, ENERGY_THREADS = 256 };

/* Adds the threads' sums by a fixed tree. */
__device__ __forceinline__ void add_up(double *sums, double sum, double *partial)
{
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = ENERGY_THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *partial = sums[0];
}

/* Determines the kind of a point from its code or its state; false: the point is not updated. */
template <typename REAL>
__device__ __forceinline__ bool find_kind(const step<REAL> &s, int x, int y, int z, int64_t at,
                                          coefficients<REAL> *kind)
{
    if (s.map) {
        *kind = s.codes[s.map[at]];
        return s.map[at] != 0;
    }
    if (x < s.from[0] || x >= s.to[0] || y < s.from[1] || y >= s.to[1] || z < s.from[2] || z >= s.to[2])
        return false;
    const unsigned state = (unsigned)(x == s.from[0]) | (unsigned)(x + 1 == s.to[0]) << 1 |
                           (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                           (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
    *kind = s.states[state & s.missing];
    return true;
}

/* ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S). K follows from the kind of the point; solid neighbours hold
 * 0 and do not count in K. */
template <typename REAL>
__device__ __forceinline__ double voxel_energy(const step<REAL> &s, int x, int y, int z, int64_t at,
                                               const coefficients<REAL> &kind)
{
    const REAL *older = s.before, *newer = s.now; /* p^{n-1}, p^n */
    const double courant_squared = (double)s.side - (double)s.old_side;
    const double p = (double)older[at], change = (double)newer[at] - p;
    double neighbours = 0.0;
    neighbours += x > 0 ? (double)older[at - 1] : 0.0;
    neighbours += x + 1 < s.nx ? (double)older[at + 1] : 0.0;
    neighbours += y > 0 ? (double)older[at - s.pitch] : 0.0;
    neighbours += y + 1 < s.ny ? (double)older[at + s.pitch] : 0.0;
    neighbours += z > 0 ? (double)older[at - s.plane] : 0.0;
    neighbours += z + 1 < s.nz ? (double)older[at + s.plane] : 0.0;
    const double links = round((2.0 - (double)kind.centre) / (double)s.side); /* exact: an integer */
    return 0.5 * change * change + 0.5 * courant_squared * (double)newer[at] * (links * p - neighbours);
}

/* m ½ (p⁺ - p)² + ½ p⁺ Σ (W/4) n (p - p_j), as in solver/cpu/plain.c. */
template <typename REAL>
__device__ __forceinline__ double corner_energy(const step<REAL> &s, int64_t at, const coefficients<REAL> &kind)
{
    const REAL *older = s.before, *newer = s.now;
    const unsigned pattern = pattern_of(kind);
    const double p = (double)older[at], change = (double)newer[at] - p;
    double differences = 0.0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int links = is_neighbour(dx, dy, dz) ? __popc(pattern & voxels_towards(dx, dy, dz)) : 0;
                if (links)
                    differences += (double)links * (p - (double)older[at + dx + dy * s.pitch + dz * s.plane]);
            }
    return 0.5 * ((double)__popc(pattern) / MASS_UNITS) * change * change +
           0.125 * ISOTROPIC19_W * (double)newer[at] * differences;
}

/* partial[block]: energy of the block's share of rows first .. end - 1. Each thread sums a fixed
 * set, followed by a fixed tree. */
template <typename REAL, enum air_stencil STENCIL>
__global__ void stored_energy(const step<REAL> s, int64_t first, int64_t end, double *partial)
{
    __shared__ double sums[ENERGY_THREADS];
    double sum = 0.0;
    for (int64_t row = first + blockIdx.x; row < end; row += gridDim.x) {
        const int y = (int)(row % s.ny), z = (int)(row / s.ny);
        for (int x = (int)threadIdx.x; x < s.nx; x += ENERGY_THREADS) {
            const int64_t at = row * s.pitch + x;
            coefficients<REAL> kind;
            if (find_kind(s, x, y, z, at, &kind))
                sum += STENCIL == STENCIL_19_POINT ? corner_energy(s, at, kind) : voxel_energy(s, x, y, z, at, kind);
        }
    }
    add_up(sums, sum, partial + blockIdx.x);
}

/* Rows of the planes that count: first .. end - 1. */
struct row_range {
    size_t first, end;
};

row_range counted_rows(const cuda_state *s)
{
    const own_planes own(s->problem);
    return {(size_t)own.first * s->rows.ny, (size_t)own.end * s->rows.ny};
}

template <typename REAL> void sum_stored_energy(const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    const row_range rows = counted_rows(s);
    const auto first = (int64_t)rows.first, end = (int64_t)rows.end;
    if (leapfrog_of(s->problem)->stencil == STENCIL_19_POINT)
        stored_energy<REAL, STENCIL_19_POINT>
            <<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(args, first, end, s->energy_sums);
    else
        stored_energy<REAL, STENCIL_7_POINT>
            <<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(args, first, end, s->energy_sums);
    branches_energy<REAL>(&s->branches, s->pair_of_grids, rows.first * s->layout.pitch, rows.end * s->layout.pitch,
                          s->energy_sums + ENERGY_BLOCKS, s->stream);
}

template <typename REAL>
__global__ void keep_before(const step<REAL> s, const watched_point *walls, size_t count, double *before,
                            double *drive_before)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        before[i] = (double)s.before[walls[i].at];
    if (blockIdx.x == 0)
        for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x)
            drive_before[i] = (double)s.before[s.drive_points[i].at];
}

template <typename REAL>
__global__ void follow_energy(const step<REAL> s, const watched_point *walls, size_t count, const double *before,
                              double *absorbed, const double *drive_before, const double *drive_mass, double *supplied)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const double change = (double)s.next[walls[i].at] - before[i];
        absorbed[i] += walls[i].half_a * change * change;
    }
    if (blockIdx.x != 0)
        return;
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x) {
        double sum = 0.0;
        for (uint32_t k = s.drive_points[i].first; k < s.drive_points[i].end; k++)
            sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
        supplied[i] += 0.5 * drive_mass[i] * sum * ((double)s.next[s.drive_points[i].at] - drive_before[i]);
    }
}

unsigned wall_blocks(const cuda_state *s)
{
    return (unsigned)(s->wall_count / 256 < 1024 ? s->wall_count / 256 + 1 : 1024);
}

template <typename T> int bring(std::vector<T> *values, const T *device, size_t count, struct error *e)
{
    values->resize(count);
    return count ? cuda_check(cudaMemcpy(values->data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "audit", e)
                 : 0;
}

int sum_of(const double *device, size_t count, double *sum, struct error *e)
{
    std::vector<double> values;
    *sum = 0.0;
    if (bring(&values, device, count, e))
        return -1;
    for (double value : values)
        *sum += value;
    return 0;
}

/* [link] of partitions; empty without any. */
int lost_in_links(const cuda_state *s, std::vector<double> *lost, struct error *e)
{
    lost->assign(s->partitions ? partitions_links(s->partitions)->count : 0, 0.0);
    return s->partitions ? partitions_lost(s->partitions, lost->data(), e) : 0;
}

/* Whether all planes count and no sums were put, so that the sums can be taken directly. */
bool is_plain(const cuda_state *s)
{
    return !s->problem->counted[1] && s->absorbed_before.empty();
}

int sum_plain(cuda_state *s, struct audit *a, struct error *e)
{
    double by_walls = 0.0, by_branches = 0.0, by_drives = 0.0;
    std::vector<double> by_links;
    if (lost_in_links(s, &by_links, e) || sum_of(s->wall_absorbed, s->wall_count, &by_walls, e) ||
        sum_of(s->branches.absorbed, s->branches.block_count * BRANCH_THREADS, &by_branches, e) ||
        sum_of(s->drive_supplied, s->drive_points.size(), &by_drives, e))
        return -1;
    a->absorbed += by_walls + by_branches;
    for (double lost : by_links)
        a->absorbed += lost;
    a->supplied += by_drives;
    return 0;
}

int sum_counted(cuda_state *s, struct audit *a, struct error *e)
{
    const row_range rows = counted_rows(s);
    std::vector<double> absorbed, supplied;
    if (energy_absorbed_by_rows(s, &absorbed, e) || energy_supplied(s, &supplied, e))
        return -1;
    double sum = s->share_before[0] + s->share_before[1];
    for (size_t row = rows.first; row < rows.end; row++)
        sum += absorbed[row];
    a->absorbed += sum;
    for (size_t i = 0; i < supplied.size(); i++)
        if (s->drive_at[i] / s->rows.nx >= rows.first && s->drive_at[i] / s->rows.nx < rows.end)
            a->supplied += supplied[i];
    return 0;
}

} // namespace

uint64_t energy_device_bytes(const struct rows *rows)
{
    return rows->wall_start[rows->count] * (sizeof(watched_point) + 2 * sizeof(double));
}

int energy_set_up(cuda_state *s, struct error *e)
{
    std::vector<watched_point> walls;
    const struct rows *rows = &s->rows;
    if (!s->audited)
        return 0;
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++) {
            const double b = s->problem->precision == PRECISION_DOUBLE ? ((const double *)rows->wall_weight)[w]
                                                                       : (double)((const float *)rows->wall_weight)[w];
            const double mass = rows->wall_mass ? (double)rows->wall_mass[w] / MASS_UNITS : 1.0;
            walls.push_back({row * s->layout.pitch + rows->wall_x[w], 0.5 * b / (1.0 - b) * mass});
        }
    std::vector<double> masses;
    for (uint64_t point : s->drive_at)
        masses.push_back(rows_mass(rows, point));
    s->wall_count = walls.size();
    return upload(&s->walls, walls.data(), walls.size(), "audit", e) ||
           upload<double>(&s->wall_before, nullptr, walls.size(), "audit", e) ||
           upload<double>(&s->wall_absorbed, nullptr, walls.size(), "audit", e) ||
           upload(&s->drive_mass, masses.data(), masses.size(), "audit", e) ||
           upload<double>(&s->drive_before, nullptr, s->drive_points.size(), "audit", e) ||
           upload<double>(&s->drive_supplied, nullptr, s->drive_points.size(), "audit", e);
}

void energy_drop(cuda_state *s)
{
    void *const blocks[] = {s->walls,      s->wall_before,    s->wall_absorbed, s->drive_before,
                            s->drive_mass, s->drive_supplied, s->energy_sums};
    for (void *block : blocks)
        if (block)
            cudaFree(block);
}

template <typename REAL> void energy_before_step(const cuda_state *s, const step<REAL> &step)
{
    keep_before<REAL>
        <<<wall_blocks(s), 256, 0, s->stream>>>(step, s->walls, s->wall_count, s->wall_before, s->drive_before);
}

template <typename REAL> void energy_after_step(const cuda_state *s, const step<REAL> &step)
{
    follow_energy<REAL><<<wall_blocks(s), 256, 0, s->stream>>>(step, s->walls, s->wall_count, s->wall_before,
                                                               s->wall_absorbed, s->drive_before, s->drive_mass,
                                                               s->drive_supplied);
}

template void energy_before_step<float>(const cuda_state *, const step<float> &);
template void energy_before_step<double>(const cuda_state *, const step<double> &);
template void energy_after_step<float>(const cuda_state *, const step<float> &);
template void energy_after_step<double>(const cuda_state *, const step<double> &);

int energy_absorbed_by_rows(cuda_state *s, std::vector<double> *absorbed, struct error *e)
{
    std::vector<watched_point> walls;
    std::vector<branch_block> blocks;
    std::vector<uint32_t> offsets;
    std::vector<double> by_walls, by_branches, by_links;
    const size_t slots = s->branches.block_count * BRANCH_THREADS;
    if (lost_in_links(s, &by_links, e) || bring(&walls, s->walls, s->wall_count, e) ||
        bring(&by_walls, s->wall_absorbed, s->wall_count, e) ||
        bring(&blocks, s->branches.blocks, s->branches.block_count, e) ||
        bring(&offsets, s->branches.offsets, slots, e) || bring(&by_branches, s->branches.absorbed, slots, e))
        return -1;
    *absorbed = s->absorbed_before;
    absorbed->resize(s->rows.count, 0.0);
    for (size_t i = 0; i < walls.size(); i++)
        (*absorbed)[walls[i].at / s->layout.pitch] += by_walls[i];
    for (size_t block = 0; block < blocks.size(); block++)
        for (uint32_t i = 0; i < blocks[block].points; i++)
            (*absorbed)[(blocks[block].base + offsets[block * BRANCH_THREADS + i]) / s->layout.pitch] +=
                by_branches[block * BRANCH_THREADS + i];
    for (size_t i = 0; i < by_links.size(); i++)
        (*absorbed)[partitions_links(s->partitions)->list[i].row] += by_links[i];
    return 0;
}

int energy_supplied(cuda_state *s, std::vector<double> *supplied, struct error *e)
{
    supplied->clear();
    if (s->audited && bring(supplied, s->drive_supplied, s->drive_points.size(), e))
        return -1;
    for (size_t i = 0; i < s->supplied_before.size() && s->audited; i++)
        (*supplied)[i] += s->supplied_before[i];
    return 0;
}

int energy_take_over(cuda_state *s, struct error *e)
{
    struct kept_sums &sums = plane_states_sums(s);
    if (sums.were_put)
        return 0;
    s->absorbed_before.assign(s->rows.count, 0.0);
    s->supplied_before.assign(s->drive_points.size(), 0.0);
    sums.were_put = true;
    const size_t slots = s->branches.block_count * BRANCH_THREADS;
    return (s->partitions && partitions_forget_lost(s->partitions, e)) ||
                   (s->wall_count &&
                    cuda_check(cudaMemset(s->wall_absorbed, 0, s->wall_count * sizeof(double)), "audit", e)) ||
                   (slots && cuda_check(cudaMemset(s->branches.absorbed, 0, slots * sizeof(double)), "audit", e)) ||
                   (!s->drive_points.empty() &&
                    cuda_check(cudaMemset(s->drive_supplied, 0, s->drive_points.size() * sizeof(double)), "audit",
                               e)) ||
                   cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "audit", e)
               ? -1
               : 0;
}

int energy_audit(cuda_state *s, struct audit *a, struct error *e)
{
    const bool wide = s->problem->precision == PRECISION_DOUBLE;
    const size_t sums = ENERGY_BLOCKS + s->branches.block_count;
    memset(a, 0, sizeof *a);
    partitions_start(s);
    if (!s->energy_sums && cuda_check(cudaMalloc(&s->energy_sums, sums * sizeof(double)), "audit", e))
        return -1;
    if (wide)
        sum_stored_energy<double>(s);
    else
        sum_stored_energy<float>(s);
    int status = cuda_check(cudaGetLastError(), "audit", e) ||
                 cuda_check(cudaStreamSynchronize(s->stream), "audit", e) ||
                 sum_of(s->energy_sums, sums, &a->stored, e);
    status =
        status || (wide ? bodies_audit<double>(s->bodies, make_step<double>(s, s->phase, 0), s->phase, a, s->stream, e)
                        : bodies_audit<float>(s->bodies, make_step<float>(s, s->phase, 0), s->phase, a, s->stream, e));
    status = status || partitions_audit(s, a, e);
    if (!status && s->audited)
        status = is_plain(s) ? sum_plain(s, a, e) : sum_counted(s, a, e);
    a->balanced = s->audited && s->grid_count == 2; /* the losses of lossy air are not summed */
    return status ? -1 : 0;
}
