/* SPDX-License-Identifier: MIT */
/* Names in a mesh against patterns with * and ?. */
#ifndef AULA_GEOMETRY_NAME_PATTERN_H
#define AULA_GEOMETRY_NAME_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the whole name matches: * stands for any letters, ? for one. All others, with their case, stand for
 * themselves. Both texts are UTF-8.
 *
 * The time is linear in the lengths of both, but for a part between two * that has a ? in it: such a part takes up to
 * its length times that of the name. Adds to `comparisons` the bytes that it compares, at least 1. */
bool name_matches(const char *pattern, const char *name, uint64_t *comparisons);

#endif
