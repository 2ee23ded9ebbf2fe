/* Puts a surface into the air of a room: which cells it moves, how its nodes and they share it, which links it cuts. */
#ifndef AULA_SYNTH_IN_AIR_H
#define AULA_SYNTH_IN_AIR_H

#include "synth/cut_list.h"
#include "synth/surface.h"

struct surface_site {
    double centre[3]; /* m */
    int normal;       /* 0 x, 1 y, 2 z: "above" is on this axis's far side */
    double shell;     /* m: depth of a rigid body below the surface's edge; 0: none */
    bool closed;      /* its bottom */
};

/* Joins s, made from plan and grid, to the model's air: fills what struct surface has from `cells` on, and adds what it
 * cuts to `cuts`. *plane (m): where the surface lies along its normal, on a face of the cells. Fails, naming `name`, where
 * it leaves the room, crosses anything, or is smaller than a cell. */
int surface_in_air(struct surface *s, const struct surface_grid *grid, const struct surface_plan *plan,
                   const struct surface_site *site, const struct model *m, struct cut_list *cuts, double *plane,
                   const char *name, struct error *e);

#endif
