/* SPDX-License-Identifier: MIT */
/* Plane waves of the grid that runs, to which stencils of the field are fitted. */
#ifndef AULA_ROOM_GRID_FIELD_WAVES_H
#define AULA_ROOM_GRID_FIELD_WAVES_H

#include "dsp/space/field_stencil.h"
#include "room/grid/grid.h"

/* Receivers: of a mapped grid at true frequencies, as what they record is mapped before it is integrated; else with s
 * as the trapezoid rule has it. Sources always so, as their signals are filtered before they drive the grid. */
struct grid_waves field_waves_of(enum air_stencil stencil, double courant_squared, bool mapped, bool drives);

/* Radius of the cloud of points, in cells; order 0 on the 7-point grid alone. */
double field_radius(enum air_stencil stencil, int order);

#endif
