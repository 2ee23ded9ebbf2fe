/* SPDX-License-Identifier: MIT */
#include "cuda/engine/plane_states.cuh"

struct kept_list {
    size_t z0, nz;
    struct state_list list;
};

struct plane_states {
    std::vector<branch_place> places;
    bool placed;
    std::vector<kept_list> kept;
    struct kept_sums sums;
};

namespace
{

enum { KEPT_MAX = 8, THREADS = 256, BLOCKS_MAX = 4096 };

struct plane_states *states_of(cuda_state *s)
{
    if (!s->plane_states) {
        s->plane_states = new struct plane_states();
        s->plane_states->kept.reserve(KEPT_MAX); /* a list that is to be kept is not lost for want of memory */
    }
    return s->plane_states;
}

/* WORD has the size of a value. */
template <typename WORD> __global__ void gather(const WORD *states, const uint64_t *at, size_t count, WORD *values)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        values[i] = states[at[i]];
}

template <typename WORD> __global__ void scatter(WORD *states, const uint64_t *at, size_t count, const WORD *values)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        states[at[i]] = values[i];
}

unsigned blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned)(blocks < BLOCKS_MAX ? blocks : (size_t)BLOCKS_MAX);
}

size_t real_bytes(const cuda_state *s)
{
    return precision_bytes(s->problem->precision);
}

/* The list of these planes: a kept one, or the caller's own in *own. */
const struct state_list *find_list(cuda_state *s, size_t z0, size_t nz, bool often, struct state_list *own,
                                   struct error *e)
{
    std::vector<kept_list> &kept = states_of(s)->kept;
    for (const kept_list &k : kept)
        if (k.z0 == z0 && k.nz == nz)
            return &k.list;
    if (plane_states_list(own, s, z0, nz, true, e))
        return nullptr;
    if (!often || kept.size() == KEPT_MAX)
        return own;
    kept.push_back({z0, nz, *own});
    *own = {};
    return &kept.back().list;
}

} // namespace

size_t plane_states_count(const cuda_state *s, size_t z0, size_t nz)
{
    return (size_t)branch_order_count(&s->rows, z0, nz);
}

int plane_states_list(struct state_list *list, cuda_state *s, size_t z0, size_t nz, bool with_values, struct error *e)
{
    struct plane_states *p = states_of(s);
    *list = {};
    list->count = plane_states_count(s, z0, nz);
    if (!list->count)
        return 0;
    if (!p->placed)
        p->places = branches_places(&s->rows, s->layout.pitch);
    p->placed = true;
    std::vector<uint64_t> at(list->count);
    if (branch_order_list(at.data(), &s->rows, z0, nz, p->places.data(), p->places.size(), s->layout.pitch,
                          BRANCH_THREADS))
        return fail(e, ERROR_ENGINE, "the states of walls in planes %zu to %zu were not found", z0, z0 + nz);
    return upload(&list->at, at.data(), at.size(), "states of walls", e) ||
                   (with_values &&
                    upload<char>((char **)&list->values, nullptr, list->count * real_bytes(s), "states of walls", e)) ||
                   cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "states of walls", e)
               ? -1
               : 0; /* the steps' stream does not wait for the default stream */
}

void plane_states_free(struct state_list *list)
{
    cudaFree(list->at);
    cudaFree(list->values);
    *list = {};
}

void plane_states_gather(const struct state_list *list, const cuda_state *s, void *values, cudaStream_t stream)
{
    const void *states = s->branches.states[s->pair_of_grids];
    if (list->count && real_bytes(s) == sizeof(uint64_t))
        gather<<<blocks_for(list->count), THREADS, 0, stream>>>((const uint64_t *)states, list->at, list->count,
                                                                (uint64_t *)values);
    else if (list->count)
        gather<<<blocks_for(list->count), THREADS, 0, stream>>>((const uint32_t *)states, list->at, list->count,
                                                                (uint32_t *)values);
}

void plane_states_scatter(const struct state_list *list, const cuda_state *s, const void *values, cudaStream_t stream)
{
    void *states = s->branches.states[s->pair_of_grids];
    if (list->count && real_bytes(s) == sizeof(uint64_t))
        scatter<<<blocks_for(list->count), THREADS, 0, stream>>>((uint64_t *)states, list->at, list->count,
                                                                 (const uint64_t *)values);
    else if (list->count)
        scatter<<<blocks_for(list->count), THREADS, 0, stream>>>((uint32_t *)states, list->at, list->count,
                                                                 (const uint32_t *)values);
}

int plane_states_get(cuda_state *s, size_t z0, size_t nz, bool often, void *values, struct error *e)
{
    struct state_list own = {};
    if (!plane_states_count(s, z0, nz))
        return 0;
    const struct state_list *list = find_list(s, z0, nz, often, &own, e);
    if (list)
        plane_states_gather(list, s, list->values, s->stream);
    const int status = !list || cuda_check(cudaGetLastError(), "states of walls", e) ||
                       cuda_check(cudaMemcpyAsync(values, list->values, list->count * real_bytes(s),
                                                  cudaMemcpyDeviceToHost, s->stream),
                                  "states of walls", e) ||
                       cuda_check(cudaStreamSynchronize(s->stream), "states of walls", e);
    plane_states_free(&own);
    return status ? -1 : 0;
}

int plane_states_put(cuda_state *s, size_t z0, size_t nz, bool often, const void *values, struct error *e)
{
    struct state_list own = {};
    if (!plane_states_count(s, z0, nz))
        return 0;
    const struct state_list *list = find_list(s, z0, nz, often, &own, e);
    int status = !list || cuda_check(cudaMemcpyAsync(list->values, values, list->count * real_bytes(s),
                                                     cudaMemcpyHostToDevice, s->stream),
                                     "states of walls", e);
    if (!status)
        plane_states_scatter(list, s, list->values, s->stream);
    status = status || cuda_check(cudaGetLastError(), "states of walls", e) ||
             cuda_check(cudaStreamSynchronize(s->stream), "states of walls", e);
    plane_states_free(&own);
    return status ? -1 : 0;
}

struct kept_sums &plane_states_sums(cuda_state *s)
{
    return states_of(s)->sums;
}

void plane_states_forget_sums(cuda_state *s)
{
    if (s->plane_states)
        s->plane_states->sums = {};
}

void plane_states_drop(cuda_state *s)
{
    if (s->plane_states)
        for (kept_list &k : s->plane_states->kept)
            plane_states_free(&k.list);
    delete s->plane_states;
    s->plane_states = nullptr;
}
