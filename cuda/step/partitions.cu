/* SPDX-License-Identifier: MIT */
#include "cuda/step/partitions.cuh"

#include <new>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/step/boundary_points.cuh"

namespace
{

const char *const what = "partitions";
enum { THREADS = 128 };

/* A slot of the boundary points with branches, otherwise of those without. */
enum : uint64_t { OF_BRANCHES = 1ull << 63, NOWHERE = ~0ull };

/* A term of the sum at a point. */
struct point_term {
    double weight;
    uint64_t link;
};

/* The links, for kernels. */
struct link_view {
    const struct partition_link *links;
    const uint64_t *at; /* [2 n][count], in the padded grid */
    struct partition_state *states;
    double *lost; /* in audited solvers, else NULL */
    size_t count;
    size_t face_points; /* n */
};

} // namespace

struct device_partitions {
    struct partition_links found;
    link_view view; /* in device memory; the states belong to the branches */
    /* points by ascending index in the padded grid */
    size_t point_count;
    uint64_t *points, *first, *places; /* [point_count], [point_count + 1] of the terms, [point_count] */
    point_term *terms;
    void *branch_flows, *plain_flows; /* by slot */
};

namespace
{

template <typename REAL> __device__ double mean_over(const link_view &v, const REAL *p, size_t first, size_t link)
{
    const uint64_t *at = v.at + first * v.count + link;
    if (v.face_points == 1)
        return (double)p[at[0]];
    return 0.25 *
           (((double)p[at[0]] + (double)p[at[v.count]]) + ((double)p[at[2 * v.count]] + (double)p[at[3 * v.count]]));
}

template <typename REAL> __device__ double flow_from(const link_view &v, const REAL *p, size_t link, double velocity)
{
    const double difference = mean_over(v, p, 0, link) - mean_over(v, p, v.face_points, link);
    return partition_flow(&v.links[link], difference, velocity);
}

template <typename REAL> __global__ void start_links(const link_view v, const REAL *now, const REAL *before)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= v.count || !isnan(v.states[i].velocity))
        return;
    const double flow = flow_from(v, before, i, 0.0);
    v.states[i] = {flow, flow};
    if (v.lost)
        v.lost[i] -= partition_lost(&v.links[i], flow_from(v, now, i, flow), flow);
}

template <typename REAL> __global__ void step_links(const link_view v, const REAL *now)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= v.count)
        return;
    const struct partition_state old = v.states[i];
    const double flow = flow_from(v, now, i, old.velocity);
    if (v.lost)
        v.lost[i] += 2.0 * partition_lost(&v.links[i], flow, old.flow);
    v.states[i] = {old.velocity + flow, flow};
}

/* energies [2][count]: stored, and lost until the middle of the next step. */
template <typename REAL> __global__ void audit_links(const link_view v, const REAL *now, double *energies)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= v.count)
        return;
    const double flow = flow_from(v, now, i, v.states[i].velocity);
    energies[i] = partition_stored(&v.links[i], flow, v.states[i].flow);
    energies[v.count + i] = partition_lost(&v.links[i], flow, v.states[i].flow);
}

template <typename REAL>
__global__ void sum_flows(const uint64_t *first, const uint64_t *places, size_t count, const point_term *terms,
                          const struct partition_state *states, REAL *branch_flows, REAL *plain_flows)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    double sum = 0.0;
    for (uint64_t k = first[i]; k < first[i + 1]; k++)
        sum += terms[k].weight * states[terms[k].link].flow;
    if (places[i] & OF_BRANCHES)
        branch_flows[places[i] & ~(uint64_t)OF_BRANCHES] = (REAL)sum;
    else
        plain_flows[places[i]] = (REAL)sum;
}

/* Marks a listed point if it receives flows. */
__device__ void place_point(uint64_t at, uint32_t *kind, uint64_t place, const uint64_t *points, size_t count,
                            uint64_t *places)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (points[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || points[low] != at)
        return;
    *kind |= KIND_LINKED;
    places[low] = place;
}

__global__ void place_plain(const uint64_t *at, uint32_t *kinds, uint64_t listed, const uint64_t *points, size_t count,
                            uint64_t *places)
{
    const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    if (i < listed)
        place_point(at[i], &kinds[i], i, points, count, places);
}

__global__ void place_branched(const branch_block *blocks, const uint32_t *offsets, uint32_t *kinds,
                               const uint64_t *points, size_t count, uint64_t *places)
{
    const branch_block block = blocks[blockIdx.x];
    const uint64_t slot = (uint64_t)blockIdx.x * BRANCH_THREADS + threadIdx.x;
    if (threadIdx.x < block.points)
        place_point(block.base + offsets[slot], &kinds[slot], slot | OF_BRANCHES, points, count, places);
}

