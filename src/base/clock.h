/* SPDX-License-Identifier: MIT */
/* Clocks: wall clock, processor time, and the pause between two looks at another thread. */
#ifndef AULA_BASE_CLOCK_H
#define AULA_BASE_CLOCK_H

#include <time.h>

/* Seconds of a monotonic clock. */
static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of the process, s; independent of other load. */
static inline double processor_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* 2 ms, between two looks at what another process or thread does. */
static inline void poll_sleep(void)
{
    const struct timespec a_while = {0, 2000000};
    nanosleep(&a_while, NULL);
}

#endif
