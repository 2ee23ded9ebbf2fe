/* SPDX-License-Identifier: MIT */
/* Limits the threads of parallel regions of the calling thread. */
#ifndef AULA_BASE_THREADS_H
#define AULA_BASE_THREADS_H

/* Limits parts that are not told a number themselves to `threads`; 0 leaves them as they are. Returns the number
 * before, to be put back. Other threads are not affected. */
int threads_limit(int threads);

#endif
