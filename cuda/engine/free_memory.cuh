/* SPDX-License-Identifier: MIT */
/* Memory that is free on a GPU where not even a context fits any more: the runtime can tell only where it has one, so that
 * the driver's management library is asked. */
#ifndef AULA_CUDA_FREE_MEMORY_CUH
#define AULA_CUDA_FREE_MEMORY_CUH

/* ", 310 MB free"; "" where it is not known. Valid until the thread's next call. */
const char *free_memory_text(int device);

#endif
