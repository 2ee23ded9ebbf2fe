/* SPDX-License-Identifier: MIT */
#include "cuda/engine/plane_states.cuh"

#include <algorithm>
#include <cstring>

#include "cuda/engine/device.cuh"
#include "cuda/engine/energy.cuh"

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
        s->plane_states->kept.reserve(KEPT_MAX); /* reserved so that a list to be kept cannot fail for lack of memory */
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

/* The list of these planes: a cached one, or the caller's own in *own. */
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

/* Values of the state of a link through a partition, which is double in any precision. */
static size_t link_values(const cuda_state *s)
{
    return sizeof(struct partition_state) / real_bytes(s);
}

size_t plane_states_count(const cuda_state *s, size_t z0, size_t nz)
{
    const size_t of_branches = (size_t)branch_order_count(&s->rows, z0, nz);
    if (!s->partitions)
        return of_branches;
    const struct partition_links *links = partitions_links(s->partitions);
    const struct link_range range = partition_links_of(links, s->problem, z0, nz);
    return of_branches + link_values(s) * link_range_count(&range, links);
}

/* Appends the states of links, which follow those of branches. */
static void list_links(std::vector<uint64_t> *at, const cuda_state *s, size_t z0, size_t nz)
{
    const size_t values = link_values(s);
    const struct partition_links *links = partitions_links(s->partitions);
    const struct link_range range = partition_links_of(links, s->problem, z0, nz);
    for (size_t link = range.first; link < range.end; link++)
        for (size_t i = 0; i < values && link_range_has(&range, links, link); i++)
            at->push_back(s->branches.state_count + link * values + i);
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
    std::vector<uint64_t> at((size_t)branch_order_count(&s->rows, z0, nz));
    if (!at.empty() && branch_order_list(at.data(), &s->rows, z0, nz, p->places.data(), p->places.size(),
                                         s->layout.pitch, BRANCH_THREADS))
        return fail(e, ERROR_ENGINE, "the states of walls in planes %zu to %zu are missing", z0, z0 + nz);
    if (s->partitions)
        list_links(&at, s, z0, nz);
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

namespace
{

/* --- states of walls --- */

size_t states_bytes(const void *state, size_t z0, size_t nz)
{
    const cuda_state *s = (const cuda_state *)state;
    return plane_states_count(s, z0, nz) * precision_bytes(s->problem->precision);
}

template <typename WORK> int on_device_of(void *state, struct error *e, WORK work)
{
    cuda_state *s = (cuda_state *)state;
    return cuda_check(cudaSetDevice(s->device), "device", e) || without_throwing(e, [&] { return work(s); }) ? -1 : 0;
}

int get_states(void *state, size_t z0, size_t nz, void *states, struct error *e)
{
    return on_device_of(state, e, [&](cuda_state *s) { return plane_states_get(s, z0, nz, true, states, e); });
}

int put_states(void *state, size_t z0, size_t nz, const void *states, struct error *e)
{
    return on_device_of(state, e, [&](cuda_state *s) { return plane_states_put(s, z0, nz, true, states, e); });
}

/* --- pieces --- */

/* Data that belong to no plane: two numbers, then for each share the absorbed energy and the
 * rounding error of that sum; the bodies. */
struct whole {
    uint64_t steps, shares;
};
enum { SHARE_BYTES = 2 * sizeof(double), WHOLE_BYTES = sizeof(struct whole) + SHARE_BYTES };

/* The drive points of a plane; drive points are sorted. */
struct drive_range {
    size_t first, end, entries;
};

drive_range drives_of(const cuda_state *s, size_t z)
{
    const uint64_t plane = (uint64_t)s->rows.nx * s->rows.ny;
    const auto find = [&](uint64_t point) {
        return (size_t)(std::lower_bound(s->drive_at.begin(), s->drive_at.end(), point) - s->drive_at.begin());
    };
    drive_range range = {find(z * plane), find((z + 1) * plane), 0};
    for (size_t i = range.first; i < range.end; i++)
        range.entries += s->drive_points[i].end - s->drive_points[i].first;
    return range;
}

size_t plane_bytes(const cuda_state *s, size_t z)
{
    return states_bytes(s, z, 1) + (s->rows.ny + drives_of(s, z).entries) * sizeof(double);
}

int piece_bytes(void *state, size_t *bytes, struct error *)
{
    const cuda_state *s = (const cuda_state *)state;
    for (size_t z = 0; z < s->rows.nz; z++)
        bytes[z] = plane_bytes(s, z);
    bytes[s->rows.nz] = WHOLE_BYTES + bodies_state_block_bytes(s->bodies);
    return 0;
}

/* The sum of a point is assigned to its first entry. */
int get_plane(cuda_state *s, size_t z, char *to, struct error *e)
{
    const drive_range drives = drives_of(s, z);
    std::vector<double> sums(s->rows.ny + drives.entries, 0.0), supplied;
    if (plane_states_get(s, z, 1, false, to, e) || energy_supplied(s, &supplied, e))
        return -1;
    if (s->audited) {
        std::vector<double> &absorbed = plane_states_sums(s).absorbed;
        if (absorbed.empty() && energy_absorbed_by_rows(s, &absorbed, e))
            return -1;
        std::copy_n(absorbed.begin() + (ptrdiff_t)(z * s->rows.ny), s->rows.ny, sums.begin());
        for (size_t i = drives.first, entry = s->rows.ny; i < drives.end; i++) {
            sums[entry] = supplied[i];
            entry += s->drive_points[i].end - s->drive_points[i].first;
        }
    }
    memcpy(to + states_bytes(s, z, 1), sums.data(), sums.size() * sizeof(double));
    return 0;
}

int put_plane(cuda_state *s, size_t z, const char *from, size_t bytes, struct error *e)
{
    const drive_range drives = drives_of(s, z);
    std::vector<double> sums(s->rows.ny + drives.entries);
    if (bytes != plane_bytes(s, z))
        return fail(e, ERROR_INPUT, "the state of plane %zu has %zu bytes; expected %zu", z, bytes, plane_bytes(s, z));
    if (plane_states_put(s, z, 1, false, from, e))
        return -1;
    if (!s->audited)
        return 0;
    memcpy(sums.data(), from + states_bytes(s, z, 1), sums.size() * sizeof(double));
    if (energy_take_over(s, e))
        return -1;
    std::copy_n(sums.begin(), s->rows.ny, s->absorbed_before.begin() + (ptrdiff_t)(z * s->rows.ny));
    for (size_t i = drives.first, entry = s->rows.ny; i < drives.end; i++) {
        s->supplied_before[i] = 0.0;
        for (uint32_t k = s->drive_points[i].first; k < s->drive_points[i].end; k++)
            s->supplied_before[i] += sums[entry++];
    }
    return 0;
}

int get_piece(void *state, size_t piece, void *to, struct error *e)
{
    return on_device_of(state, e, [&](cuda_state *s) {
        const struct whole w = {s->steps, 1};
        if (piece < s->rows.nz)
            return get_plane(s, piece, (char *)to, e);
        memcpy(to, &w, sizeof w);
        memcpy((char *)to + sizeof w, s->share_before, SHARE_BYTES);
        return bodies_get_state_block(s->bodies, s->phase, (char *)to + WHOLE_BYTES, s->stream, e);
    });
}

/* Several shares come from several parts of the grid. */
int put_whole(cuda_state *s, const char *from, size_t bytes, struct error *e)
{
    const size_t of_bodies = bodies_state_block_bytes(s->bodies);
    struct whole w = {};
    if (bytes >= sizeof w)
        memcpy(&w, from, sizeof w);
    if (bytes < sizeof w || w.shares > bytes / SHARE_BYTES ||
        bytes != sizeof w + (size_t)w.shares * SHARE_BYTES + of_bodies)
        return fail(e, ERROR_INPUT, "the solver state of %zu bytes does not have the expected size", bytes);
    s->steps = w.steps;
    s->share_before[0] = s->share_before[1] = 0.0;
    for (uint64_t i = 0; i < w.shares && s->audited; i++) {
        double share[2];
        memcpy(share, from + sizeof w + i * SHARE_BYTES, sizeof share);
        s->share_before[0] += share[0];
        s->share_before[1] += share[1];
    }
    return bodies_put_state_block(s->bodies, s->phase, from + bytes - of_bodies, s->stream, e);
}

int put_piece(void *state, size_t piece, const void *from, size_t bytes, struct error *e)
{
    return on_device_of(state, e, [&](cuda_state *s) {
        return piece < s->rows.nz ? put_plane(s, piece, (const char *)from, bytes, e)
                                  : put_whole(s, (const char *)from, bytes, e);
    });
}

} // namespace

extern const struct state_access cuda_leapfrog_states = {states_bytes, get_states, put_states};
extern const struct state_block_access cuda_leapfrog_state_blocks = {piece_bytes, get_piece, put_piece};
