/* SPDX-License-Identifier: MIT */
/* Assigns a material to each name in a mesh by the first pattern that matches. */
#ifndef AULA_GEOMETRY_MESH_MATERIALS_H
#define AULA_GEOMETRY_MESH_MATERIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/mesh.h"

/* Of all names with all patterns: one to eight seconds. A thousand rules *word* for ten thousand names take a fifth of
 * it. A room file has space for a hundred thousand rules, and a model for 65,535 names of 1023 bytes. */
#define MESH_COMPARISONS_MAX (UINT64_C(1) << 30)

/* The patterns, and the names to suggest. */
struct mesh_naming {
    const char *const *patterns; /* in the order of the user's list */
    size_t pattern_count;
    const char *const *library; /* names of materials, for suggestions */
    size_t library_count;
    const char *where;             /* begins the message: the room file and its key */
    const struct synonym *aliases; /* other words for names of the library (base/synonyms.h); NULL: none */
};

/* pattern_of[m->material_count]: the index of the pattern for each name; SIZE_MAX for a name without triangles that
 * matches none. matched[pattern_count] (may be NULL): how many names each pattern won. ERROR_INPUT lists every name
 * with triangles that matches nothing, the largest area first, with its area in m2 and the closest names of the
 * library; or refuses a pattern longer than MESH_NAME_MAX, and more than MESH_COMPARISONS_MAX. ERROR_STOPPED. */
int mesh_match_materials(const struct mesh *m, const struct mesh_naming *n, size_t *pattern_of, size_t *matched,
                         struct error *e);

/* areas[m->material_count], m2 of a mesh in metres. */
void mesh_areas(const struct mesh *m, double *areas);

/* Names in a mesh against patterns with * and ?. */

/* Whether the whole name matches: * stands for any letters, ? for one. All others, with their case, stand for
 * themselves. Both texts are UTF-8.
 *
 * The time is linear in the lengths of both, but for a part between two * that has a ? in it: such a part takes up to
 * its length times that of the name. Adds to `comparisons` the bytes that it compares, at least 1. */
bool name_matches(const char *pattern, const char *name, uint64_t *comparisons);

#endif
