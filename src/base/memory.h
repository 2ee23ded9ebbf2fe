/* How much memory there is, and large blocks of it. */
#ifndef AULA_BASE_MEMORY_H
#define AULA_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that can still be used: the least of what the kernel calls available, what the control group leaves and the
 * limit on the address space. UINT64_MAX when none of them can be read. */
uint64_t memory_available(void);

/* A large block aligned to 2 MiB, on huge pages where the system gives them, its pages not touched yet. Free with free.
 */
void *memory_large(size_t bytes);

/* "1.23 GB": decimal units, in a static ring of 8 buffers per thread, for messages. */
const char *memory_text(uint64_t bytes);

#endif
