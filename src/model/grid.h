/* The grid that a room asks for: points, spacing, rate. */
#ifndef AULA_MODEL_GRID_H
#define AULA_MODEL_GRID_H

#include "acoustics/stencil.h"
#include "room/room.h"

struct grid {
    enum air_stencil stencil;
    bool mapped;      /* responses are corrected by the frequency map of schemes/scheme19/scheme19.h */
    size_t voxels[3]; /* cubes of air and material */
    size_t points[3]; /* 7-point: one at the centre of each voxel, (i + ½) X; 19-point: one at each corner, i X */
    double spacing;         /* X, m */
    double rate;            /* fs = 1/k, Hz */
    double courant_squared; /* λ², exact in both precisions */
    double viscosity;       /* λ² τ/k, for absorption in the scheme; 0: lossless air */
    double matched;         /* Hz: the octave in which τ follows ISO 9613-1 */
    double sound_speed;     /* c, m/s */
    double size[3];         /* m: points times spacing */
    double rounding[3];     /* m: size minus the size asked for (0 when sized by points) */
    double valid_frequency; /* Hz: phase-velocity error at most room.output.dispersion up to here */
};

int grid_make(struct grid *g, const struct room *room, struct error *e);

/* Product of g->points, in 64 bits. */
uint64_t grid_points(const struct grid *g);

#endif
