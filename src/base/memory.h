/* Available memory, and large blocks. */
#ifndef AULA_BASE_MEMORY_H
#define AULA_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes available: the minimum of the kernel's MemAvailable, the control groups and the address space limit. UINT64_MAX
 * when none can be read. */
uint64_t memory_available(void);

/* Call before a sound or a transform of one is allocated: fails with "WHAT need 3 GB of memory and 1 GB is available",
 * where overcommitted memory would end the program later. `format`: WHAT, in the plural. */
int memory_demand(double bytes, struct error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A block aligned to 2 MiB, on huge pages where possible, its pages untouched. Free with free. */
void *memory_large(size_t bytes);

/* "1.23 GB": decimal units, in a static ring of 8 buffers per thread, for messages. */
const char *memory_text(uint64_t bytes);

#endif
