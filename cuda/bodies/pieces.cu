/* SPDX-License-Identifier: MIT */
/* The state of bodies between two steps, in the order of the CPU engine: solver/cpu/body_energy.c. */
#include "cuda/bodies/bodies.cuh"

extern "C" {
#include "cuda/engine/check.h"
}

namespace
{

static_assert(sizeof(struct port_state) % sizeof(double) == 0, "the state of a port is doubles");

/* Values on the device; NULL: zeros, which are never read. */
struct kept_values {
    double *at;
    size_t count;
};

/* The newest level, then the one before. */
void add_levels(std::vector<kept_values> &to, double *levels, size_t count, unsigned now, unsigned before)
{
    to.push_back({levels + now * count, count});
    to.push_back({levels + before * count, count});
}

std::vector<kept_values> values_of(const device_bodies *b, int phase)
{
    const unsigned now = (unsigned)(phase % 3), before = (unsigned)((phase + 2) % 3), parity = (unsigned)(phase & 1);
    std::vector<kept_values> all;
    for (size_t i = 0; i < b->host.size(); i++) {
        const device_body &d = b->host[i];
        all.push_back({b->lost ? b->lost + i : nullptr, 1});
        all.push_back({b->given ? b->given + i : nullptr, 1});
        if (d.nodes)
            add_levels(all, d.w, d.nodes, now, before);
        if (d.cells)
            add_levels(all, d.displacement, d.cells, parity, !parity);
        for (const device_line &l : b->host_lines[i])
            add_levels(all, l.q, l.points, now, before);
        const device_ports &p = b->host_ports[i];
        all.push_back({(double *)p.state, p.port_count * sizeof(struct port_state) / sizeof(double)});
        all.push_back({p.stretched, p.stretching_count});
        if (const struct wind *w = b->bodies->body[i].wind)
            all.push_back({b->host_winds[i].state, wind_state_bytes(w) / sizeof(double)});
    }
    return all;
}

} // namespace

size_t bodies_state_block_bytes(const struct device_bodies *b)
{
    size_t count = 0;
    if (b)
        for (const kept_values &v : values_of(b, 0))
            count += v.count;
    return count * sizeof(double);
}

int bodies_get_state_block(const struct device_bodies *b, int phase, char *to, cudaStream_t stream, struct error *e)
{
    if (!b)
        return 0;
    bodies_settle(b, phase, stream);
    for (const kept_values &v : values_of(b, phase)) {
        const size_t bytes = v.count * sizeof(double);
        if (!v.at)
            memset(to, 0, bytes);
        else if (bytes &&
                 cuda_check(cudaMemcpyAsync(to, v.at, bytes, cudaMemcpyDeviceToHost, stream), "instruments", e))
            return -1;
        to += bytes;
    }
    return cuda_check(cudaStreamSynchronize(stream), "instruments", e);
}

int bodies_put_state_block(const struct device_bodies *b, int phase, const char *from, cudaStream_t stream,
                           struct error *e)
{
    if (!b)
        return 0;
    for (const kept_values &v : values_of(b, phase)) {
        const size_t bytes = v.count * sizeof(double);
        if (v.at && bytes &&
            cuda_check(cudaMemcpyAsync(v.at, from, bytes, cudaMemcpyHostToDevice, stream), "instruments", e))
            return -1;
        from += bytes;
    }
    const uint32_t settled = 1;
    return cuda_check(cudaMemcpyAsync(b->settled, &settled, sizeof settled, cudaMemcpyHostToDevice, stream),
                      "instruments", e) ||
                   cuda_check(cudaStreamSynchronize(stream), "instruments", e)
               ? -1
               : 0;
}
