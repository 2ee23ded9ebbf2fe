/* SPDX-License-Identifier: MIT */
/* Loaded before the C library (LD_PRELOAD): makes one call of the program fail, the n-th of its kind counted from 1.
 *   FAIL_WRITE=n  the n-th of fputs, fputc, fwrite and puts writes nothing and says so, as on a full disk
 *   FAIL_JSON=n   the n-th allocation of cJSON gets nothing
 * FAIL_COUNT names a file that gets the two numbers of calls there were, when the program ends. n = 0: all work. */
#include <cjson/cJSON.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long writes, allocations;

static long wanted(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static int fails(atomic_long *calls, const char *name)
{
    return atomic_fetch_add(calls, 1) + 1 == wanted(name) ? (errno = ENOSPC) : 0;
}

static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int fputs(const char *text, FILE *stream)
{
    int (*next)(const char *, FILE *);
    *(void **)&next = real("fputs");
    return fails(&writes, "FAIL_WRITE") ? EOF : next(text, stream);
}

int fputc(int character, FILE *stream)
{
    int (*next)(int, FILE *);
    *(void **)&next = real("fputc");
    return fails(&writes, "FAIL_WRITE") ? EOF : next(character, stream);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    size_t (*next)(const void *, size_t, size_t, FILE *);
    *(void **)&next = real("fwrite");
    return fails(&writes, "FAIL_WRITE") ? 0 : next(bytes, size, count, stream);
}

static void *allocate(size_t size)
{
    return fails(&allocations, "FAIL_JSON") ? NULL : malloc(size);
}

__attribute__((constructor)) static void begin(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld %ld\n", atomic_load(&writes), atomic_load(&allocations));
    fclose(file);
}
