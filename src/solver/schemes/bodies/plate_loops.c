/* SPDX-License-Identifier: MIT */
/* The stretching of a plate (plate_stretching.h). Compiled for every instruction set; the build sets VARIANT. */
#include <string.h>

#include "solver/schemes/bodies/loops_variant.h"

/* Arrays [ny][nx] in the scratch memory. */
enum { ALONG, ACROSS, TWIST, CURVATURE };
enum { TILE = 8 }; /* parts */

double NAME(plate_stretching)(const struct plate_stretching *p, const double *w, double *gradient, double *scratch);

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

/* out = inᵀ m for `count` parts of columns, whose sums stay in registers; the last part begins at the column `last`. Every
 * column is summed row by row. */
static inline __attribute__((always_inline)) void multiply_tile(double *restrict out, const size_t count, size_t last,
                                                                size_t columns, const double *restrict in, size_t rows,
                                                                const float *restrict m)
{
    part sum[TILE];
    for (size_t k = 0; k < count; k++)
        sum[k] = (part){0.0};
    for (size_t r = 0; r < rows; r++, m += columns) {
        for (size_t k = 0; k + 1 < count; k++)
            sum[k] += in[r] * load_float(m + k * PART);
        sum[count - 1] += in[r] * load_float(m + last);
    }
    for (size_t k = 0; k + 1 < count; k++)
        *(part *)(out + k * PART) = sum[k];
    *(part *)(out + last) = sum[count - 1];
}

/* out = inᵀ m, in tiles of about the same width. The last part of columns may repeat some of the one before. */
static void multiply(double *restrict out, size_t columns, const double *restrict in, size_t rows,
                     const float *restrict m)
{
    const size_t parts = (columns + PART - 1) / PART, tiles = (parts + TILE - 1) / TILE;
    for (size_t i = columns < PART ? 0 : columns; i < columns; i++) {
        out[i] = 0.0;
        for (size_t r = 0; r < rows; r++)
            out[i] += in[r] * (double)m[r * columns + i];
    }
    for (size_t tile = 0; tile < tiles && columns >= PART; tile++) {
        const size_t first = tile * parts / tiles, count = (tile + 1) * parts / tiles - first, at = first * PART;
        const size_t last = (tile + 1 < tiles ? (first + count - 1) * PART : columns - PART) - at;
        /* a width that the compiler knows keeps the sums in registers */
        switch (count) {
        case 8:
            multiply_tile(out + at, 8, last, columns, in, rows, m + at);
            break;
        case 7:
            multiply_tile(out + at, 7, last, columns, in, rows, m + at);
            break;
        case 6:
            multiply_tile(out + at, 6, last, columns, in, rows, m + at);
            break;
        case 5:
            multiply_tile(out + at, 5, last, columns, in, rows, m + at);
            break;
        case 4:
            multiply_tile(out + at, 4, last, columns, in, rows, m + at);
            break;
        case 3:
            multiply_tile(out + at, 3, last, columns, in, rows, m + at);
            break;
        case 2:
            multiply_tile(out + at, 2, last, columns, in, rows, m + at);
            break;
        default:
            multiply_tile(out + at, 1, last, columns, in, rows, m + at);
            break;
        }
    }
}

enum { PARTS = LOOP_LANES / PART, TOGETHER = 4 };

/* out = m in for TOGETHER rows of m at a time, in LOOP_LANES partial sums each. */
static void project_rows(double *restrict out, size_t columns, const double *restrict in, const float *restrict m)
{
    const size_t whole = columns - columns % LOOP_LANES;
    part sum[TOGETHER][PARTS];
    for (size_t r = 0; r < TOGETHER; r++)
        for (size_t k = 0; k < PARTS; k++)
            sum[r][k] = (part){0.0};
    for (size_t i = 0; i < whole; i += LOOP_LANES)
        for (size_t r = 0; r < TOGETHER; r++)
            for (size_t k = 0; k < PARTS; k++)
                sum[r][k] += load(in + i + k * PART) * load_float(m + r * columns + i + k * PART);
    for (size_t r = 0; r < TOGETHER; r++) {
        double p[LOOP_LANES];
        memcpy(p, sum[r], sizeof p);
        for (size_t i = whole; i < columns; i++)
            p[i - whole] += in[i] * (double)m[r * columns + i];
        out[r] = ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
    }
}

/* out = m in. The last rows may repeat some of those before. */
static void project(double *restrict out, size_t rows, const double *restrict in, size_t columns,
                    const float *restrict m)
{
    for (size_t r = rows < TOGETHER ? rows : 0; r < rows; r += TOGETHER) {
        const size_t at = r + TOGETHER > rows ? rows - TOGETHER : r;
        project_rows(out + at, columns, in, m + at * columns);
    }
    for (size_t r = 0; r < rows && rows < TOGETHER; r++) {
        out[r] = 0.0;
        for (size_t i = 0; i < columns; i++)
            out[r] += in[i] * (double)m[r * columns + i];
    }
}

/* b and then the stress of one parity in place of its part of s. Returns Σ b². */
static double stress_of(const struct plate_stretching *p, int parity, double *folded, double *b)
{
    const double area = p->spacing[0] * p->spacing[1];
    const size_t functions = p->functions[parity];
    double sum = 0.0;
    project(b, functions, folded, p->quarter, p->by_function[parity]);
    for (size_t q = 0; q < functions; q++) {
        b[q] *= area;
        sum += b[q] * b[q];
        b[q] *= p->stiffness * area;
    }
    multiply(folded, p->quarter, b, functions, p->by_function[parity]);
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

double NAME(plate_stretching)(const struct plate_stretching *p, const double *w, double *gradient, double *scratch)
{
    const size_t nodes = p->nx * p->ny;
    double *along = scratch + ALONG * nodes, *across = scratch + ACROSS * nodes, *twist = scratch + TWIST * nodes;
    double *s = scratch + CURVATURE * nodes, *folded = scratch + PLATE_FIELDS * nodes;
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
