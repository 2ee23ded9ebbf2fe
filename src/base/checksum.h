/* SPDX-License-Identifier: MIT */
/* FNV-1a, 64 bits: for streams of random numbers. Files use SHA-256 (below). */
#ifndef AULA_BASE_CHECKSUM_H
#define AULA_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define CHECKSUM_START 0xcbf29ce484222325u

/* Goes on from `sum`, which is CHECKSUM_START at first. */
uint64_t checksum_bytes(uint64_t sum, const void *bytes, size_t count);
uint64_t checksum_text(const char *text);

/* SHA-256 (FIPS 180-4), as `sha256sum` prints it. */

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[64];
};

void sha256_start(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t count);

/* "sha256:" and 64 hexadecimal digits. */
enum { CHECKSUM_TEXT = 72 };
void sha256_finish(struct sha256 *s, char text[CHECKSUM_TEXT]);

/* Of a whole file, whose position stays. `path` stands in messages. ERROR_INPUT, ERROR_STOPPED. */
int sha256_of_file(char text[CHECKSUM_TEXT], int descriptor, const char *path, struct error *e);

#endif
