/* What the two files that set bodies up share. */
#ifndef AULA_CUDA_BODIES_PLACE_CUH
#define AULA_CUDA_BODIES_PLACE_CUH

#include "cuda/bodies/bodies.cuh"
#include "cuda/engine/upload.cuh"

/* Everything that setting up passes along. */
struct making {
    device_bodies *b;
    const struct problem *problem;
    size_t pitch;
    struct error *e;
};

/* count values on the device, remembered for bodies_drop; zero when host is NULL. */
template <typename T> static inline int place(making &m, const T **device, const T *host, size_t count)
{
    T *memory = nullptr;
    if (upload(&memory, host, count, "instruments", m.e))
        return -1;
    m.b->memory.push_back(memory);
    *device = memory;
    return 0;
}

template <typename T> static inline int place(making &m, T **device, const T *host, size_t count)
{
    return place(m, (const T **)device, host, count);
}

template <typename T> static inline int place(making &m, const T **device, const std::vector<T> &host)
{
    return place(m, device, host.data(), host.size());
}

template <typename T> static inline int place(making &m, T **device, const std::vector<T> &host)
{
    return place(m, (const T **)device, host.data(), host.size());
}

/* Canonical index to index in the grid. */
static inline uint64_t padded(const making &m, uint64_t point)
{
    return point / m.problem->points[0] * m.pitch + point % m.problem->points[0];
}

/* bodies_channels.cu: drives and taps, cut links, and what each block of a step does, once the bodies are there. */
int place_channels(making &m);

#endif
