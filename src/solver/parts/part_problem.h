/* SPDX-License-Identifier: MIT */
/* The problem of one part: an ordinary one. Where the grid is cut it ends at a rigid wall, and what that wall makes
 * wrong moves on by a plane with each step: as many steps as the halo has planes may follow each other before its
 * planes are taken from the neighbours again: docs/design/parallel.md (P1). */
#ifndef AULA_SOLVER_PARTS_PART_PROBLEM_H
#define AULA_SOLVER_PARTS_PART_PROBLEM_H

#include "base/transport/packet.h"
#include "geometry/voxels/voxel_set.h"
#include "solver/parts/cut.h"
#include "solver/schemes/leapfrog/problem.h"

/* Where a tap of a part belongs: a whole channel, or (entry >= 0) the bare value of an entry of a channel of which
 * other entries are another part's. */
struct tap_place {
    size_t channel;
    ptrdiff_t entry;
};

struct part_bodies; /* solver/parts/part_bodies.h */

struct part_problem {
    struct problem problem; /* points to `leapfrog`: do not move the struct */
    struct leapfrog_problem leapfrog;
    struct slab slab;
    struct voxel_set *voxels;   /* NULL: those that `leapfrog` points to are another's */
    struct branch *branches;    /* those that `leapfrog` points to; NULL: the whole problem's */
    struct part_bodies *bodies; /* NULL: there are none in the whole problem */
    struct channel *drives, *taps;
    struct channel_entry *entries; /* of all these channels */
    size_t *drive_of;              /* [drive_count]: the channel of the whole problem */
    struct tap_place *tap_of;      /* [tap_count] */
};

/* NULL when a problem can be cut, else the reason why not. */
const char *part_problem_fault(const struct problem *whole);

/* Free in any case. It points to the whole problem's branches. Where the parts have made the voxels
 * (solver/parts/voxel_slabs.h) it has none yet. */
int part_problem_make(struct part_problem *q, const struct problem *whole, const struct slab *slab, struct error *e);
void part_problem_free(struct part_problem *q);

void part_problem_pack(const struct part_problem *q, struct packet *w);
int part_problem_unpack(struct part_problem *q, struct packet *w, struct error *e); /* free in any case */

#endif
