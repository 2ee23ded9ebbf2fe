/* SPDX-License-Identifier: MIT */
/* The bodies of one part of a grid. A single part steps a body, with all air that it touches and
 * all links that bodies have cut there: the grid is not cut within a halo of these planes, so
 * that no other part steps them. Bodies that touch no air belong to the lowest part:
 * docs/design/parallel.md (P4). */
#ifndef AULA_SOLVER_PARTS_PART_BODIES_H
#define AULA_SOLVER_PARTS_PART_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/transport/packet.h"
#include "solver/parts/cut.h"

struct body; /* solver/schemes/bodies/bodies.h */
struct bodies;
struct part_bodies;

/* Sets touched[z] for the planes that bodies and cut links touch, including the planes between
 * those of one body. `plane_points`: points per plane. */
void part_bodies_planes(bool *touched, const struct bodies *whole, uint64_t plane_points);

/* Whether the part that owns these planes steps a body. */
bool part_has_body(const struct slab *slab, const struct body *body, uint64_t plane_points);

/* Makes the bodies of a slab, indexed by the points of its own grid. They point to `whole`. */
int part_bodies_make(struct part_bodies **p, const struct bodies *whole, const struct slab *slab, uint64_t plane_points,
                     struct error *e);
void part_bodies_free(struct part_bodies *p); /* NULL-safe */

/* Bodies for the part's problem; NULL: it has neither bodies nor cut links. */
const struct bodies *part_bodies_of(const struct part_bodies *p);

/* The part's index of a state array of the whole problem; 0: not present. */
uint16_t part_bodies_array(const struct part_bodies *p, uint16_t array);

void part_bodies_pack(const struct bodies *b, struct packet *w);
int part_bodies_unpack(struct part_bodies **p, struct packet *w, struct error *e);

#endif
