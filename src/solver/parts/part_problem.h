/* SPDX-License-Identifier: MIT */
/* The problem of one part, which is an ordinary problem. Where the grid is cut, it ends at a
 * rigid wall. The error that this wall causes spreads by one plane per step. So the number of
 * steps between two exchanges with the neighbours must not exceed the number of planes of the
 * halo: docs/design/parallel.md (P1). */
#ifndef AULA_SOLVER_PARTS_PART_PROBLEM_H
#define AULA_SOLVER_PARTS_PART_PROBLEM_H

#include "base/transport/packet.h"
#include "geometry/voxels/voxel_set.h"
#include "solver/parts/cut.h"
#include "solver/schemes/leapfrog/problem.h"

/* Destination of a tap of a part: a whole channel, or (entry >= 0) the value of a single entry
 * of a channel shared with another part. */
struct tap_place {
    size_t channel;
    ptrdiff_t entry;
};

struct part_bodies; /* solver/parts/part_bodies.h */

struct part_problem {
    struct problem problem; /* points to `leapfrog`: do not move the struct */
    struct leapfrog_problem leapfrog;
    struct slab slab;
    struct voxel_set *voxels;   /* NULL: `leapfrog` points to voxels owned by others */
    struct branch *branches;    /* branches that `leapfrog` points to; NULL: those of the whole problem */
    struct part_bodies *bodies; /* NULL: the whole problem has none */
    struct channel *drives, *taps;
    struct channel_entry *entries; /* entries of all these channels */
    size_t *drive_of;              /* [drive_count]: index of the channel in the whole problem */
    struct tap_place *tap_of;      /* [tap_count] */
};

/* NULL if a problem can be stepped in parts, else the reason why it cannot. */
const char *part_problem_fault(const struct problem *whole);

/* Makes the problem of a part; must be freed in any case. It points to the branches of the whole
 * problem. If the parts have made the voxels (solver/parts/voxel_slabs.h), it has none yet. */
int part_problem_make(struct part_problem *q, const struct problem *whole, const struct slab *slab, struct error *e);
void part_problem_free(struct part_problem *q);

void part_problem_pack(const struct part_problem *q, struct packet *w);
int part_problem_unpack(struct part_problem *q, struct packet *w, struct error *e); /* must be freed in any case */

#endif
