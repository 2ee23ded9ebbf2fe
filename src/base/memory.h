/* SPDX-License-Identifier: MIT */
/* Available memory, and large blocks. */
#ifndef AULA_BASE_MEMORY_H
#define AULA_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes available: the minimum of the kernel's MemAvailable, the control groups and the limits of address space and of
 * data. UINT64_MAX when none can be read. */
uint64_t memory_available(void);

/* Call before allocating a sound or its transform. Fails with "WHAT need 3 GB of memory; only 1 GB is available", because
 * overcommitted memory would kill the program later. `format`: WHAT, in the plural. Demands up to MEMORY_ASKED pass
 * unasked: to read the machine's free memory takes a tenth of a millisecond. */
#define MEMORY_ASKED 0x1p22 /* bytes */
int memory_demand(double bytes, struct error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A block aligned to 2 MiB, on huge pages where possible, its pages untouched. Free with free. */
void *memory_large(size_t bytes);

/* Whether an allocation of this size would succeed: for libraries that do not check their own allocations. */
bool memory_is_there(size_t bytes);

/* Zeroes memory, which is slow for new pages. Nonzero: a stop was requested meanwhile. */
int memory_zero(void *block, size_t bytes);

/* Zero pages aligned to huge pages; the kernel provides memory on first write. NULL: out of memory. Free with
 * memory_pages_free. */
enum { HUGE_PAGE = 2 << 20 };
void *memory_pages(size_t bytes);
void memory_pages_free(void *pages, size_t bytes); /* NULL-safe; of as many bytes */
size_t memory_page_bytes(void);
/* Hint whether a range of whole huge pages should use huge pages. */
void memory_pages_huge(void *from, size_t bytes, bool huge);

/* "1.23 GB": decimal units, in a static ring of 8 buffers per thread, for messages. */
const char *memory_text(uint64_t bytes);

#endif
