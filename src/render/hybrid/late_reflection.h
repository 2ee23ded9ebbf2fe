/* SPDX-License-Identifier: MIT */
/* What walls and edges do to a ray. */
#ifndef AULA_RENDER_HYBRID_LATE_REFLECTION_H
#define AULA_RENDER_HYBRID_LATE_REFLECTION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/device.h"

enum { LATE_BANDS_MAX = 48, LATE_ANGLES = 128 };
#define LATE_NO_SHEET UINT32_MAX

/* Bands of energies in ascending order; each begins where the previous one ends. */
struct late_bands {
    size_t count;
    double centre[LATE_BANDS_MAX], lower[LATE_BANDS_MAX], upper[LATE_BANDS_MAX]; /* Hz */
};

/* A wall of a room, by the material numbers of a ray_scene. */
struct late_wall {
    bool fixed;                                       /* p = 0: |R| is 1 */
    uint32_t sheet;                                   /* of late_room.pairs; LATE_NO_SHEET: in none of them */
    bool transmits;                                   /* it has the next three, for faces that let rays through */
    float passed[LATE_ANGLES + 1][LATE_BANDS_MAX];    /* τ, as `reflected` */
    float kept[LATE_ANGLES + 1][LATE_BANDS_MAX];      /* |R|² of these faces; τ + |R|² is at most 1 */
    float passed_mean[LATE_BANDS_MAX];                /* of τ, at random incidence */
    float reflected[LATE_ANGLES + 1][LATE_BANDS_MAX]; /* |R|² at cos θ = (i/LATE_ANGLES)², mean over the band */
    float scattered[LATE_BANDS_MAX]; /* s: fraction of the reflected energy that leaves by Lambert's law */
};

/* Multiplies energy[i] of `count` bands from `first` by the values of a table at an angle. */
ON_DEVICE void late_wall_multiply(float *energy, const float table[][LATE_BANDS_MAX], size_t first, size_t count,
                                  double cosine)
{
    const float place = (float)(LATE_ANGLES * sqrt(fmin(cosine, 1.0)));
    const int below = place < LATE_ANGLES ? (int)place : LATE_ANGLES - 1;
    const float share = place - (float)below;
    const float *low = table[below] + first, *high = table[below + 1] + first;
    for (size_t b = 0; b < count; b++)
        energy[b] *= low[b] + share * (high[b] - low[b]);
}

/* The same by |R|²; joined: at a face that lets rays through. */
ON_DEVICE void late_wall_reflect(float *energy, const struct late_wall *wall, bool joined, size_t first, size_t count,
                                 double cosine)
{
    late_wall_multiply(energy, joined ? wall->kept : wall->reflected, first, count, cosine);
}

/* Deflection of rays by edges: an edge deflects rays that pass it, more strongly the fewer
 * wavelengths away (U. M. Stephenson's energetic diffraction, from the uncertainty relation). At
 * the distance a, with b = a/λ, the deflection angle ε has, by theory (81) and (82), the density
 *
 *     p(ε) ∝ 1/(1 + 2 v²),  v = 2 · 6 b ε,  |ε| < π/2
 *
 * Its integral is an arctangent, and ε follows from a uniform random number. */

#define LATE_EDGE_REACH 3.0         /* wavelengths: farther edges deflect no ray */
#define LATE_EDGE_KEPT 0.1745329252 /* radians, 10 degrees: smaller deflections are left to image sources */
#define LATE_EDGE_HIGHEST 8000      /* Hz: highest centre of a band with deflection */
#define LATE_EDGE_TURNS 8           /* maximum number of edges that deflect a ray between two faces */

static const double late_edge_strength = 12.0; /* v = 12 b ε */
static const double late_edge_closest = 1e-6;  /* wavelengths: at smaller distances all angles are equally likely */

/* ε, radians, at a distance in wavelengths; uniform: -1 .. 1. */
ON_DEVICE double late_edge_angle(double wavelengths, double uniform)
{
    const double rate = M_SQRT2 * late_edge_strength * fmax(wavelengths, late_edge_closest);
    return tan(uniform * atan(0.5 * M_PI * rate)) / rate;
}

/* Rotates a unit vector about another one by an angle, radians: Rodrigues' formula, then
 * normalization. */
ON_DEVICE void late_edge_turn(double direction[3], const double axis[3], double angle)
{
    double turned[3], along = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++)
        along += axis[k] * direction[k];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        turned[k] = cos(angle) * direction[k] + sin(angle) * (axis[i] * direction[j] - axis[j] * direction[i]) +
                    (1.0 - cos(angle)) * along * axis[k];
        square += turned[k] * turned[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] = turned[k] / sqrt(square);
}

#endif
