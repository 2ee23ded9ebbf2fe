/* SPDX-License-Identifier: MIT */
/* The rise of a diffuse field near walls: waves that come from all sides meet their own reflections (Waterhouse 1955,
 * "Interference patterns in reverberant sound fields", J. Acoust. Soc. Am. 27, 247-258). Rays add energies and do not
 * know it. */
#ifndef AULA_RENDER_HYBRID_NEAR_WALLS_H
#define AULA_RENDER_HYBRID_NEAR_WALLS_H

#include "geometry/rays/tree.h"
#include "render/hybrid/late_walls.h"

enum { RISE_POINTS = 257, RISE_PER_OCTAVE = 24, NEAR_WALLS_MAX = 16 };
#define RISE_LOWEST 20.0 /* Hz: of the first point, the last is 10 2/3 octaves above */

/* |p|² over that of a field whose reflections add up by energy, at RISE_LOWEST 2^(i/RISE_PER_OCTAVE) Hz. */
struct near_rise {
    bool none; /* it is 1 everywhere */
    double at[RISE_POINTS];
};

/* How much of a wall's reflections of a diffuse field is coherent with what it reflects, at the same frequencies:
 * 2 <Re R>/<1 + |R|²>, means over cos θ from 0 to 1; 1 where it is rigid, -1 where it is fixed. */
struct near_gain {
    double at[RISE_POINTS];
};
void near_gain_make(struct near_gain *gain, const struct late_material *material);

/* A flat wall beside a place. */
struct near_wall {
    double distance;  /* m */
    double normal[3]; /* unit vector, from the place to the wall */
    uint32_t material;
};

/* Walls whose faces hold the foot of the perpendicular from a place, unhidden, at most `reach` m away, the nearest
 * NEAR_WALLS_MAX of them. Returns how many. */
size_t near_walls_find(struct near_wall walls[NEAR_WALLS_MAX], const struct ray_scene *scene,
                       const struct ray_tree *tree, const double place[3], double reach);

/* theory (89): 1 + Σ g sin(kL)/(kL) over the images of a place in the walls beside it, L their distance from it, and
 * over those in two or three walls that are square to each other (an edge, a corner), where g is the product of the
 * walls' gains: 2, 4 and 8 at a rigid wall, edge and corner. Images further than 8 wave numbers fade out to 16. gains
 * by material. */
void near_rise_make(struct near_rise *rise, const struct near_wall *walls, size_t count, const struct near_gain *gains,
                    double sound_speed);

/* How far walls matter above a frequency, Hz: m. */
double near_walls_reach(double lowest, double sound_speed);

double near_rise_at(const struct near_rise *rise, double frequency);

/* Adds an amount at a frequency to points [RISE_POINTS], so that Σ points[i] rise.at[i] is Σ amount rise(frequency). */
void near_rise_share(double points[RISE_POINTS], double amount, double frequency);

/* rise *= other */
void near_rise_multiply(struct near_rise *rise, const struct near_rise *other);

#endif
