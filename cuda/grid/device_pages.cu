/* SPDX-License-Identifier: MIT */
#include "cuda/grid/device_pages.cuh"

#include <algorithm>

extern "C" {
#include "base/memory.h"
#include "cuda/engine/check.h"
}
#include "cuda/engine/device.cuh"

namespace
{

/* --- functions of the driver --- */

#define DRIVER(name) decltype(::name) *name##_ = DRIVER_FUNCTION(name)

struct driver {
    DRIVER(cuDeviceGetAttribute);
    DRIVER(cuMemAddressReserve);
    DRIVER(cuMemAddressFree);
    DRIVER(cuMemCreate);
    DRIVER(cuMemRelease);
    DRIVER(cuMemMap);
    DRIVER(cuMemUnmap);
    DRIVER(cuMemSetAccess);

    /* Whether the current device can map pages. */
    bool maps(int device) const
    {
        int can = 0;
        return cuDeviceGetAttribute_ && cuMemAddressReserve_ && cuMemAddressFree_ && cuMemCreate_ && cuMemRelease_ &&
               cuMemMap_ && cuMemUnmap_ && cuMemSetAccess_ &&
               cuDeviceGetAttribute_(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device) ==
                   CUDA_SUCCESS &&
               can;
    }
};

const struct driver &the_driver()
{
    static const struct driver all;
    return all;
}

int current_device()
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        cudaGetLastError();
    return device;
}

/* --- pages with air --- */

const size_t PAGE = 2u << 20;            /* page size of devices */
const size_t SMALL = 64u << 20;          /* arrays up to this size are stored whole */
const double STORED_WHOLE = 15.0 / 16.0; /* arrays with this share of pages with air are stored whole too */
typedef std::vector<uint8_t> page_flags; /* 1: the page contains air */

size_t bytes_of(const point_array &a)
{
    return a.layout->pitch * a.layout->points[1] * (a.layout->points[2] + a.spare) * a.value_bytes;
}

class air_pages
{
  public:
    explicit air_pages(const point_array &array) : a(array), flags((bytes_of(array) + PAGE - 1) / PAGE, 0)
    {
        const struct rows *rows = a.rows;
        const struct problem *p = a.problem;
        for (size_t z = 0; z < rows->nz; z++)
            for (size_t y = 0, end; y < rows->ny; y = end + 1) {
                for (end = y; end < rows->ny && has_air(end, z); end++)
                    ;
                if (end > y)
                    add(y, end, z);
            }
        for (size_t c = 0; c < p->drive_count; c++)
            for (size_t i = 0; i < p->drives[c].count; i++)
                if (!p->drives[c].entries[i].array) {
                    const size_t row = (size_t)(p->drives[c].entries[i].point / rows->nx);
                    add(row % rows->ny, row % rows->ny + 1, row / rows->ny);
                }
    }

    const page_flags &list() const
    {
        return flags;
    }

  private:
    bool has_air(size_t y, size_t z) const
    {
        const size_t row = z * a.rows->ny + y;
        return a.rows->run_start[row] < a.rows->run_start[row + 1];
    }

    /* Marks rows y .. end - 1 of plane z and the pages within their reach, for either beginning
     * of the grid. */
    void add(size_t y, size_t end, size_t z)
    {
        const size_t ny = a.rows->ny, row_bytes = a.layout->pitch * a.value_bytes, reach = AIR_REACH;
        const size_t first = y > reach ? y - reach : 0, last = std::min(end + reach, ny);
        for (size_t plane = z > reach ? z - reach : 0; plane < std::min(z + reach + 1, a.rows->nz); plane++)
            for (size_t start : {plane, plane + a.spare})
                std::fill(flags.begin() + (ptrdiff_t)((start * ny + first) * row_bytes / PAGE),
                          flags.begin() + (ptrdiff_t)(((start * ny + last) * row_bytes - 1) / PAGE + 1), (uint8_t)1);
    }

    const point_array &a;
    page_flags flags;
};

