/* SPDX-License-Identifier: MIT */
/* Couples a surface to the air of a room: finds the cells it moves, the weights between its nodes
 * and them, and the links it cuts. */
#ifndef AULA_RENDER_SYNTH_AIR_COUPLING_H
#define AULA_RENDER_SYNTH_AIR_COUPLING_H

#include "render/synth/cut_list.h"
#include "render/synth/surface.h"

struct surface_site {
    double centre[3]; /* m */
    int normal;       /* 0 x, 1 y, 2 z; "above" is the side of larger coordinates */
    double shell;     /* m: depth of a rigid body below the surface's edge; 0: none */
    bool closed;      /* whether the shell has a bottom */
};

/* Couples s, made from plan and grid, to the model's air: fills the members of struct surface from
 * `cells` on, and appends its cuts to `cuts`. *plane, m: position of the surface along its normal,
 * on a face of the cells. Fails, naming `name`, if it leaves the room, crosses a wall or an object,
 * or is smaller than a cell. */
int surface_couple_air(struct surface *s, const struct surface_grid *grid, const struct surface_plan *plan,
                       const struct surface_site *site, const struct model *m, struct cut_list *cuts, double *plane,
                       const char *name, struct error *e);

#endif
