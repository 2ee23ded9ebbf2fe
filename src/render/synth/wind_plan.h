/* SPDX-License-Identifier: MIT */
/* Wind instruments from their dimensions: bore, tone holes, and where these lie in a room. */
#ifndef AULA_RENDER_SYNTH_WIND_PLAN_H
#define AULA_RENDER_SYNTH_WIND_PLAN_H

#include "room/grid/grid.h"
#include "solver/schemes/bodies/wind.h"

struct wind_hole {
    double position; /* m from the mouth */
    double diameter; /* m */
    double height;   /* m: of its chimney, without end corrections */
    double pitch;    /* Hz: sounds when it is the open hole nearest to the mouth */
};

struct wind_plan {
    const double (
        *bore)[2]; /* [bore_count] m: distance from the mouth, ascending from 0, and diameter; cones in between */
    size_t bore_count;
    const struct wind_hole *holes; /* [hole_count] */
    size_t hole_count;
    struct reed reed;
    double mouth[3], end[3]; /* m, in the room: holes lie on the straight line between them */
};

/* The air that the bore contains, and the rate of the steps, Hz. */
struct wind_air {
    double density, sound_speed, rate;
};

/* A wind instrument in the field of a grid (7-point), or without a room for NULL. ERROR_INPUT: a message that begins
 * with the key, "bore" or "holes[2]". Free with wind_end in any case. */
int wind_begin(struct wind *w, const struct wind_plan *plan, const struct grid *grid, const struct wind_air *air,
               struct error *e);
void wind_end(struct wind *w);

/* Conductances of the holes, [hole_count], for a pitch, Hz: those with a pitch up to a quarter of a tone above it
 * are open. The share, from 0 to 1, of a change from closed to open is a factor of the logarithm of the
 * conductance. Returns the pitch that sounds according to the plan, 0: all holes are closed. */
double wind_fingering(const struct wind_plan *plan, double pitch, double *conductance);
double wind_hole_conductance(double open);

/* The frequency of the lips, Hz, with which a bore without holes starts to sound at a pitch, Hz, and the pressure, Pa,
 * that this takes. NAN: the bore has no register there. */
double wind_lips(const struct wind *w, double pitch, double *pressure);

#endif
