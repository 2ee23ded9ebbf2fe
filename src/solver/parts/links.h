/* SPDX-License-Identifier: MIT */
/* Links between the devices of all parts, where these are processes, whose engine has links, and no two of them use the
 * same device. They stay for all grids of a transport. */
#ifndef AULA_SOLVER_PARTS_LINKS_H
#define AULA_SOLVER_PARTS_LINKS_H

#include <stdbool.h>

#include "solver/parts/protocol.h"

/* How all parts, in the order of part 0, come to links: */

/* What tells the device that a part would use from others. An error: it has no links, and why. */
int part_links_identify(struct transport *t, const struct solver_options *c, char id[LINK_DEVICE_BYTES],
                        struct error *e);
/* Opens this part's end: all parts do, and those that had some close them before. */
int part_links_open(struct transport *t, const char name[LINK_NAME_BYTES], struct error *e);

/* The engine's links; NULL: halos pass otherwise. */
void *part_links(const struct transport *t);
/* Of this part. broken: others may have failed. */
void part_links_close(struct transport *t, bool broken);

/* Part 0: how the parts of a choice can pass halos, as they say. -1: the transport has failed. */
int leader_can_link(enum halo_way *way, const struct solver_options *c, struct error *e);
/* The same, and they are linked where they can be. */
int leader_link(enum halo_way *way, const struct solver_options *c, struct error *e);
/* r->halo_path, of a choice whose way is known. */
void leader_say_halo_path(struct solver_plan *r, const struct solver_options *c);

#endif
