/* SPDX-License-Identifier: MIT */
/* Links between the devices of all parts, for parts in separate processes whose engine supports
 * links, with a device for each part. Links persist for all grids of a transport. */
#ifndef AULA_SOLVER_PARTS_LINKS_H
#define AULA_SOLVER_PARTS_LINKS_H

#include <stdbool.h>

#include "solver/parts/protocol.h"

/* How all parts set up links, in the order that part 0 prescribes: */

/* The identifier of the device that a part would use. On failure, it has no links; the error is
 * the reason. */
int part_links_identify(struct transport *t, const struct solver_options *c, char id[LINK_DEVICE_BYTES],
                        struct error *e);
/* Opens this part's end of the links, as all parts do. Links opened earlier are closed first. */
int part_links_open(struct transport *t, const char name[LINK_NAME_BYTES], struct error *e);

/* The engine's links; NULL: halos use another path. */
void *part_links(const struct transport *t);
/* Closes the end of this part. broken: other parts may have failed. */
void part_links_close(struct transport *t, bool broken);

/* Part 0: determines how the parts of these options can pass halos. -1: the transport has
 * failed. */
int leader_can_link(enum halo_way *way, const struct solver_options *c, struct error *e);
/* The same, and links the parts if possible. */
int leader_link(enum halo_way *way, const struct solver_options *c, struct error *e);
/* Fills in r->halo_path for options whose halo path is known. */
void leader_say_halo_path(struct solver_plan *r, const struct solver_options *c);

#endif
