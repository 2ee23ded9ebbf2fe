/* SPDX-License-Identifier: MIT */
/* The walls of a room: the specific admittance of each material, and the branches that the grid
 * steps for it. */
#ifndef AULA_ROOM_GRID_WALLS_H
#define AULA_ROOM_GRID_WALLS_H

#include "room/grid/grid.h"
#include "room/grid/wall_admittance.h"
#include "room/grid/wall_discretization.h"

/* Errors above FIT_GOOD cause a warning, errors above FIT_WORST a refusal. */
#define FIT_GOOD 0.02
#define FIT_WORST 0.1
#define LAYERS_GOOD 0.02   /* |ΔR| of a layered wall on the grid: more is a warning */
#define LOCAL_GOOD 0.1     /* of random-incidence absorption by propagation along layers: more is a warning */
#define FIT_OVERSHOOT 0.05 /* absorption above the two nearest targets: more is a warning */

struct wall_model {
    struct wall_admittance material;      /* the same for every grid */
    double admittance;                    /* what this grid steps: a real specific admittance Y = 1/ξ */
    struct branch branches[BRANCHES_MAX]; /* and these in parallel, in units of the time step: D/k, E, F k */
    size_t branch_count;
    double target[OCTAVE_BANDS]; /* random-incidence absorption asked for; NaN: none */
    double fitted[OCTAVE_BANDS]; /* its mean over the octave: of the grid's wall in octaves that the valid band holds
                                    whole, of the material's above; NaN: fixed */
    size_t worst_band;           /* with the largest difference, if a target is given */
    double worst_linear;         /* largest error of the means over linear frequency, if a target is given */
    double overshoot;            /* largest absorption above the larger of the two nearest targets, likewise */
    double worst_reflection;     /* of layers: largest |ΔR| at normal incidence up to the edge of the valid band */
    double worst_frequency;      /* Hz, where that is */
};

/* Octaves whose centre lies in the valid band; at least one. */
size_t walls_bands(const struct grid *g);

/* How the grid's time steps see its walls. */
struct wall_discretization walls_clock(const struct grid *g);

/* walls[room->material_count], to be freed. Absorption is fitted in all octaves, whatever the grid (wall_fit.h); what
 * the grid steps follows that wall up to the edge of the valid band (admittance_fit.h), whose octaves are the first
 * `bands`. Fails with the name of a material whose absorption there is off by more than FIT_WORST. */
int walls_make(struct wall_model **walls, const struct room *room, size_t bands,
               const struct wall_discretization *clock, struct error *e);

/* Makes one wall; `path` is used in messages where the material's origin is not known. */
int wall_make(struct wall_model *wall, const struct material *material, size_t bands,
              const struct wall_discretization *clock, const char *path, struct error *e);

/* Random-incidence absorption at a true frequency, Hz: of the grid's wall up to the edge, of the material's above. */
double wall_absorption(const struct wall_model *wall, const struct wall_discretization *clock, double frequency);

/* |fitted - target| in a band; 0 where either is NaN. */
double wall_misfit(const struct wall_model *wall, size_t band);

#endif
