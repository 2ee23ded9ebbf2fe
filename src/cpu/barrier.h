/* A barrier between steps that is fast when every thread has its core and polite when it has not: it spins for a few
 * microseconds and then gives its core away. OpenMP's own barrier spins for as long as its environment says, which on a
 * machine that does other work too costs a time slice a step. */
#ifndef AULA_CPU_BARRIER_H
#define AULA_CPU_BARRIER_H

#include <sched.h>
#include <stdatomic.h>

struct barrier {
    atomic_int waiting;
    atomic_uint round;
    int threads;
};

enum { BARRIER_SPINS = 4000 };

static inline void barrier_wait(struct barrier *b)
{
    const unsigned round = atomic_load_explicit(&b->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&b->waiting, 1, memory_order_acq_rel) + 1 == b->threads) {
        atomic_store_explicit(&b->waiting, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&b->round, 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&b->round, memory_order_acquire) == round; spins++) {
        if (spins >= BARRIER_SPINS)
            sched_yield();
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
}

#endif
