/* SPDX-License-Identifier: MIT */
/* Random numbers for checks: splitmix64 (Steele, Lea, Flood 2014). Every check prints its seed. */
#ifndef AULA_BASE_RANDOM_H
#define AULA_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/device.h"

struct random {
    uint64_t state;
};

ON_BOTH uint64_t random_bits(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
ON_BOTH double random_unit(struct random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

/* Uniform in [low, high]. */
static inline size_t random_between(struct random *r, size_t low, size_t high)
{
    return low + (size_t)(random_bits(r) % (high - low + 1));
}

/* A seed that differs between runs; print it. */
static inline uint64_t random_fresh_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct random r = {(uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec};
    return random_bits(&r) & 0xffffffffu; /* short enough to type */
}

#endif
