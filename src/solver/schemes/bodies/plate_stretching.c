/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/plate_stretching.h"

#include <stdlib.h>
#include <string.h>

/* Arrays [ny][nx] in the scratch memory. */
enum { ALONG, ACROSS, TWIST, CURVATURE, FIELDS };

size_t plate_stretching_scratch(const struct plate_stretching *p)
{
    size_t functions = 0;
    for (int parity = 0; parity < PLATE_PARITIES; parity++)
        functions += p->functions[parity];
    return FIELDS * p->nx * p->ny + PLATE_PARITIES * p->quarter + functions;
}

uint64_t plate_stretching_bytes(const struct plate_stretching *p)
{
    uint64_t bytes = p->nx * p->ny * sizeof(double) + p->quarter * (4 * sizeof(uint32_t) + sizeof(double)) +
                     plate_stretching_scratch(p) * sizeof(double);
    for (int parity = 0; parity < PLATE_PARITIES; parity++)
        bytes += 2 * p->quarter * p->functions[parity] * sizeof(float);
    return bytes;
}

void plate_stretching_free(struct plate_stretching *p)
{
    if (!p)
        return;
    free(p->lightness);
    free(p->image[0]);
    free(p->share);
    for (int parity = 0; parity < PLATE_PARITIES; parity++) {
        free(p->by_node[parity]);
        free(p->by_function[parity]);
    }
    free(p);
}

/* Zero at the nodes that loops from nx + 1 to nodes - nx - 1 leave out. */
static void clear_rim(const struct plate_stretching *p, double *field)
{
    memset(field, 0, (p->nx + 1) * sizeof *field);
    memset(field + p->nx * p->ny - p->nx - 1, 0, (p->nx + 1) * sizeof *field);
}

/* w_xx and w_yy at every node but those of the rim, and w_xy between a node and its next ones along both axes. */
static void differences(const struct plate_stretching *p, const double *restrict w, double *restrict along,
                        double *restrict across, double *restrict twist)
{
    const size_t nx = p->nx, end = p->nx * p->ny - nx - 1;
    const double x2 = 1.0 / (p->spacing[0] * p->spacing[0]), y2 = 1.0 / (p->spacing[1] * p->spacing[1]);
    const double xy = 1.0 / (p->spacing[0] * p->spacing[1]);
    for (size_t i = nx + 1; i < end; i++) {
        along[i] = x2 * ((w[i - 1] + w[i + 1]) - 2.0 * w[i]);
        across[i] = y2 * ((w[i - nx] + w[i + nx]) - 2.0 * w[i]);
    }
    for (size_t i = 0; i < end; i++)
        twist[i] = xy * ((w[i] + w[i + nx + 1]) - (w[i + 1] + w[i + nx]));
}

/* s, m⁻², where Ψ is known; the rest is not used. */
static void curvature(const struct plate_stretching *p, double *restrict s, const double *restrict along,
                      const double *restrict across, const double *restrict twist)
{
    const size_t nx = p->nx, end = p->nx * p->ny - nx - 1;
    for (size_t i = nx + 1; i < end; i++) {
        const double *t = twist + i;
        s[i] = along[i] * across[i] -
               0.25 * ((t[0] * t[0] + *(t - 1) * *(t - 1)) + (*(t - nx) * *(t - nx) + *(t - nx - 1) * *(t - nx - 1)));
    }
}

/* s in the quarter, by parity: the sum over the images with their signs. */
static void fold(const struct plate_stretching *p, double *restrict folded, const double *restrict s)
{
    const size_t n = p->quarter;
    for (size_t i = 0; i < n; i++) {
        const double a = p->share[i] * s[p->image[0][i]], b = p->share[i] * s[p->image[1][i]];
        const double c = p->share[i] * s[p->image[2][i]], d = p->share[i] * s[p->image[3][i]];
        folded[i] = (a + b) + (c + d);
        folded[n + i] = (a - b) + (c - d);
        folded[2 * n + i] = (a + b) - (c + d);
        folded[3 * n + i] = (a - b) - (c - d);
    }
}

/* The reverse: the stress at every image from its parts, zero where Ψ is unknown. */
static void unfold(const struct plate_stretching *p, double *restrict stress, const double *restrict folded)
{
    const size_t n = p->quarter;
    for (size_t i = 0; i < n; i++) {
        const double a = folded[i], b = folded[n + i], c = folded[2 * n + i], d = folded[3 * n + i];
        stress[p->image[0][i]] = (a + b) + (c + d);
        stress[p->image[1][i]] = (a - b) + (c - d);
        stress[p->image[2][i]] = (a + b) - (c + d);
        stress[p->image[3][i]] = (a - b) - (c - d);
    }
}

