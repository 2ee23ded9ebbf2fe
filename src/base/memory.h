/* How much memory there is, and large blocks of it. */
#ifndef AULA_BASE_MEMORY_H
#define AULA_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes that can still be used: the least of what the kernel calls available, what the control groups leave and the
 * limit on the address space. UINT64_MAX when none of them can be read. */
uint64_t memory_available(void);

/* Before a sound or a transform of one is allocated: fails with "WHAT need 3 GB of memory and 1 GB is available", where
 * the system would promise the memory and end the program once it is written to. `format` says what, in the plural. */
int memory_demand(double bytes, struct error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A large block aligned to 2 MiB, on huge pages where the system gives them, its pages not touched yet. Free with free.
 */
void *memory_large(size_t bytes);

/* "1.23 GB": decimal units, in a static ring of 8 buffers per thread, for messages. */
const char *memory_text(uint64_t bytes);

#endif
