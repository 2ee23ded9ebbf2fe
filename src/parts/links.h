/* SPDX-License-Identifier: MIT */
/* Links between the devices of all parts, where these are processes, whose engine has links, and no two of them use the same
 * device. They stay for all grids of a transport. */
#ifndef AULA_PARTS_LINKS_H
#define AULA_PARTS_LINKS_H

#include <stdbool.h>

#include "parts/protocol.h"

/* How all parts, in the order of part 0, come to links: */

/* What tells the device that a part would use from others. An error: it has no links, and why. */
int part_links_identify(struct transport *t, const struct choice *c, char id[LINK_DEVICE_BYTES], struct error *e);
/* Opens this part's end: all parts do, and those that had some close them before. */
int part_links_open(struct transport *t, const char name[LINK_NAME_BYTES], struct error *e);

/* The engine's links; NULL: halos pass otherwise. */
void *part_links(const struct transport *t);
/* Of this part. broken: others may have failed. */
void part_links_close(struct transport *t, bool broken);

/* Part 0: whether the parts of a choice can be linked, as they say. -1: the transport has failed. */
int leader_can_link(bool *can, const struct choice *c, struct error *e);
/* Links them, unless they are. *linked: false where they cannot be, and part_links_path says why. */
int leader_link(bool *linked, const struct choice *c, struct error *e);
/* How halos pass from part to part, and why so. */
void leader_halo_path(char *text, size_t size, const struct choice *c, bool linked);

#endif
