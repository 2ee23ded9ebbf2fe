/* SPDX-License-Identifier: MIT */
/* Finds items that begin with the index of a voxel, in lists sorted by it. */
#ifndef AULA_GEOMETRY_VOXEL_SEARCH_H
#define AULA_GEOMETRY_VOXEL_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The item of `voxel` among items[count] of `size` bytes, whose first member is a uint64_t, ascending; SIZE_MAX:
 * none. */
static inline size_t voxel_search(const void *items, size_t count, size_t size, uint64_t voxel)
{
    size_t low = 0, high = count;
    uint64_t found = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        memcpy(&found, (const char *)items + middle * size, sizeof found);
        if (found == voxel)
            return middle;
        if (found < voxel)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

#endif
