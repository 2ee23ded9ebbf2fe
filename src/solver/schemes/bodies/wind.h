/* SPDX-License-Identifier: MIT */
/* A wind instrument as a body: a reed or lips, a bore and its openings, solved within each step in closed form. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_WIND_H
#define AULA_SOLVER_SCHEMES_BODIES_WIND_H

#include <stdint.h>

#include "solver/schemes/bodies/bore.h"
#include "solver/schemes/bodies/opening.h"
#include "solver/schemes/bodies/reed.h"

/* No opening touches cell 0, where the reed is, and only the last one, the end, the last cell. */
enum { OPENINGS_MAX = 32 };
struct wind {
    struct bore bore;
    struct reed reed;
    struct opening *openings; /* [opening_count], owned by the caller */
    size_t opening_count;
    uint64_t *points; /* of the field, opening by opening, owned by the caller */
    double spacing;   /* X, m: of the field */
    double *mutual;   /* [opening_count][opening_count] made by wind_couple_openings */
};

/* Values of the state array of a wind instrument (bodies.h): inputs of a step, [WIND_HOLES + opening_count]. Taps on it
 * read WIND_MOUTHPIECE, WIND_REED, and from WIND_FLOWS on ū of each opening. */
enum { WIND_BLOWING = 0, WIND_LIPS = 1, WIND_HOLES = 2 };
enum { WIND_MOUTHPIECE = 0, WIND_REED = 1, WIND_FLOWS = 2 };

/* The player and the air around in a step. */
struct wind_input {
    double blowing;   /* pressure in the mouth, Pa */
    double frequency; /* of the lips, Hz; 0: their own */
    const double
        *conductance;      /* [opening_count] of the holes, m³/(Pa s), >= 0; of the end unused; NULL: closed holes */
    const double *outside; /* [opening_count] ρ (mean ψ̂ - mean ψ⁻)/2k at the opening's points, Pa; NULL: no room */
};

/* What the step did. */
struct wind_output {
    struct reed_flow reed;
    double mouthpiece; /* mean pressure in the first cell, Pa */
};

/* Number of values of its state array, and of its points of the field. */
size_t wind_values(const struct wind *w);
size_t wind_points(const struct wind *w);

/* Makes w->mutual, the rise of the mean pressure across one opening for ū = 1 m³/s through another, Pa s/m³: they share
 * cells of the bore, or points of the field. To be called once all else is set. -1, with *e filled: openings in the wrong
 * cells, with negative inertance, or too many; or out of memory. Free w->mutual. */
int wind_couple_openings(struct wind *w, struct error *e);

/* The state between two steps is one block of doubles, all 0 at rest. */
size_t wind_state_bytes(const struct wind *w);

/* J: stored, and since the state was at rest given by the player, and lost. */
double wind_energy(const struct wind *w, const double *state);
double wind_given(const double *state);
double wind_lost(const double *state);

/* Taps, at the last level: opening of the reed, m; pressures of the cells, [cells] Pa. */
double wind_opening(const struct wind *w, const double *state);
const double *wind_pressure(const struct wind *w, const double *state);

/* One step. flow [opening_count]: ū out of each opening, m³/s, which the caller adds to the field by opening_gain. */
struct wind_output wind_step(const struct wind *w, double *state, const struct wind_input *input, double *flow);

#endif
