/* SPDX-License-Identifier: MIT */
/* A lock-free queue of MIDI messages between one writing and one reading thread, by two counters as in
 * io/playback/ring.h. An audio callback may be either side. */
#ifndef AULA_IO_MIDI_INPUT_MIDI_QUEUE_H
#define AULA_IO_MIDI_INPUT_MIDI_QUEUE_H

#include <stdatomic.h>

#include "io/midi_input/midi_input.h"

enum { MIDI_QUEUE_SIZE = 1024 }; /* messages: a third of a second of a full cable at 31250 baud */

/* Zero it first. */
struct midi_queue {
    struct midi_packet packets[MIDI_QUEUE_SIZE];
    atomic_size_t written, read;
    atomic_ullong lost;
};

/* Keeps messages of one to three bytes, and drops longer ones, which are system exclusive. */
static inline void midi_queue_write(struct midi_queue *q, double time, const uint8_t *bytes, size_t count)
{
    const size_t written = atomic_load_explicit(&q->written, memory_order_relaxed);
    if (!count || count > sizeof q->packets->bytes)
        return;
    if (written - atomic_load_explicit(&q->read, memory_order_acquire) == MIDI_QUEUE_SIZE) {
        atomic_fetch_add_explicit(&q->lost, 1, memory_order_relaxed);
        return;
    }
    struct midi_packet *packet = &q->packets[written % MIDI_QUEUE_SIZE];
    *packet = (struct midi_packet){.time = time, .count = (uint8_t)count};
    for (size_t i = 0; i < count; i++)
        packet->bytes[i] = bytes[i];
    atomic_store_explicit(&q->written, written + 1, memory_order_release);
}

static inline bool midi_queue_read(struct midi_queue *q, struct midi_packet *packet)
{
    const size_t read = atomic_load_explicit(&q->read, memory_order_relaxed);
    if (read == atomic_load_explicit(&q->written, memory_order_acquire))
        return false;
    *packet = q->packets[read % MIDI_QUEUE_SIZE];
    atomic_store_explicit(&q->read, read + 1, memory_order_release);
    return true;
}

#endif
