/* SPDX-License-Identifier: MIT */
/* Searches for a path from a source to the outside through voxels of one clearance, and for its
 * exit; and for paths from voxels of one clearance to those of the next. */
#ifndef AULA_GEOMETRY_LEAK_WAY_H
#define AULA_GEOMETRY_LEAK_WAY_H

#include "geometry/room_cuts.h"

/* The parts that reach the lattice's end, by number; fresh memory, or NULL. */
bool *leak_outside_parts(const struct regions *g);

/* Steps by which a voxel of clearance moves a source inwards. In a right corner, however it is turned, three, and
 * rounding; more in sharper ones. */
enum { LEAK_STEPS_NEAR = 3, LEAK_STEPS_FAR = 8 };

/* Moves a voxel of `narrow` into `wide`, whose voxels have more clearance: by the fewest steps through `narrow`.
 * `cuts`: links that triangles cut are no way; NULL: there are none. Returns the steps; LEAK_STEPS_FAR + 1: it would
 * take more than LEAK_STEPS_FAR, and the voxel stays where it is. */
int leak_move_inwards(size_t source[3], const struct regions *narrow, const struct regions *wide,
                      const struct room_cuts *cuts);

enum { LEAK_WAY_PLACES = 9 };

struct leak_way {
    size_t mouth
        [3]; /* the middle of the voxels beyond which more clearance lies outside: a passage of one width ends here */
    size_t places[LEAK_WAY_PLACES][3]; /* along the shortest way to it, the mouth first, at even steps */
};

/* The way through voxels of `narrow` from the source's part of `wide`, or from the source itself where it is not in
 * `wide`, to the outside: `narrow` joins these and `wide` does not. `cuts`: as above. 1: found; 0: not; -1: no
 * memory. */
int leak_find_way(struct leak_way *found, const size_t source[3], const struct regions *narrow,
                  const struct regions *wide, const struct room_cuts *cuts);

#endif
