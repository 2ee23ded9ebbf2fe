/* SPDX-License-Identifier: MIT */
/* Overflow-safe check of sizes that a file states. */
#ifndef AULA_BASE_SIZES_H
#define AULA_BASE_SIZES_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `count` items of `size` bytes fit into `room` bytes. No product wraps. */
static inline bool sizes_fit(uint64_t count, uint64_t size, uint64_t room)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(count, size, &bytes) && bytes <= room;
}

#endif
