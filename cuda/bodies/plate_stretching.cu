/* SPDX-License-Identifier: MIT */
/* The stress of plates at large amplitude, see plate_stretching.cuh: the first three launches. */
#include <algorithm>

#include "cuda/bodies/plate_stretching.cuh"
#include "cuda/ptx.cuh"

namespace
{

/* A block projects on FUNCTIONS_OF_BLOCK functions of one parity. It sums the stress of
 * NODES_OF_BLOCK nodes, a warp for every STRESS_SLICES-th function of a parity. */
enum {
    FUNCTIONS_OF_BLOCK = 4,
    NODES_OF_BLOCK = 32,
    STRESS_SLICES = 4,
    STRESS_THREADS = NODES_OF_BLOCK * STRESS_SLICES * PLATE_PARITIES,
    STRESS_BATCH = 5 /* functions whose loads are in flight together */
};

struct plate_arguments {
    const device_body *body;
    const body_job *jobs; /* first: lane of an image, function, or node of the quarter */
    unsigned now;
};

__device__ const device_plate &plate_of(const device_body &b)
{
    return *b.ports->stretching[b.ports->surface_stretching].plate;
}

__device__ double curvature(const device_plate &p, uint32_t node, const double *w)
{
    const node_patch v = displacements_around(p, node, w);
    const double after = twist_of(p, v, 1, 1), before = twist_of(p, v, 1, 0);
    const double below = twist_of(p, v, 0, 1), both = twist_of(p, v, 0, 0);
    return along_of(p, v, 1) * across_of(p, v, 1) -
           0.25 * ((after * after + before * before) + (below * below + both * both));
}

/* Lane k of four has image k of a node, and then the part of parity k: the sum over the images with
 * their signs. */
__global__ void __launch_bounds__(BODY_THREADS) fold_curvature(const __grid_constant__ plate_arguments s)
{
    const body_job job = s.jobs[blockIdx.x];
    const device_body &body = s.body[job.body];
    const device_plate &p = plate_of(body);
    const uint32_t node = (job.first + threadIdx.x) / 4, lane = threadIdx.x % 4;
    const bool is = node < p.quarter;
    wait_for_last_step();
    double part = 0.0;
    if (is)
        part = __ldg(p.share + node) *
               curvature(p, __ldg(p.image + lane * p.quarter + node), body.w + (size_t)s.now * body.nodes);
    double image[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        image[i] = __shfl_sync(0xffffffffu, part, i, 4);
    const bool odd = lane & 1u;
    const double low = odd ? image[0] - image[1] : image[0] + image[1];
    const double high = odd ? image[2] - image[3] : image[2] + image[3];
    if (is)
        p.folded[lane * p.quarter + node] = lane & 2u ? low - high : low + high;
}

__device__ uint32_t parity_of(const device_plate &p, uint32_t function)
{
    uint32_t parity = 0;
    while (function >= p.first[parity + 1])
        parity++;
    return parity;
}

__global__ void __launch_bounds__(BODY_THREADS) project(const __grid_constant__ plate_arguments s)
{
    const body_job job = s.jobs[blockIdx.x];
    const device_plate &p = plate_of(s.body[job.body]);
    const uint32_t parity = parity_of(p, job.first), count = p.first[parity + 1] - job.first;
    const float *function[FUNCTIONS_OF_BLOCK]; /* beyond the last of the parity: that one again */
    double sum[FUNCTIONS_OF_BLOCK] = {};
#pragma unroll
    for (uint32_t k = 0; k < FUNCTIONS_OF_BLOCK; k++)
        function[k] = p.function + (size_t)(job.first + min(k, count - 1)) * p.quarter;
    wait_for_last_step();
    const double *const folded = p.folded + (size_t)parity * p.quarter;
#pragma unroll 2
    for (uint32_t i = threadIdx.x; i < p.quarter; i += blockDim.x) {
        const double value = __ldcg(folded + i);
#pragma unroll
        for (int k = 0; k < FUNCTIONS_OF_BLOCK; k++)
            sum[k] += value * (double)__ldg(function[k] + i);
    }
#pragma unroll
    for (uint32_t k = 0; k < FUNCTIONS_OF_BLOCK; k++) {
        const double total = block_sum(sum[k]);
        if (threadIdx.x == 0 && k < count)
            p.b[job.first + k] = p.area * total;
    }
}

/* Σ b Ψ at a node over the functions first, first + STRESS_SLICES .. of a parity, loaded in batches. */
__device__ double sum_functions(const device_plate &p, uint32_t first, uint32_t end, uint32_t node)
{
    double sum = 0.0;
    for (uint32_t f = first; f < end; f += STRESS_SLICES * STRESS_BATCH) {
        double b[STRESS_BATCH], value[STRESS_BATCH];
#pragma unroll
        for (uint32_t k = 0; k < STRESS_BATCH; k++) {
            const uint32_t at = f + STRESS_SLICES * k, loaded = min(at, end - 1);
            b[k] = at < end ? __ldcg(p.b + loaded) : 0.0;
            value[k] = (double)__ldg(p.function + (size_t)loaded * p.quarter + node);
        }
#pragma unroll
        for (int k = 0; k < STRESS_BATCH; k++)
            sum += b[k] * value[k];
    }
    return sum;
}

/* On an axis images coincide; one thread writes all four in their order, so that the last remains. */
__global__ void __launch_bounds__(STRESS_THREADS) sum_stress(const __grid_constant__ plate_arguments s)
{
    __shared__ double sums[PLATE_PARITIES * STRESS_SLICES][NODES_OF_BLOCK];
    const body_job job = s.jobs[blockIdx.x];
    const device_plate &p = plate_of(s.body[job.body]);
    const uint32_t warp = threadIdx.x / NODES_OF_BLOCK, lane = threadIdx.x % NODES_OF_BLOCK;
    const uint32_t parity = warp / STRESS_SLICES, node = job.first + lane;
    wait_for_last_step();
    sums[warp][lane] =
        sum_functions(p, p.first[parity] + warp % STRESS_SLICES, p.first[parity + 1], min(node, p.quarter - 1));
    __syncthreads();
    if (warp > 0 || node >= p.quarter)
        return;
    double part[PLATE_PARITIES];
#pragma unroll
    for (int i = 0; i < PLATE_PARITIES; i++) {
        double sum = 0.0;
#pragma unroll
        for (int k = 0; k < STRESS_SLICES; k++)
            sum += sums[i * STRESS_SLICES + k][lane];
        part[i] = p.stiffness * p.area * sum;
    }
    p.stress[p.image[node]] = (part[0] + part[1]) + (part[2] + part[3]);
    p.stress[p.image[p.quarter + node]] = (part[0] - part[1]) + (part[2] - part[3]);
    p.stress[p.image[2 * p.quarter + node]] = (part[0] + part[1]) - (part[2] + part[3]);
    p.stress[p.image[3 * p.quarter + node]] = (part[0] - part[1]) - (part[2] - part[3]);
}

void add_jobs(std::vector<body_job> &jobs, uint32_t body, size_t first, size_t end, size_t step)
{
    for (; first < end; first += step)
        jobs.push_back({WORK_NODES, body, (uint32_t)first});
}

const struct plate_stretching *plate_of_body(const struct body *body)
{
    for (size_t i = 0; i < body->stretching_count; i++)
        if (body->stretching[i].plate)
            return body->stretching[i].plate;
    return nullptr;
}

} // namespace

int place_plate(body_setup &m, device_stretching &t, const struct plate_stretching *from)
{
    device_plate p = {};
    std::vector<uint32_t> image;
    std::vector<float> function;
    const size_t nodes = from->nx * from->ny;
    p.nx = (uint32_t)from->nx;
    p.quarter = (uint32_t)from->quarter;
    p.area = from->spacing[0] * from->spacing[1];
    p.x2 = 1.0 / (from->spacing[0] * from->spacing[0]);
    p.y2 = 1.0 / (from->spacing[1] * from->spacing[1]);
    p.xy = 1.0 / p.area;
    p.stiffness = from->stiffness;
    for (const uint32_t *of : from->image)
        image.insert(image.end(), of, of + from->quarter);
    for (int parity = 0; parity < PLATE_PARITIES; parity++) {
        const float *of = from->by_function[parity];
        function.insert(function.end(), of, of + from->functions[parity] * from->quarter);
        p.first[parity + 1] = p.first[parity] + (uint32_t)from->functions[parity];
    }
    return place(m, &p.lightness, from->lightness, nodes) || place(m, &p.image, image) ||
           place(m, &p.share, from->share, from->quarter) || place(m, &p.function, function) ||
           place<double>(m, &p.folded, nullptr, PLATE_PARITIES * from->quarter) ||
           place<double>(m, &p.b, nullptr, p.first[PLATE_PARITIES]) || place<double>(m, &p.stress, nullptr, nodes) ||
           place(m, &t.plate, &p, 1);
}

uint64_t plate_device_bytes(const struct body *body)
{
    const struct plate_stretching *p = plate_of_body(body);
    uint64_t functions = 0;
    for (int parity = 0; p && parity < PLATE_PARITIES; parity++)
        functions += p->functions[parity];
    if (!p)
        return 0;
    return sizeof(device_plate) + 2 * p->nx * p->ny * sizeof(double) +
           p->quarter * (4 * sizeof(uint32_t) + (1 + PLATE_PARITIES) * sizeof(double) + functions * sizeof(float)) +
           functions * sizeof(double) + 8 * 512 +
           (4 * p->quarter / BODY_THREADS + functions / FUNCTIONS_OF_BLOCK + p->quarter / NODES_OF_BLOCK + 6) *
               sizeof(body_job);
}

int place_plate_jobs(body_setup &m)
{
    std::vector<body_job> jobs[PLATE_LAUNCHES];
    for (uint32_t i = 0; i < m.b->bodies->count; i++) {
        const struct plate_stretching *p = plate_of_body(&m.b->bodies->body[i]);
        if (!p)
            continue;
        add_jobs(jobs[0], i, 0, 4 * p->quarter, BODY_THREADS);
        for (size_t parity = 0, first = 0; parity < PLATE_PARITIES; first += p->functions[parity++])
            add_jobs(jobs[1], i, first, first + p->functions[parity], FUNCTIONS_OF_BLOCK);
        add_jobs(jobs[2], i, 0, p->quarter, NODES_OF_BLOCK);
    }
    for (int k = 0; k < PLATE_LAUNCHES; k++) {
        m.b->plate_job_count[k] = (unsigned)jobs[k].size();
        if (place(m, &m.b->plate_jobs[k], jobs[k]))
            return -1;
    }
    return 0;
}

void plates_begin(const struct device_bodies *b, unsigned now)
{
    const struct {
        void (*kernel)(plate_arguments);
        unsigned threads;
    } launches[PLATE_LAUNCHES] = {
        {fold_curvature, BODY_THREADS}, {project, BODY_THREADS}, {sum_stress, STRESS_THREADS}};
    for (int k = 0; k < PLATE_LAUNCHES; k++)
        if (b->plate_job_count[k])
            launch_overlapping(launches[k].kernel, {dim3(b->plate_job_count[k]), dim3(launches[k].threads), b->stream},
                               plate_arguments{b->body, b->plate_jobs[k], now});
}
