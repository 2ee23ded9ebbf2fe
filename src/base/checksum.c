/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"

uint64_t checksum_bytes(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ at[i]) * 0x100000001b3u;
    return sum;
}

uint64_t checksum_text(const char *text)
{
    return checksum_bytes(CHECKSUM_START, text, strlen(text));
}

enum { BLOCK = 64, LENGTH_AT = 56 };

/* First 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t turned(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void take_block(uint32_t state[8], const uint8_t block[BLOCK])
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
                    h = state[7];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 64; t++)
        w[t] = w[t - 16] + w[t - 7] + (turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> 3) +
               (turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> 10);
    for (int t = 0; t < 64; t++) {
        const uint32_t first =
            h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[t] + w[t];
        const uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const uint32_t add[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += add[i];
}

void sha256_start(struct sha256 *s)
{
    *s = (struct sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *s, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    while (count) {
        const size_t used = (size_t)(s->bytes % BLOCK), some = count < BLOCK - used ? count : BLOCK - used;
        if (some == BLOCK) {
            take_block(s->state, at);
        } else {
            memcpy(s->block + used, at, some);
            if (used + some == BLOCK)
                take_block(s->state, s->block);
        }
        s->bytes += some;
        at += some;
        count -= some;
    }
}

void sha256_finish(struct sha256 *s, char text[CHECKSUM_TEXT])
{
    static const uint8_t zeros[BLOCK], one = 0x80;
    const uint64_t bits = 8 * s->bytes;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(s, &one, 1);
    sha256_add(s, zeros, (BLOCK + LENGTH_AT - (size_t)(s->bytes % BLOCK)) % BLOCK);
    sha256_add(s, length, sizeof length);
    int used = snprintf(text, CHECKSUM_TEXT, "sha256:");
    for (int i = 0; i < 8; i++)
        used += snprintf(text + used, (size_t)(CHECKSUM_TEXT - used), "%08x", s->state[i]);
}

int sha256_of_file(char text[CHECKSUM_TEXT], int descriptor, const char *path, struct error *e)
{
    static const size_t piece = 1 << 16;
    char bytes[1 << 16];
    struct sha256 s;
    off_t at = 0;
    sha256_start(&s);
    for (;;) {
        const ssize_t got = pread(descriptor, bytes, piece, at);
        if (stop_check(e))
            return -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(e, ERROR_INPUT, "%s: cannot read: %s", path, strerror(errno));
        if (!got)
            break;
        sha256_add(&s, bytes, (size_t)got);
        at += got;
    }
    sha256_finish(&s, text);
    return 0;
}
