/* SPDX-License-Identifier: MIT */
#include "cuda/engine/state_blocks.cuh"

#include <algorithm>
#include <cstring>

#include "cuda/engine/device.cuh"
#include "cuda/engine/energy.cuh"
#include "cuda/engine/plane_states.cuh"
#include "solver/engine.h"

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

/* What belongs to no plane: two numbers, then of each share what was absorbed and what rounding took from it; the
 * bodies. */
struct whole {
    uint64_t steps, shares;
};
enum { SHARE_BYTES = 2 * sizeof(double), WHOLE_BYTES = sizeof(struct whole) + SHARE_BYTES };

/* The drive points of a plane, which are in the order of points. */
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

/* The sum of a point goes to its first entry. */
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
        return fail(e, ERROR_INPUT, "the state of plane %zu has %zu bytes where %zu were expected", z, bytes,
                    plane_bytes(s, z));
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

/* Several shares are those of several parts of the grid. */
int put_whole(cuda_state *s, const char *from, size_t bytes, struct error *e)
{
    const size_t of_bodies = bodies_state_block_bytes(s->bodies);
    struct whole w = {};
    if (bytes >= sizeof w)
        memcpy(&w, from, sizeof w);
    if (bytes < sizeof w || w.shares > bytes / SHARE_BYTES ||
        bytes != sizeof w + (size_t)w.shares * SHARE_BYTES + of_bodies)
        return fail(e, ERROR_INPUT, "the state of a solver has %zu bytes where others were expected", bytes);
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
