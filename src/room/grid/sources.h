/* SPDX-License-Identifier: MIT */
/* Places the drives of each source on the grid. */
#ifndef AULA_ROOM_GRID_SOURCES_H
#define AULA_ROOM_GRID_SOURCES_H

#include "dsp/space/integrators.h"
#include "room/grid/model.h"
#include "room/grid/placement.h"

/* Fills m->sources, the drives of each source in turn, scaled by λ²/X, and m->orders. An omni
 * source has one drive, a named directivity one for each order, and a directivity from a file one
 * for each harmonic; their signals are filtered (render/drives.h). Warns if walls lower an order:
 * higher orders are silent, and the remaining ones sum to 1 in front. Fails as placement_make does;
 * the caller frees those placed before. */
int sources_place(struct model *m, struct error *e);

/* The placement of a source, scaled by λ²/X. */
struct placement source_placement(const struct model *m, size_t source);

/* The order of a drive of a source. */
int source_drive_order(const struct source *s, size_t drive);

/* R^n/θ_n(sR/c), theory (56), for the order n of a pattern that is known at R: bounded at 0 Hz. R is 10, 3 and 1 m for
 * patterns with a name of order 1, 2 and 3; of a file, the distance of its samples, but 10 m at most for order 1 and 3
 * m for higher ones, which would drive a near field so strong that its rounding is heard: -40 dB at 125 Hz for a
 * constant order 3 at 10 m, -64 at 3 m (docs/science/space.md). */
struct integrator source_integrator(const struct source *s, int n, double sound_speed);

#endif
