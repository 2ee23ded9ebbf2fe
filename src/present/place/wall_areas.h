/* SPDX-License-Identifier: MIT */
/* Areas of the walls, and the change of the spread with the admittance of each. */
#ifndef AULA_PRESENT_PLACE_WALL_AREAS_H
#define AULA_PRESENT_PLACE_WALL_AREAS_H

#include "dsp/place/bands.h"
#include "room/grid/model.h"

enum { WALL_AREA_POINTS = 4 };

struct wall_area {
    int wall;         /* of enum face */
    double centre[3]; /* m */
    double area;      /* m² */
    double change;    /* dB of spread for 1 m² whose specific admittance rises by WALL_AREA_RISE, to first order */
};
#define WALL_AREA_RISE 0.1 /* about what turns a hard wall into one that absorbs half of random sound */

struct wall_areas {
    struct wall_area *area; /* [count] */
    double (*points)[3];    /* [count][WALL_AREA_POINTS]: on the wall, m */
    size_t count;
};

/* The walls of a box in areas of about 1 m a side, without those behind objects. ERROR_USAGE for other rooms. */
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
