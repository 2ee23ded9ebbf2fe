/* SPDX-License-Identifier: MIT */
#include "support/allocations.h"

bool making_sound;
size_t allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t bytes)
{
    allocations += making_sound;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    allocations += making_sound;
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    allocations += making_sound;
    return __real_realloc(memory, bytes);
}

void __wrap_free(void *memory)
{
    allocations += making_sound;
    __real_free(memory);
}
