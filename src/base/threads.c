/* SPDX-License-Identifier: MIT */
#include "base/threads.h"

#include <omp.h>

int threads_limit(int threads)
{
    const int before = omp_get_max_threads();
    if (threads > 0)
        omp_set_num_threads(threads);
    return before;
}
