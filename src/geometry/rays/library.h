/* SPDX-License-Identifier: MIT */
/* The contract with a library that finds the boxes on a ray. It is asked for boxes around a few faces each, and our
 * exact test of faces decides: it finds what our own tree finds, bit for bit. A build without such a library has a
 * stub. */
#ifndef AULA_GEOMETRY_RAYS_LIBRARY_H
#define AULA_GEOMETRY_RAYS_LIBRARY_H

#include <stddef.h>

#include "geometry/rays/tree.h"

struct ray_library {
    const char *name;
    const char *(*unavailable)(void);          /* why it is not here; NULL: it is */
    void (*describe)(char *text, size_t size); /* version */
    /* *within: what it keeps of a tree, which outlives it, for ray_tree.within. ERROR_MEMORY. */
    int (*make)(void **within, const struct ray_tree *t, struct error *e);
    void (*free)(void *within);
    struct ray_walk walk;
};

extern const struct ray_library ray_library; /* src/rays_embree/ or src/rays_embree_absent/ */

#endif
