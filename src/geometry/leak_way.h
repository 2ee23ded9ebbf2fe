/* SPDX-License-Identifier: MIT */
/* The way from a source to the outside through voxels of one clearance, and where it comes out. */
#ifndef AULA_GEOMETRY_LEAK_WAY_H
#define AULA_GEOMETRY_LEAK_WAY_H

#include "geometry/room_cuts.h"

/* The parts that reach the lattice's end, by number; fresh memory, or NULL. */
bool *leak_outside_parts(const struct regions *g);

/* Moves a voxel of `narrow` into `wide`, whose voxels have more clearance: by the fewest steps through `narrow`, and
 * at most `steps`. `cuts`: links that triangles cut are no way; NULL: there are none. 1: done; 0: none is so near; -1: no
 * memory. */
int leak_move_inwards(size_t source[3], uint32_t steps, const struct regions *narrow, const struct regions *wide,
                      const struct room_cuts *cuts);

enum { LEAK_WAY_PLACES = 9 };

struct leak_way {
    size_t mouth
        [3]; /* the middle of the voxels beyond which more clearance lies outside: a passage of one width ends here */
    size_t places[LEAK_WAY_PLACES][3]; /* along the shortest way to it, the mouth first, at even steps */
};

/* The way through voxels of `narrow` from the source's part of `wide`, or from the source itself where it is not in `wide`, to
 * the outside: `narrow` joins these and `wide` does not. `cuts`: as above. 1: found; 0: not; -1: no memory. */
int leak_find_way(struct leak_way *found, const size_t source[3], const struct regions *narrow,
                  const struct regions *wide, const struct room_cuts *cuts);

#endif
