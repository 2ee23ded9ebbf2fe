/* SPDX-License-Identifier: MIT */
/* Walls over the whole audible band: of a grid up to the edge of its valid band, of the materials themselves above. */
#ifndef AULA_MODEL_WIDE_WALL_H
#define AULA_MODEL_WIDE_WALL_H

#include <complex.h>
#include <stdbool.h>

#include "model/model.h"

struct wide_wall {
    bool fixed;                /* p = 0: the reflection factor is -1 */
    struct wall_clock clock;   /* of the grid */
    struct wall_model stepped; /* what the grid steps */
    double real;               /* of the material in the continuum, fitted in all octaves: a real specific admittance */
    struct branch branches[BRANCHES_MAX]; /* and these in parallel, in SI units */
    size_t branch_count;
};

/* *walls [m->room->material_count], to be freed. Absorption by octave is fitted as for a grid that carries all octaves;
 * above 8 kHz its branches go on as they are. ERROR_INPUT: as walls_make. */
int wide_walls_make(struct wide_wall **walls, const struct model *m, struct error *e);

/* Specific admittance Y at a frequency, Hz, e^{jωt}: that of the true wall which the grid steps up to the edge of its
 * valid band, that of the material from half an octave above. In between the second replaces the first by cos², so
 * Re Y >= 0 everywhere. Not of a fixed wall. */
double complex wide_wall_admittance(const struct wide_wall *wall, double frequency);

/* Mean absorption at random incidence over the octave around `centre`, Hz; NaN of a fixed wall. */
double wide_wall_absorption(const struct wide_wall *wall, double centre);

#endif
