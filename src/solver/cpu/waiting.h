/* SPDX-License-Identifier: MIT */
/* Waiting for other threads: spins for a few microseconds, then yields the core. OpenMP's own
 * barrier spins for as long as its environment specifies, which costs a time slice when threads
 * outnumber free cores. */
#ifndef AULA_SOLVER_CPU_WAITING_H
#define AULA_SOLVER_CPU_WAITING_H

#include <sched.h>
#include <stdatomic.h>

enum { WAITING_SPINS = 4000 };

/* One iteration of a waiting loop; `spins` counts from 0. */
static inline void waiting_pause(int spins)
{
    if (spins >= WAITING_SPINS)
        sched_yield();
#if defined(__x86_64__)
    else
        __builtin_ia32_pause();
#endif
}

struct barrier {
    atomic_int waiting;
    atomic_uint round;
    int threads;
};

static inline void barrier_wait(struct barrier *b)
{
    const unsigned round = atomic_load_explicit(&b->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&b->waiting, 1, memory_order_acq_rel) + 1 == b->threads) {
        atomic_store_explicit(&b->waiting, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&b->round, 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&b->round, memory_order_acquire) == round;)
        waiting_pause(spins < WAITING_SPINS ? spins++ : spins);
}

#endif
