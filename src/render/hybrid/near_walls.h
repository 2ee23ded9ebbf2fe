/* SPDX-License-Identifier: MIT */
/* Rise of a diffuse field near walls, where waves from all sides interfere with their own
 * reflections (Waterhouse 1955, "Interference patterns in reverberant sound fields", J. Acoust.
 * Soc. Am. 27, 247-258). Rays add energies, which misses this effect. */
#ifndef AULA_RENDER_HYBRID_NEAR_WALLS_H
#define AULA_RENDER_HYBRID_NEAR_WALLS_H

#include "geometry/rays/tree.h"
#include "render/hybrid/late_walls.h"

enum { RISE_POINTS = 257, RISE_PER_OCTAVE = 24, NEAR_WALLS_MAX = 16 };
#define RISE_LOWEST 20.0 /* Hz: the first point; the last is 10 2/3 octaves above */

/* |p|² relative to a field whose reflections add in energy, at RISE_LOWEST 2^(i/RISE_PER_OCTAVE)
 * Hz. */
struct near_rise {
    bool none; /* 1 at all frequencies */
    double at[RISE_POINTS];
};

/* Coherence of a wall's reflection of a diffuse field with the incident field, at the same
 * frequencies: 2 <Re R>/<1 + |R|²>, averaged over cos θ from 0 to 1; 1 for a rigid wall, -1 for a
 * fixed one. */
struct near_gain {
    double at[RISE_POINTS];
};
void near_gain_make(struct near_gain *gain, const struct late_material *material);

/* A flat wall near a position. */
struct near_wall {
    double distance;  /* m */
    double normal[3]; /* unit vector, from the position to the wall */
    uint32_t material;
};

/* Finds walls whose faces contain the visible foot of the perpendicular from a position, at most
 * `reach` m away, and the nearest NEAR_WALLS_MAX of them. Returns their number. */
size_t near_walls_find(struct near_wall walls[NEAR_WALLS_MAX], const struct ray_scene *scene,
                       const struct ray_tree *tree, const double place[3], double reach);

/* Theory (89): 1 + Σ g sin(kL)/(kL) over the images of a position in nearby walls, at the distances
 * L from it, and in two or three mutually perpendicular walls (an edge, a corner), for which g is
 * the product of the walls' gains: 2, 4 and 8 at a rigid wall, edge and corner. Images fade out
 * from kL = 8 to 16. gains: by material. */
void near_rise_make(struct near_rise *rise, const struct near_wall *walls, size_t count, const struct near_gain *gains,
                    double sound_speed);

/* m: distance up to which walls matter above a frequency, Hz. */
double near_walls_reach(double lowest, double sound_speed);

double near_rise_at(const struct near_rise *rise, double frequency);

/* Distributes an amount at a frequency over points [RISE_POINTS] such that Σ points[i] rise.at[i] =
 * Σ amount rise(frequency). */
void near_rise_share(double points[RISE_POINTS], double amount, double frequency);

/* rise *= other */
void near_rise_multiply(struct near_rise *rise, const struct near_rise *other);

#endif
