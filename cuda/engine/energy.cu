/* The energy balance, in sums of a fixed order. */
#include <cstring>

#include "cuda/engine/state.cuh"

namespace
{

enum { ENERGY_BLOCKS = 1024, ENERGY_THREADS = 256 };

/* ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S), each thread a fixed set of rows, each block a fixed tree: the same sum every time. K p - S is
 * taken from the point's kind: solid neighbours hold 0 and are not in K. */
template <typename REAL> __global__ void stored_energy(const step<REAL> s, double *partial)
{
    __shared__ double sums[ENERGY_THREADS];
    const REAL *older = s.before, *newer = s.now; /* p^{n-1}, p^n */
    const double courant_squared = (double)s.side - (double)s.old_side;
    double sum = 0.0;
    const int64_t rows = (int64_t)s.ny * s.nz;
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const int y = (int)(row % s.ny), z = (int)(row / s.ny);
        for (int x = (int)threadIdx.x; x < s.nx; x += ENERGY_THREADS) {
            const int64_t at = row * s.pitch + x;
            coefficients<REAL> kind;
            if (s.map) {
                if (s.map[at] == 0)
                    continue;
                kind = s.codes[s.map[at]];
            } else {
                if (x < s.from[0] || x >= s.to[0] || y < s.from[1] || y >= s.to[1] || z < s.from[2] || z >= s.to[2])
                    continue;
                const unsigned state = (unsigned)(x == s.from[0]) | (unsigned)(x + 1 == s.to[0]) << 1 |
                                       (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                                       (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
                kind = s.states[state & s.missing];
            }
            const double p = (double)older[at], change = (double)newer[at] - p;
            double neighbours = 0.0;
            neighbours += x > 0 ? (double)older[at - 1] : 0.0;
            neighbours += x + 1 < s.nx ? (double)older[at + 1] : 0.0;
            neighbours += y > 0 ? (double)older[at - s.pitch] : 0.0;
            neighbours += y + 1 < s.ny ? (double)older[at + s.pitch] : 0.0;
            neighbours += z > 0 ? (double)older[at - s.plane] : 0.0;
            neighbours += z + 1 < s.nz ? (double)older[at + s.plane] : 0.0;
            const double links = round((2.0 - (double)kind.centre) / (double)s.side); /* exact: a whole number */
            sum += 0.5 * change * change + 0.5 * courant_squared * (double)newer[at] * (links * p - neighbours);
        }
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = ENERGY_THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

int sum_of(const double *device, size_t count, double *sum, struct error *e)
{
    std::vector<double> values(count);
    *sum = 0.0;
    if (count &&
        cuda_check(cudaMemcpy(values.data(), device, count * sizeof(double), cudaMemcpyDeviceToHost), "audit", e))
        return -1;
    for (double value : values)
        *sum += value;
    return 0;
}

} // namespace

int energy_audit(cuda_state *s, struct audit *a, struct error *e)
{
    const bool wide = s->problem->precision == PRECISION_DOUBLE;
    const size_t sums = ENERGY_BLOCKS + s->branches.block_count;
    memset(a, 0, sizeof *a);
    if (!s->energy_sums && cuda_check(cudaMalloc(&s->energy_sums, sums * sizeof(double)), "audit", e))
        return -1;
    if (wide) {
        stored_energy<double>
            <<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(make_step<double>(s, s->phase, 0), s->energy_sums);
        branches_energy<double>(&s->branches, s->pair, s->energy_sums + ENERGY_BLOCKS, s->stream);
    } else {
        stored_energy<float>
            <<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(make_step<float>(s, s->phase, 0), s->energy_sums);
        branches_energy<float>(&s->branches, s->pair, s->energy_sums + ENERGY_BLOCKS, s->stream);
    }
    int status = cuda_check(cudaGetLastError(), "audit", e) ||
                 cuda_check(cudaStreamSynchronize(s->stream), "audit", e) ||
                 sum_of(s->energy_sums, sums, &a->stored, e);
    status =
        status || (wide ? bodies_audit<double>(s->bodies, make_step<double>(s, s->phase, 0), s->phase, a, s->stream, e)
                        : bodies_audit<float>(s->bodies, make_step<float>(s, s->phase, 0), s->phase, a, s->stream, e));
    if (!status && s->audited) {
        double by_walls = 0.0, by_branches = 0.0, by_drives = 0.0;
        status = sum_of(s->wall_absorbed, s->wall_count, &by_walls, e) ||
                 sum_of(s->branches.absorbed, s->branches.block_count * BRANCH_THREADS, &by_branches, e) ||
                 sum_of(s->drive_supplied, s->drive_points.size(), &by_drives, e);
        a->absorbed += by_walls + by_branches;
        a->supplied += by_drives;
    }
    a->balanced = s->audited && s->levels == 2; /* what air takes is not followed */
    return status ? -1 : 0;
}
