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
    struct checkpoint *checkpoint; /* in which the run is kept, and from which it is resumed; NULL: none */
    bool alone; /* nothing else is rendered in this process: the geometric half may be made beside a GPU's waves */
};

#endif
