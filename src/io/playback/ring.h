/* SPDX-License-Identifier: MIT */
/* A lock-free queue of audio frames between one writing and one reading thread; neither waits for the other.
 *
 * A ring of interleaved frames with two counters (Lamport 1983): the writer alone moves `written`, the reader alone
 * `read`, each sees the other's by acquire and release. Both calls end after a bounded number of steps, and neither
 * allocates, locks or calls the system: an audio callback may be either side. */
#ifndef AULA_IO_PLAYBACK_RING_H
#define AULA_IO_PLAYBACK_RING_H

#include <stddef.h>

struct ring;

/* A ring that holds at least `frames` frames of `channels` floats; NULL when memory is out or either is 0. */
struct ring *ring_make(size_t frames, size_t channels);
void ring_free(struct ring *r);

size_t ring_capacity(const struct ring *r); /* frames */
size_t ring_channels(const struct ring *r);

/* Frames that wait to be read, and frames there is room for. Exact for the thread whose side it is (ring_filled: never
 * more than the reader can read; ring_space: never more than the writer can write), an estimate for any other. */
size_t ring_filled(const struct ring *r);
size_t ring_space(const struct ring *r);

/* frames [count][channels]. As many as fit, or as many as there are; returns how many. */
size_t ring_write(struct ring *r, const float *frames, size_t count);
size_t ring_read(struct ring *r, float *frames, size_t count);

/* By the reader: forgets up to `count` waiting frames; returns how many. */
size_t ring_skip(struct ring *r, size_t count);

#endif
