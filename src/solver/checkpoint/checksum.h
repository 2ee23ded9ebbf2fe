/* SPDX-License-Identifier: MIT */
/* Checksum of blocks: FNV-1a over words of 64 bits, with a rotation after each step, so that
 * every bit affects the lower ones. It detects accidental changes, not forgeries. */
#ifndef AULA_SOLVER_CHECKPOINT_CHECKSUM_H
#define AULA_SOLVER_CHECKPOINT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CHECKSUM_START 0xcbf29ce484222325u

static inline uint64_t checksum_word(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x100000001b3u;
    return sum << 31 | sum >> 33;
}

/* Continues a sum. The result depends on how the bytes are divided among calls. */
static inline uint64_t checksum_add(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t word;
    for (; count >= sizeof word; at += sizeof word, count -= sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = checksum_word(sum, word);
    }
    word = (uint64_t)count << 56; /* include the number of remaining bytes */
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)at[i] << (8 * i);
    return checksum_word(sum, word);
}

#endif
