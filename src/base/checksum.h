/* SPDX-License-Identifier: MIT */
/* FNV-1a, 64 bits: for streams of random numbers. Files have SHA-256 (base/sha256.h). */
#ifndef AULA_BASE_CHECKSUM_H
#define AULA_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START 0xcbf29ce484222325u

/* Goes on from `sum`, which is CHECKSUM_START at first. */
uint64_t checksum_bytes(uint64_t sum, const void *bytes, size_t count);
uint64_t checksum_text(const char *text);

#endif
