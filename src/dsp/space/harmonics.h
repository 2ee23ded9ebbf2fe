/* SPDX-License-Identifier: MIT */
/* Real spherical harmonics in the AmbiX convention, theory (47), and turns of a field that is given by them.
 *
 *   channel    ACN: index n² + n + m, n = 0..order, m = -n..n
 *   scale      SN3D without the Condon-Shortley phase: Y_nm = √((2 - δ_m0) (n - |m|)! / (n + |m|)!) P_n^|m|(sin el)
 *              times cos mφ for m >= 0, sin |m|φ for m < 0; Σ_m Y_nm² = 1 in every direction
 *   axes       x front, y left, z up: order 1 is (1, d_y, d_z, d_x)
 *   direction  unit vector towards the source: Nachbar, Zotter, Deleflie, Sontacchi 2011, "ambiX" */
#ifndef AULA_DSP_SPACE_HARMONICS_H
#define AULA_DSP_SPACE_HARMONICS_H

#include <stddef.h>

#include "base/error.h"

enum { HARMONICS_ORDER_MAX = 7, HARMONICS_MAX = (HARMONICS_ORDER_MAX + 1) * (HARMONICS_ORDER_MAX + 1) };

static inline size_t harmonics_count(int order)
{
    return (size_t)((order + 1) * (order + 1));
}

/* Order n of a channel. */
int harmonics_order_of(size_t channel);

/* values [harmonics_count(order)] of a unit vector; order 0 to HARMONICS_ORDER_MAX. */
void harmonics_at(double *values, int order, const double direction[3]);

/* A turn of space by roll about x, then by pitch about y, then by yaw about z, all right-handed, in degrees, as objects
 * of a room turn: yaw > 0 turns the front to the left, pitch > 0 turns it down. Exact for multiples of 90. */
struct turn {
    double row[3][3];
};

struct turn turn_of(double yaw, double pitch, double roll);
struct turn turn_back(const struct turn *turn); /* its inverse */
void turn_apply(double out[3], const struct turn *turn, const double in[3]);

/* A turn of a field: Y_nm(R d) = Σ_m' D[n][m][m'] Y_nm'(d), so what arrives from d arrives from R d after it. The field
 * as a head that is turned by R hears it is turned by turn_back of R. */
struct field_turn {
    int order;
    double block[HARMONICS_ORDER_MAX + 1][2 * HARMONICS_ORDER_MAX + 1]
                [2 * HARMONICS_ORDER_MAX + 1]; /* [n][n+m][n+m'] */
};

void field_turn_make(struct field_turn *field, int order, const struct turn *turn);

/* out and in [harmonics_count(field->order)], not the same. */
void field_turn_apply(double *out, const struct field_turn *field, const double *in);

/* Directions and weights (sum 1) of a quadrature on the sphere that is exact for products of two harmonics of
 * HARMONICS_ORDER_MAX: Gauss-Legendre nodes in z, equal steps of azimuth. */
enum { SPHERE_RINGS = 8, SPHERE_STEPS = 16, SPHERE_DIRECTIONS = SPHERE_RINGS * SPHERE_STEPS };
struct sphere_rule {
    double direction[SPHERE_DIRECTIONS][3], weight[SPHERE_DIRECTIONS];
};
void sphere_rule_make(struct sphere_rule *rule);

/* Direction `index` of `count` that are spread evenly over half a sphere, z > 0: the upper half of a Fibonacci
 * lattice. */
void half_sphere(double d[3], int index, int count);

/* Areas of the regions of a sphere that are nearest to each of some directions (spherical Voronoi regions). */

/* areas [count], sum 1, by counting the points of a Fibonacci lattice: at least 20,000, 20 for each direction. Equal
 * directions: the first has the area. ERROR_MEMORY. */
int sphere_areas(double *areas, const double (*directions)[3], size_t count, struct error *e);

#endif
