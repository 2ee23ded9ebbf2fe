/* SPDX-License-Identifier: MIT */
/* Counts allocations and frees while sound is made, which a callback of a sound card must not do. A test that includes
 * this is linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free. */
#ifndef AULA_TESTS_ALLOCATIONS_H
#define AULA_TESTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

extern bool making_sound;
extern size_t allocations;

#endif
