/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"

#include <string.h>

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
