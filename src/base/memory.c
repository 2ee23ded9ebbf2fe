/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory_group.h"
#include "base/stop.h"

static uint64_t kernel_available(void)
{
    uint64_t kilobytes = UINT64_MAX / 1024;
    char line[256];
    FILE *f = fopen("/proc/meminfo", "r");
    if (!f)
        return UINT64_MAX;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    fclose(f);
    return kilobytes * 1024;
}

/* Free part of the limits of address space and of data, which private pages count as. */
static uint64_t process_available(void)
{
    static const struct {
        __rlimit_resource_t resource;
        int word; /* of /proc/self/statm, from 0 */
    } limits[] = {{RLIMIT_AS, 0}, {RLIMIT_DATA, 5}};
    uint64_t pages[6] = {0}, min = UINT64_MAX;
    FILE *f = fopen("/proc/self/statm", "r");
    for (size_t i = 0; f && i < 6; i++)
        if (fscanf(f, "%" SCNu64, &pages[i]) != 1)
            pages[i] = 0;
    if (f)
        fclose(f);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
            continue;
        const uint64_t used = pages[limits[i].word] * (uint64_t)sysconf(_SC_PAGESIZE);
        const uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
        min = left < min ? left : min;
    }
    return min;
}

uint64_t memory_available(void)
{
    uint64_t min = kernel_available(), group = memory_group_available(""), space = process_available();
    min = group < min ? group : min;
    return space < min ? space : min;
}

void *memory_large(size_t bytes)
{
    void *block;
    if (posix_memalign(&block, HUGE_PAGE, bytes ? bytes : 1))
        return NULL;
    madvise(block, bytes, MADV_HUGEPAGE); /* a hint; may fail */
    return block;
}

int memory_zero(void *block, size_t bytes)
{
    static const size_t piece = (size_t)16 << 20;
    for (size_t at = 0; at < bytes && !stop_requested(); at += piece)
        memset((char *)block + at, 0, bytes - at < piece ? bytes - at : piece);
    return stop_requested() ? -1 : 0;
}

size_t memory_page_bytes(void)
{
    const long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 && bytes <= HUGE_PAGE ? (size_t)bytes : 4096;
}

static size_t whole_pages(size_t bytes)
{
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

void *memory_pages(size_t bytes)
{
    const size_t size = whole_pages(bytes);
    char *all =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const size_t before = (HUGE_PAGE - (uintptr_t)all % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(all, before);
    if (before < HUGE_PAGE)
        munmap(all + before + size, HUGE_PAGE - before);
    return all + before;
}

void memory_pages_free(void *pages, size_t bytes)
{
    if (pages)
        munmap(pages, whole_pages(bytes));
}

void memory_pages_huge(void *from, size_t bytes, bool huge)
{
    madvise(from, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

bool memory_is_there(size_t bytes)
{
    void *pages = memory_pages(bytes); /* malloc would keep later blocks of that size */
    memory_pages_free(pages, bytes);
    return pages != NULL;
}

int memory_demand(double bytes, struct error *e, const char *format, ...)
{
    char what[512];
    if (bytes <= MEMORY_ASKED)
        return 0;
    const uint64_t available = memory_available();
    if (bytes <= (double)available)
        return 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(e, ERROR_MEMORY, "%s need %s of memory; only %s is available", what,
                memory_text(bytes < 1e18 ? (uint64_t)bytes : UINT64_MAX), memory_text(available));
}

const char *memory_text(uint64_t bytes)
{
    static _Thread_local char ring[8][32];
    static _Thread_local unsigned next;
    char *text = ring[next++ % 8];
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000.0;
        unit++;
    }
    snprintf(text, sizeof ring[0], unit ? "%.3g %s" : "%.0f %s", value, units[unit]);
    return text;
}
