/* SPDX-License-Identifier: MIT */
/* Diffraction of rays: an edge turns rays that pass it, the more so the closer they pass in wavelengths (U. M.
 * Stephenson's energetic diffraction, from the uncertainty relation). With the distance a, b = a/λ, the density of the
 * angle ε is, by theory (81) and (82),
 *
 *     p(ε) ∝ 1/(1 + 2 v²),  v = 2 · 6 b ε,  |ε| < π/2
 *
 * Its integral is an arctangent, so that ε follows from a number that is uniform. */
#ifndef AULA_RENDER_HYBRID_LATE_EDGES_H
#define AULA_RENDER_HYBRID_LATE_EDGES_H

#include "geometry/rays/edges.h"

#define LATE_EDGE_REACH 3.0         /* wavelengths: edges further away turn no ray */
#define LATE_EDGE_KEPT 0.1745329252 /* radians, 10 degrees: rays that are turned by less are left to image sources */
#define LATE_EDGE_HIGHEST 8000      /* Hz: of the centre of a band in which they do */
#define LATE_EDGE_TURNS 8           /* edges that turn a ray between two faces, at most */

/* ε, radians, at a distance of so many wavelengths; uniform: -1 .. 1. */
double late_edge_angle(double wavelengths, double uniform);

/* The chance that |ε| is at most `angle`, radians, 0 .. π/2. */
double late_edge_chance(double wavelengths, double angle);

/* Turns a unit vector about another by an angle, radians. */
void late_edge_turn(double direction[3], const double axis[3], double angle);

#endif
