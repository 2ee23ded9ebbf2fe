/* SPDX-License-Identifier: MIT */
#include "io/playback/ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_LINE 64

struct ring {
    size_t capacity, channels; /* frames, a power of two: the counters may wrap */
    _Alignas(CACHE_LINE) atomic_size_t written;
    _Alignas(CACHE_LINE) atomic_size_t read;
    _Alignas(CACHE_LINE) float samples[]; /* [capacity][channels] */
};

struct ring *ring_make(size_t frames, size_t channels)
{
    size_t capacity = 1;
    while (capacity < frames && capacity <= SIZE_MAX / 4)
        capacity *= 2;
    if (frames == 0 || channels == 0 || capacity < frames ||
        capacity > (SIZE_MAX / 2 - sizeof(struct ring)) / sizeof(float) / channels)
        return NULL;
    size_t bytes = sizeof(struct ring) + capacity * channels * sizeof(float);
    struct ring *r = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!r)
        return NULL;
    memset(r, 0, bytes); /* maps every page before the audio callback runs */
    r->capacity = capacity;
    r->channels = channels;
    atomic_init(&r->written, 0);
    atomic_init(&r->read, 0);
    return r;
}

void ring_free(struct ring *r)
{
    free(r);
}

size_t ring_capacity(const struct ring *r)
{
    return r->capacity;
}

size_t ring_channels(const struct ring *r)
{
    return r->channels;
}

/* A third thread reads the two counters at different moments: the result is clamped. */
size_t ring_filled(const struct ring *r)
{
    size_t read = atomic_load_explicit(&r->read, memory_order_acquire);
    size_t filled = atomic_load_explicit(&r->written, memory_order_acquire) - read;
    return filled < r->capacity ? filled : r->capacity;
}

size_t ring_space(const struct ring *r)
{
    return r->capacity - ring_filled(r);
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ring_write(struct ring *r, const float *frames, size_t count)
{
    size_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    size_t read = atomic_load_explicit(&r->read, memory_order_acquire);
    count = min(count, r->capacity - (at - read));
    size_t first = at & (r->capacity - 1), straight = min(count, r->capacity - first);
    if (count > 0) {
        memcpy(r->samples + first * r->channels, frames, straight * r->channels * sizeof(float));
        memcpy(r->samples, frames + straight * r->channels, (count - straight) * r->channels * sizeof(float));
    }
    atomic_store_explicit(&r->written, at + count, memory_order_release);
    return count;
}

size_t ring_read(struct ring *r, float *frames, size_t count)
{
    size_t at = atomic_load_explicit(&r->read, memory_order_relaxed);
    size_t written = atomic_load_explicit(&r->written, memory_order_acquire);
    count = min(count, written - at);
    size_t first = at & (r->capacity - 1), straight = min(count, r->capacity - first);
    if (count > 0) {
        memcpy(frames, r->samples + first * r->channels, straight * r->channels * sizeof(float));
        memcpy(frames + straight * r->channels, r->samples, (count - straight) * r->channels * sizeof(float));
    }
    atomic_store_explicit(&r->read, at + count, memory_order_release);
    return count;
}

size_t ring_skip(struct ring *r, size_t count)
{
    size_t at = atomic_load_explicit(&r->read, memory_order_relaxed);
    count = min(count, atomic_load_explicit(&r->written, memory_order_acquire) - at);
    atomic_store_explicit(&r->read, at + count, memory_order_release);
    return count;
}