size_t padded(const struct layout *l, uint64_t point)
{
    return (size_t)(point / l->points[0]) * l->pitch + (size_t)(point % l->points[0]);
}

int upload_links(struct device_partitions *d, const cuda_state *s, struct error *e)
{
    const size_t count = d->found.count, both = 2 * d->found.face_points;
    std::vector<uint64_t> at(both * count);
    for (size_t link = 0; link < count; link++) {
        uint64_t points[2 * FACE_POINTS_MAX];
        partition_link_points(&d->found.list[link], s->problem, points);
        for (size_t i = 0; i < both; i++)
            at[i * count + link] = padded(&s->layout, points[i]);
    }
    d->view.count = count;
    d->view.face_points = d->found.face_points;
    d->view.states = (struct partition_state *)((char *)s->branches.states[0] +
                                                s->branches.state_count * precision_bytes(s->problem->precision));
    return upload((struct partition_link **)&d->view.links, d->found.list, count, what, e) ||
           upload((uint64_t **)&d->view.at, at.data(), at.size(), what, e) ||
           (s->audited && upload<double>(&d->view.lost, nullptr, count, what, e));
}

int upload_points(struct device_partitions *d, const cuda_state *s, struct error *e)
{
    struct flow_term *terms;
    size_t count;
    std::vector<uint64_t> points, first;
    std::vector<point_term> of_points;
    if (partition_terms_make(&terms, &count, &d->found, s->problem, &s->rows, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = padded(&s->layout, terms[i].point);
        if (points.empty() || points.back() != at) {
            points.push_back(at);
            first.push_back(i);
        }
        of_points.push_back({terms[i].weight, terms[i].link});
    }
    first.push_back(count);
    free(terms);
    d->point_count = points.size();
    return upload(&d->points, points.data(), points.size(), what, e) ||
           upload(&d->first, first.data(), first.size(), what, e) ||
           upload(&d->terms, of_points.data(), of_points.size(), what, e);
}

template <typename REAL> void start(const struct device_partitions *d, const cuda_state *s)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    start_links<REAL><<<blocks_for(d->view.count, THREADS), THREADS, 0, s->stream>>>(d->view, args.now, args.before);
}

template <typename REAL> void take_audit(const struct device_partitions *d, const cuda_state *s, double *energies)
{
    const step<REAL> args = make_step<REAL>(s, s->phase, 0);
    audit_links<REAL><<<blocks_for(d->view.count, THREADS), THREADS, 0, s->stream>>>(d->view, args.now, energies);
}

} // namespace

uint64_t partitions_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows)
{
    struct partition_links links;
    struct error ignored;
    partition_links_make(&links, p, &ignored); /* opening reports an error */
    const uint64_t points = 2 * links.face_points;
    const uint64_t slots = boundary_points_plain(l) + rows->branches.point_count +
                           2 * (uint64_t)BRANCH_THREADS * rows->branches.kind_count;
    const uint64_t bytes = links.count * (sizeof(struct partition_link) + sizeof(struct partition_state) +
                                          sizeof(double) + points * (4 * sizeof(uint64_t) + sizeof(point_term))) +
                           (links.count ? slots * precision_bytes(p->precision) : 0);
    partition_links_free(&links);
    return bytes;
}

int partitions_find(struct device_partitions **out, const struct problem *p, struct error *e)
{
    struct device_partitions *d = new (std::nothrow) device_partitions();
    *out = nullptr;
    if (!d)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (partition_links_make(&d->found, p, e)) {
        partitions_drop(d);
        return -1;
    }
    if (d->found.count)
        *out = d;
    else
        partitions_drop(d);
    return 0;
}

size_t partitions_state_values(const struct device_partitions *d, enum precision precision)
{
    return d ? d->found.count * sizeof(struct partition_state) / precision_bytes(precision) : 0;
}

int partitions_setup(struct device_partitions *d, const cuda_state *s, struct error *e)
{
    return upload_links(d, s, e) || upload_points(d, s, e) || partitions_restart(d, e) ? -1 : 0;
}

void partitions_drop(struct device_partitions *d)
{
    if (!d)
        return;
    partition_links_free(&d->found);
    for (void *memory : {(void *)d->view.links, (void *)d->view.at, (void *)d->view.lost, (void *)d->points,
                         (void *)d->first, (void *)d->places, (void *)d->terms, d->branch_flows, d->plain_flows})
        cudaFree(memory);
    delete d;
}

const struct partition_links *partitions_links(const struct device_partitions *d)
{
    return &d->found;
}

