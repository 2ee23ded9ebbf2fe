/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/webb.h"

#include <stddef.h>
#include <string.h>

#define VARIANTS(name)                                                                                                 \
    {                                                                                                                  \
        name, name WEBB_READ_ONLY_SUFFIX, name WEBB_PREFER_L1_SUFFIX, name WEBB_READ_ONLY_SUFFIX WEBB_PREFER_L1_SUFFIX \
    }

const char *const webb_kernels[WEBB_KERNELS][WEBB_VARIANTS] = {
    VARIANTS("tiling-3d"),  VARIANTS("tiling-3d-shared"),  VARIANTS("tiling-3d-extended"),
    VARIANTS("slicing-2d"), VARIANTS("slicing-2d-shared"), VARIANTS("slicing-2d-extended"),
};

const char *webb_kernel(const char *name, unsigned variant)
{
    for (size_t i = 0; name && i < WEBB_KERNELS; i++)
        if (!strcmp(name, webb_kernels[i][0]))
            return webb_kernels[i][variant];
    return name;
}
