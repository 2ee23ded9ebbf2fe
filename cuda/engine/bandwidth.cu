/* SPDX-License-Identifier: MIT */
#include "cuda/engine/bandwidth.cuh"
#include "solver/engine.h"

#include <algorithm>

namespace
{

enum { TIMES = 5, COPIES = 10 };
const size_t size = (size_t)1 << 30;
const char what[] = "copy";

/* A gigabyte on a GPU, of ones. */
int take_memory(char **memory, int device, struct error *e)
{
    return cuda_check(cudaSetDevice(device), what, e) || cuda_check(cudaMalloc(memory, size), what, e) ||
                   cuda_check(cudaMemset(*memory, 1, size), what, e) || cuda_check(cudaDeviceSynchronize(), what, e)
               ? -1
               : 0;
}

/* Seconds of a copy from the memory of one GPU to that of the current one. */
int time_copies(double *seconds, char *to, int to_device, const char *from, int from_device, struct error *e)
{
    cudaEvent_t start = nullptr, end = nullptr;
    float times[TIMES] = {};
    int status = cuda_check(cudaEventCreate(&start), what, e) || cuda_check(cudaEventCreate(&end), what, e);
    for (int i = -1; i < TIMES && !status; i++) { /* i = -1 warms up */
        float elapsed = 0.0f;
        status = cuda_check(cudaEventRecord(start), what, e);
        for (int k = 0; k < COPIES && !status; k++)
            status =
                cuda_check(to_device == from_device ? cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice)
                                                    : cudaMemcpyPeerAsync(to, to_device, from, from_device, size, 0),
                           what, e);
        status = status || cuda_check(cudaEventRecord(end), what, e) ||
                 cuda_check(cudaEventSynchronize(end), what, e) ||
                 cuda_check(cudaEventElapsedTime(&elapsed, start, end), what, e);
        if (i >= 0)
            times[i] = elapsed;
    }
    std::sort(times, times + TIMES);
    *seconds = 1e-3 * (double)times[TIMES / 2] / COPIES;
    if (start)
        cudaEventDestroy(start);
    if (end)
        cudaEventDestroy(end);
    return status ? -1 : 0;
}

void free_memory(char *memory, int device)
{
    if (memory && cudaSetDevice(device) == cudaSuccess)
        cudaFree(memory);
}

} // namespace

int copy_bandwidth(double *bytes_per_second, const struct solver_options *c, struct error *e)
{
    char *from = nullptr, *to = nullptr;
    double seconds = 0.0;
    int device = 0;
    const int status = take_device(c, e) || cuda_check(cudaGetDevice(&device), what, e) ||
                       take_memory(&from, device, e) || take_memory(&to, device, e) ||
                       time_copies(&seconds, to, device, from, device, e);
    *bytes_per_second = status ? 0.0 : 2.0 * (double)size / seconds;
    free_memory(from, device);
    free_memory(to, device);
    return status ? -1 : 0;
}

int peer_bandwidth(double *bytes_per_second, int from_device, int to_device, struct error *e)
{
    struct solver_options from_choice = {}, to_choice = {};
    char *from = nullptr, *to = nullptr;
    double seconds = 0.0;
    int can = 0;
    from_choice.device = from_device;
    to_choice.device = to_device;
    int status = take_device(&from_choice, e) || take_memory(&from, from_device, e) || take_device(&to_choice, e) ||
                 take_memory(&to, to_device, e);
    if (!status && from_device != to_device && cudaDeviceCanAccessPeer(&can, to_device, from_device) == cudaSuccess &&
        can)
        cudaDeviceEnablePeerAccess(from_device, 0); /* an error: it is enabled already, or copies pass the host */
    cudaGetLastError();                             /* which is none of this */
    status = status || time_copies(&seconds, to, to_device, from, from_device, e);
    *bytes_per_second = status ? 0.0 : (double)size / seconds;
    free_memory(from, from_device);
    free_memory(to, to_device);
    return status ? -1 : 0;
}
