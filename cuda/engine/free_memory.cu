/* SPDX-License-Identifier: MIT */
#include "cuda/engine/free_memory.cuh"

#include <cstdio>
#include <dlfcn.h>

#include <cuda_runtime.h>

extern "C" {
#include "base/memory.h"
}

namespace
{

/* As in nvml.h, which not every toolkit brings; 0 is success. */
struct nvml_memory {
    unsigned long long total, free, used; /* bytes */
};
typedef int nvml_init(void);
typedef int nvml_handle_of(const char *bus, void **handle);
typedef int nvml_memory_of(void *handle, nvml_memory *memory);

template <typename FUNCTION> bool find(FUNCTION **function, void *library, const char *name)
{
    *function = (FUNCTION *)dlsym(library, name);
    return *function != nullptr;
}

/* By its place on the bus: the library counts devices that CUDA_VISIBLE_DEVICES hides. */
bool read_memory(nvml_memory *memory, void *library, int device)
{
    nvml_init *init;
    nvml_handle_of *handle_of;
    nvml_memory_of *memory_of;
    void *handle;
    char bus[64];
    return find(&init, library, "nvmlInit_v2") && find(&handle_of, library, "nvmlDeviceGetHandleByPciBusId_v2") &&
           find(&memory_of, library, "nvmlDeviceGetMemoryInfo") &&
           cudaDeviceGetPCIBusId(bus, sizeof bus, device) == cudaSuccess && init() == 0 &&
           handle_of(bus, &handle) == 0 && memory_of(handle, memory) == 0;
}

} // namespace

const char *free_memory_text(int device)
{
    static thread_local char text[96];
    nvml_memory memory;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    text[0] = '\0';
    if (library && read_memory(&memory, library, device))
        snprintf(text, sizeof text, ", %s free", memory_text(memory.free));
    return text; /* the library stays: it is the driver's */
}