/* Empty if the array is stored whole. */
page_flags plan(const point_array &a)
{
    if (bytes_of(a) <= SMALL || !the_driver().maps(current_device()))
        return {};
    page_flags flags = air_pages(a).list();
    const auto stored = (double)std::count(flags.begin(), flags.end(), 1);
    return stored < STORED_WHOLE * (double)flags.size() ? flags : page_flags();
}

/* --- mapping --- */

CUmemAllocationProp properties()
{
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = current_device();
    return p;
}

int check_driver(CUresult status, const char *what, struct error *e)
{
    if (status == CUDA_SUCCESS)
        return 0;
    return status == CUDA_ERROR_OUT_OF_MEMORY
               ? cuda_check(cudaErrorMemoryAllocation, what, e)
               : fail(e, ERROR_DEVICE, "%s: cannot map pages of GPU memory (error %d)", what, (int)status);
}

/* Allocates memory for this number of pages. */
int create(device_pages *m, size_t pages, const char *what, struct error *e)
{
    const CUmemAllocationProp p = properties();
    CUmemGenericAllocationHandle handle;
    if (check_driver(the_driver().cuMemCreate_(&handle, pages * PAGE, &p, 0), what, e))
        return -1;
    m->handles.push_back(handle);
    return 0;
}

/* Maps all pages; the first handle is the page of zeros. */
int map_all(device_pages *m, const page_flags &flags, const char *what, struct error *e)
{
    const CUdeviceptr base = (CUdeviceptr)m->at;
    CUmemAccessDesc access = {};
    access.location = properties().location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (create(m, 1, what, e))
        return -1;
    for (size_t page = 0, end; page < flags.size(); page = end) {
        end = page + 1;
        while (flags[page] && end < flags.size() && flags[end])
            end++;
        if ((flags[page] && create(m, end - page, what, e)) ||
            check_driver(the_driver().cuMemMap_(base + page * PAGE, (end - page) * PAGE, 0,
                                                flags[page] ? m->handles.back() : m->handles.front(), 0),
                         what, e))
            return -1;
        m->mapped.push_back((end - page) * PAGE);
    }
    return check_driver(the_driver().cuMemSetAccess_(base, m->reserved, &access, 1), what, e);
}

} // namespace

uint64_t device_pages_bytes(const struct point_array &a)
{
    const page_flags flags = plan(a);
    return flags.empty() ? bytes_of(a) : (1 + (uint64_t)std::count(flags.begin(), flags.end(), 1)) * PAGE;
}

int device_pages_make(struct device_pages *m, const struct point_array &a, const char *what, struct error *e)
{
    const page_flags flags = plan(a);
    *m = {};
    if (flags.empty())
        return cuda_check(cudaMalloc(&m->at, bytes_of(a)), what, e) ||
               cuda_check(cudaMemset(m->at, 0, bytes_of(a)), what, e);
    CUdeviceptr base = 0;
    if (check_driver(the_driver().cuMemAddressReserve_(&base, flags.size() * PAGE, 0, 0, 0), what, e))
        return -1;
    m->at = (void *)base;
    m->reserved = flags.size() * PAGE;
    if (map_all(m, flags, what, e)) {
        device_pages_free(m);
        return -1;
    }
    return cuda_check(cudaMemset(m->at, 0, m->reserved), what, e);
}

void device_pages_free(struct device_pages *m)
{
    if (m->at && m->reserved) {
        CUdeviceptr at = (CUdeviceptr)m->at;
        cudaDeviceSynchronize(); /* cudaFree waits too */
        for (size_t bytes : m->mapped) {
            the_driver().cuMemUnmap_(at, bytes);
            at += bytes;
        }
        the_driver().cuMemAddressFree_((CUdeviceptr)m->at, m->reserved);
    } else if (m->at) {
        cudaFree(m->at);
    }
    for (CUmemGenericAllocationHandle handle : m->handles)
        the_driver().cuMemRelease_(handle);
    *m = {};
}
