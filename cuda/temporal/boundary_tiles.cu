#include "cuda/temporal/boundary_tiles_kernel.cuh"

template <typename REAL> int boundary_tile_kernel_for(const boundary_tile &b)
{
    const boundary_tile_kernel<REAL> *kernels = boundary_tile_kernels<REAL, STENCIL_7_POINT>();
    const int whole = boundary_tile_is_half(b) ? BOUNDARY_TILE_KERNELS / 2 : 0;
    int found = whole;
    while (found + 1 < whole + BOUNDARY_TILE_KERNELS / 2 && kernels[found + 1].branches >= b.branches)
        found++;
    return found;
}

template const boundary_tile_kernel<float> *boundary_tile_kernels<float, STENCIL_7_POINT>();
template const boundary_tile_kernel<double> *boundary_tile_kernels<double, STENCIL_7_POINT>();
template int boundary_tile_kernel_for<float>(const boundary_tile &);
template int boundary_tile_kernel_for<double>(const boundary_tile &);