int partitions_place(struct device_partitions *d, const struct boundary_points *b, const cuda_state *s, struct error *e)
{
    const struct branch_walls *w = &s->branches;
    const size_t real = precision_bytes(s->problem->precision);
    if (!d)
        return 0;
    std::vector<uint64_t> places(d->point_count, (uint64_t)NOWHERE);
    if (upload(&d->places, places.data(), places.size(), what, e) ||
        upload<char>((char **)&d->branch_flows, nullptr, w->block_count * BRANCH_THREADS * real, what, e) ||
        upload<char>((char **)&d->plain_flows, nullptr, b->plain_count * real, what, e))
        return -1;
    if (b->plain_count)
        place_plain<<<blocks_for(b->plain_count, THREADS), THREADS>>>(b->plain_at, b->plain_kinds, b->plain_count,
                                                                      d->points, d->point_count, d->places);
    if (w->block_count)
        place_branched<<<(unsigned)w->block_count, BRANCH_THREADS>>>(w->blocks, w->offsets, b->branch_kinds, d->points,
                                                                     d->point_count, d->places);
    if (scan_settled(what, e) ||
        cuda_check(cudaMemcpy(places.data(), d->places, places.size() * sizeof(uint64_t), cudaMemcpyDeviceToHost), what,
                   e))
        return -1;
    for (uint64_t place : places)
        if (place == NOWHERE)
            return fail(e, ERROR_ENGINE, "a point beside a partition is missing from the points at walls");
    return 0;
}

void *partitions_flows(const struct device_partitions *d, bool branched)
{
    return !d ? nullptr : branched ? d->branch_flows : d->plain_flows;
}

void partitions_start(const cuda_state *s)
{
    const struct device_partitions *d = s->partitions;
    if (!d)
        return;
    if (s->problem->precision == PRECISION_DOUBLE)
        start<double>(d, s);
    else
        start<float>(d, s);
}

int partitions_restart(const struct device_partitions *d, struct error *e)
{
    return !d ? 0
              : cuda_check(cudaMemset(d->view.states, 0xff, d->view.count * sizeof *d->view.states), what,
                           e) || /* NaN */
                    (d->view.lost && partitions_forget_lost(d, e)) ||
                    cuda_check(cudaDeviceSynchronize(), what, e);
}

template <typename REAL>
void partitions_step(const struct device_partitions *d, const step<REAL> &step, cudaStream_t stream)
{
    if (!d)
        return;
    step_links<REAL><<<blocks_for(d->view.count, THREADS), THREADS, 0, stream>>>(d->view, step.now);
    sum_flows<REAL><<<blocks_for(d->point_count, THREADS), THREADS, 0, stream>>>(
        d->first, d->places, d->point_count, d->terms, d->view.states, (REAL *)d->branch_flows, (REAL *)d->plain_flows);
}

template void partitions_step<float>(const struct device_partitions *, const step<float> &, cudaStream_t);
template void partitions_step<double>(const struct device_partitions *, const step<double> &, cudaStream_t);

int partitions_lost(const struct device_partitions *d, double *lost, struct error *e)
{
    return cuda_check(cudaMemcpy(lost, d->view.lost, d->view.count * sizeof(double), cudaMemcpyDeviceToHost), "audit",
                      e);
}

int partitions_forget_lost(const struct device_partitions *d, struct error *e)
{
    return cuda_check(cudaMemset(d->view.lost, 0, d->view.count * sizeof(double)), "audit", e);
}

int partitions_audit(const cuda_state *s, struct audit *a, struct error *e)
{
    const struct device_partitions *d = s->partitions;
    const own_planes own(s->problem);
    double *energies = nullptr;
    if (!d)
        return 0;
    std::vector<double> values(2 * d->view.count);
    int status = upload<double>(&energies, nullptr, values.size(), "audit", e) ||
                 cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "audit", e);
    if (!status && s->problem->precision == PRECISION_DOUBLE)
        take_audit<double>(d, s, energies);
    else if (!status)
        take_audit<float>(d, s, energies);
    status = status || cuda_check(cudaGetLastError(), "audit", e) ||
             cuda_check(cudaMemcpyAsync(values.data(), energies, values.size() * sizeof(double), cudaMemcpyDeviceToHost,
                                        s->stream),
                        "audit", e) ||
             cuda_check(cudaStreamSynchronize(s->stream), "audit", e);
    cudaFree(energies);
    for (size_t i = 0; i < d->view.count && !status; i++) {
        const uint64_t z = d->found.list[i].row / s->rows.ny;
        if (z < (uint64_t)own.first || z >= (uint64_t)own.end)
            continue;
        a->stored += values[i];
        a->absorbed += s->audited ? values[d->view.count + i] : 0.0;
    }
    return status ? -1 : 0;
}
