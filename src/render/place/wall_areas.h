/* SPDX-License-Identifier: MIT */
/* Areas of the walls, and the change of the spread with the admittance of each. */
#ifndef AULA_RENDER_PLACE_WALL_AREAS_H
#define AULA_RENDER_PLACE_WALL_AREAS_H

#include "dsp/place/bands.h"
#include "room/grid/model.h"

struct wall_area {
    int wall;            /* of enum face: the side of the air on which it lies */
    size_t material;     /* of the room */
    double centre[3];    /* m: mean of its faces on the grid */
    double area;         /* m² */
    size_t first, count; /* of its points */
    double change;       /* dB of spread for 1 m² whose specific admittance rises by WALL_AREA_RISE, to first order */
    size_t band;         /* in which it takes the largest part of the energy that the walls would absorb alike */
    double density;      /* that part over its part of the area of all walls */
};
#define WALL_AREA_RISE 0.1 /* about what turns a hard wall into one that absorbs half of random sound */

struct wall_areas {
    struct wall_area *area; /* [count] */
    size_t count;
    double (*points)[3]; /* [point_count], m: in the air or on the wall, where receivers can stand */
    double *weight;      /* [point_count], m²: of the wall around each */
    size_t point_count;
};

/* All surfaces that the air of a room of any form touches, objects included, except those held at p = 0: the faces of
 * its voxels, joined by side, material and cubes of about 1 m. Each area has a point for every 0.25 m². ERROR_INPUT
 * where there is none, ERROR_MEMORY. */
int wall_areas_make(struct wall_areas *w, const struct model *m, struct error *e);
void wall_areas_free(struct wall_areas *w);

/* By first-order perturbation of ∂p/∂n = -jkβ p, with Green's theorem:
 *     δH(seat) = -(jk/4π) δβ ∫ H(seat, y) p(y) dS,
 * H of a source that gives 1 at 1 m in free air, and p the sum of the subs. from: of sources at the seats, values
 * [point][re, im][seat][band][line]; sum: of the winner, [re, im][point][band][line]; at: the winner
 * at the seats, [re, im][seat][band][line]. Sorts by rising change. ERROR_MEMORY. */
int wall_areas_rank(struct wall_areas *w, const struct place_transfers *from, const double *sum, const double *at,
                    double sound_speed, struct error *e);

#endif
