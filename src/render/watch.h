/* SPDX-License-Identifier: MIT */
/* Progress callback of a long run. */
#ifndef AULA_RENDER_WATCH_H
#define AULA_RENDER_WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct checkpoint; /* solver/checkpoint/checkpoint.h */

/* Called between blocks; returning false stops the run with ERROR_STOPPED. */
struct watch {
    bool (*look)(void *context, size_t steps_done, size_t steps, double points_per_second);
    void *context;
    struct checkpoint *checkpoint; /* to write to and resume from; NULL: none */
    bool alone; /* no other render in this process; the geometric part may run while a GPU runs the wave solver */
};

#endif