/* out = scale inᵀ m, four rows of m at a time so that `out` is read and written a quarter as often. The order of the
 * sums is fixed, and the columns do not depend on each other. */
static void multiply(double *restrict out, size_t columns, double scale, const double *restrict in, size_t rows,
                     const float *restrict m)
{
    size_t r = 0;
    memset(out, 0, columns * sizeof *out);
    for (; r + 4 <= rows; r += 4) {
        const float *a = m + r * columns, *b = a + columns, *c = b + columns, *d = c + columns;
        const double fa = scale * in[r], fb = scale * in[r + 1], fc = scale * in[r + 2], fd = scale * in[r + 3];
        for (size_t i = 0; i < columns; i++)
            out[i] += (fa * (double)a[i] + fb * (double)b[i]) + (fc * (double)c[i] + fd * (double)d[i]);
    }
    for (; r < rows; r++)
        for (size_t i = 0; i < columns; i++)
            out[i] += scale * in[r] * (double)m[r * columns + i];
}

/* b and then the stress of one parity in place of its part of s. Returns Σ b². */
static double stress_of(const struct plate_stretching *p, int parity, double *folded, double *b)
{
    const double area = p->spacing[0] * p->spacing[1];
    const size_t functions = p->functions[parity];
    double sum = 0.0;
    multiply(b, functions, area, folded, p->quarter, p->by_node[parity]);
    for (size_t q = 0; q < functions; q++)
        sum += b[q] * b[q];
    multiply(folded, p->quarter, p->stiffness * area, b, functions, p->by_function[parity]);
    return sum;
}

/* The transposes of the differences, applied to the stress times their counterparts in s. */
static void gather(const struct plate_stretching *p, double *restrict gradient, double *restrict along,
                   double *restrict across, double *restrict twist, const double *restrict stress)
{
    const size_t nx = p->nx, end = p->nx * p->ny - nx - 1;
    const double x2 = 1.0 / (p->spacing[0] * p->spacing[0]), y2 = 1.0 / (p->spacing[1] * p->spacing[1]);
    const double xy = 1.0 / (p->spacing[0] * p->spacing[1]);
    for (size_t i = nx + 1; i < end; i++) {
        const double other = across[i];
        across[i] = stress[i] * along[i];
        along[i] = stress[i] * other;
    }
    for (size_t i = 0; i < end; i++)
        twist[i] *= -0.5 * ((stress[i] + stress[i + 1]) + (stress[i + nx] + stress[i + nx + 1]));
    for (size_t i = nx + 1; i < end; i++) {
        const double *t = twist + i;
        gradient[i] = p->lightness[i] * (x2 * ((along[i - 1] + along[i + 1]) - 2.0 * along[i]) +
                                         y2 * ((across[i - nx] + across[i + nx]) - 2.0 * across[i]) +
                                         xy * ((t[0] + *(t - nx - 1)) - (*(t - 1) + *(t - nx))));
    }
}

double plate_stretching(const struct plate_stretching *p, const double *w, double *gradient, double *scratch)
{
    const size_t nodes = p->nx * p->ny;
    double *along = scratch + ALONG * nodes, *across = scratch + ACROSS * nodes, *twist = scratch + TWIST * nodes;
    double *s = scratch + CURVATURE * nodes, *folded = scratch + FIELDS * nodes;
    double *b = folded + PLATE_PARITIES * p->quarter, sum = 0.0;
    for (size_t i = 0; i < nodes; i++)
        gradient[i] = p->lightness[i] * w[i];
    clear_rim(p, along);
    clear_rim(p, across);
    differences(p, gradient, along, across, twist);
    curvature(p, s, along, across, twist);
    fold(p, folded, s);
    for (int parity = 0; parity < PLATE_PARITIES; parity++) {
        sum += stress_of(p, parity, folded + (size_t)parity * p->quarter, b);
        b += p->functions[parity];
    }
    memset(s, 0, nodes * sizeof *s);
    unfold(p, s, folded);
    clear_rim(p, gradient);
    gather(p, gradient, along, across, twist, s);
    return 0.5 * p->stiffness * sum;
}
