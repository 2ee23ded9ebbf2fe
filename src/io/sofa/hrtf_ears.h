/* SPDX-License-Identifier: MIT */
/* Which ear of an HRTF is the left one: by its responses. */
#ifndef AULA_IO_SOFA_HRTF_EARS_H
#define AULA_IO_SOFA_HRTF_EARS_H

#include <stdbool.h>

#include "io/sofa/hrtf.h"

/* By how much the ear that counts as the left one is louder and earlier than the other for a source on the left: the
 * mean over directions on the left, less that over those on the right, over 2. */
struct hrtf_sides {
    double level, time; /* dB, s */
};

struct hrtf_sides hrtf_compare_sides(const struct hrtf *h);

/* Whether level and time say that the ears are exchanged, neither of them against the other. */
bool hrtf_sides_are_exchanged(const struct hrtf_sides *sides);
void hrtf_exchange_ears(struct hrtf *h);

#endif
