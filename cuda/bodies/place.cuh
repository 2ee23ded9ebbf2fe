/* SPDX-License-Identifier: MIT */
/* Allocation and placement of bodies on the device, for setup.cu and channels.cu. */
#ifndef AULA_CUDA_BODIES_PLACE_CUH
#define AULA_CUDA_BODIES_PLACE_CUH

#include "cuda/bodies/bodies.cuh"
#include "cuda/engine/device.cuh"

/* State of the set-up. */
struct body_setup {
    device_bodies *b;
    const struct problem *problem;
    size_t pitch;
    struct error *e;
};

/* Allocates count values, to be freed by bodies_drop: copied from the host, or zero if host is
 * NULL. 0, or nonzero with the error filled. */
template <typename T> static inline int place(body_setup &m, const T **device, const T *host, size_t count)
{
    T *memory = nullptr;
    if (upload(&memory, host, count, "instruments", m.e))
        return -1;
    m.b->memory.push_back(memory);
    *device = memory;
    return 0;
}

template <typename T> static inline int place(body_setup &m, T **device, const T *host, size_t count)
{
    return place(m, (const T **)device, host, count);
}

template <typename T> static inline int place(body_setup &m, const T **device, const std::vector<T> &host)
{
    return place(m, device, host.data(), host.size());
}

template <typename T> static inline int place(body_setup &m, T **device, const std::vector<T> &host)
{
    return place(m, (const T **)device, host.data(), host.size());
}

/* Index of a point in the padded grid from its canonical index. */
static inline uint64_t padded(const body_setup &m, uint64_t point)
{
    return point / m.problem->points[0] * m.pitch + point % m.problem->points[0];
}

/* place_ports.cu: ports and stretching of a body whose surface and lines are placed; sets what `lines`
 * know of their stretching. c: its response to forces at places. */
int place_ports(body_setup &m, device_body &d, std::vector<device_line> &lines, const struct body *body,
                const struct port_coupling *c);
uint64_t ports_device_bytes(const struct body *body); /* allocations included */

/* channels.cu: drives, taps, cut links and the jobs of blocks, after the bodies. */
int place_channels(body_setup &m);

#endif
