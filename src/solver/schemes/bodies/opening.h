/* SPDX-License-Identifier: MIT */
/* Where the air column of a wind instrument meets the air around: its end and its tone holes, theory
 * (75e). An opening is a short tube with the flow u out of a cell of the bore, u⁺ at n + 1,
 *     L (u⁺ - u)/k + ū/G = p̄_cell - p̄_out,   ū = (u⁺ + u)/2
 * with means over the step. G is the conductance of a finger or a key that closes it, 0 where it is closed; the end
 * is always open. p̄_cell and ū are shared linearly by the two cells between whose centres it lies.
 *
 * Into a room, ū drives n points of the field, ψ⁺ = ψ̂ + (c²k²/nX³) ū, whose mean pressure becomes p̂_out + Z ū, Z =
 * ρc²k/2nX³. Cell, tube and field are solved for together, in closed form. All of it is trapezoidal: the opening adds
 * no condition of stability to those of the bore and the field. The field by itself adds the inertance of n points of
 * the grid, ρ g/X, g the mean over the points of Green's function of the lattice (0.2527 for one). L contains what is
 * missing to the end correction of an open pipe, 0.6133 a (Levine and Schwinger, 1948):
 *     L = ρ (l + d)/S,   d = 0.6133 a - g S/X
 *
 * Without a room, p̄_out is the pressure on a resistance and an inertance in parallel, the radiation
 * impedance of an open pipe at low frequencies. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_OPENING_H
#define AULA_SOLVER_SCHEMES_BODIES_OPENING_H

#include <stddef.h>

#include "base/device.h"
#include "solver/schemes/bodies/bore.h"

struct opening {
    size_t cell;      /* of the bore */
    double share;     /* 0 to 1: how far it lies from the centre of that cell towards that of the next */
    double inertance; /* L, kg/m⁴ */
    size_t points;    /* n of the field; 0: without a room */
    double impedance; /* of what lies outside, within a step, Pa s/m³: ū raises p̄_out by impedance ū */
    double load_resistance, load_share; /* without a room: R, Pa s/m³; 1/(1 + R k/2 load inertance) */
};

/* A point of the field relative to another, in spacings. */
struct opening_point {
    int axis[3];
};

struct opening_state {
    double flow; /* u, m³/s */
    double load; /* flow through the inertance of the load, m³/s */
};

/* An opening of the radius, m, at the end of a tube of the length, m, without the end correction, into `points` of a
 * field with the spacing X, m, that have the mean Green's function g; points 0: without a room. The inertance is
 * negative where the opening is too wide for its points. */
struct opening opening_make(size_t cell, double radius, double length, size_t points, double spacing, double green,
                            const struct bore_grid *grid);

/* Moves a hole to the distance `position`, m, from the mouth, once. Between two centres of cells, at the share s of their
 * distance h, the air on the way there adds the inertance s (1 - s) ρh/S_face to linear interpolation. */
void opening_place(struct opening *o, const struct bore *bore, double position);

/* Mean of Green's function of the 7-point Laplacian, times X, over all pairs of `count` points, within 3e-5. */
double opening_green(const struct opening_point *points, size_t count);

/* Points of a disc across the axis `normal` (0 x, 1 y, 2 z) around a place that lies at `at`, in spacings, from
 * point 0: those within radius, in spacings, and at least point 0. Returns their number; points [max]. More than max:
 * max + 1. */
size_t opening_disc(struct opening_point *points, size_t max, int normal, const double at[3], double radius);

/* An opening into the points of a disc of its radius, or of the smallest larger one that leaves the inertance positive.
 * Its points go to points [max]; inertance < 0: more than max. normal, at: as for opening_disc. */
struct opening opening_in_field(size_t cell, double radius, double length, int normal, const double at[3],
                                double spacing, const struct bore_grid *grid, struct opening_point *points, size_t max);

/* c²k²/nX³: change of ψ at each of n points for a flow of 1 m³/s, s/m. */
double opening_gain(size_t points, double spacing, const struct bore_grid *grid);

/* J, between two steps. */
double opening_energy(const struct opening *o, const struct opening_state *s, double time_step);

/* A step of an opening, in three pieces between which its ū is solved for together with those of the others:
 * (resistance + cell impedance) ū = p̄ of its cells for ū = 0 + drive. conductance: G, m³/(Pa s); INFINITY: open; outside:
 * p̂_out, Pa, of the field for ū = 0 (without a room, unused); *lost += J. */
ON_BOTH double opening_resistance(const struct opening *o, double time_step, double conductance)
{
    return 2.0 * o->inertance / time_step + o->impedance + 1.0 / conductance;
}

ON_BOTH double opening_drive(const struct opening *o, struct opening_state *s, double time_step, double outside,
                             double conductance, double *lost)
{
    if (!(conductance > 0.0)) { /* closed: what still flows in the tube is stopped */
        *lost += 0.5 * o->inertance * s->flow * s->flow;
        s->flow = 0.0;
    }
    const double out = o->points ? outside : -o->load_resistance * o->load_share * s->load;
    return 2.0 * o->inertance / time_step * s->flow - out;
}

ON_BOTH void opening_finish(const struct opening *o, struct opening_state *s, double time_step, double conductance,
                            double mean, double *lost)
{
    *lost += conductance > 0.0 ? time_step / conductance * mean * mean : 0.0;
    s->flow = 2.0 * mean - s->flow;
    if (!o->points) {
        const double through =
            o->load_share * (s->load + (1.0 / o->load_share - 1.0) * mean); /* mean of the load's flow */
        *lost += time_step * o->load_resistance * (mean - through) * (mean - through);
        s->load = 2.0 * through - s->load;
    }
}

#endif
