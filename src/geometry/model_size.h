/* SPDX-License-Identifier: MIT */
/* Volume and bounds of a room by its true surfaces, before they are rounded to the lattice.
 *
 * A voxel ends where its link meets a triangle, in place of half way: e = (d - ½) n_a², d the part of the link that is
 * in the air and n_a the normal's component along it. The volume of a voxel is 1 + Σ e, right for flat walls of any
 * direction, and at an edge Σ e e' (1 - (n·n')²) more for each pair of axes, which is exact between walls along the
 * axes; corners lack the product of three. Solids count as on the grid. */
#ifndef AULA_GEOMETRY_MODEL_SIZE_H
#define AULA_GEOMETRY_MODEL_SIZE_H

#include "geometry/areas.h"
#include "geometry/cut_links.h"

/* Before sheets are filled, of a cut link; from several threads at once. */
void model_size_add(struct areas *a, const struct room_cuts *r, const struct cut_link *link);

/* report->model_volume and bounds, alike in all slabs, which call it together when counts are those of all. */
int model_size_find(struct voxel_report *report, struct areas *a, const struct room_cuts *r, struct error *e);

#endif
