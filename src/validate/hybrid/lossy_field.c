/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/lossy_field.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ITERATIONS = 30, TRIES = 5 };
static const double FALL = 25.0; /* attenuation of truncated terms in nepers */

/* A pair of walls at 0 and at `length`: f'' + q² f = 0 with f' = jkY0 f at 0, f' = -jkY1 f at
 * the other. */
struct axis {
    double length;
    double complex first, second; /* jkY0, jkY1 */
    size_t count;
    double complex *root; /* [count]: q */
};

/* The roots of g(q) = (a + b) cos qL + (ab - q²) sin(qL)/q, a = jkY0, b = jkY1; step g/g'. */
static double complex newton(const struct axis *axis, double share, double complex q)
{
    const double complex sum = share * (axis->first + axis->second), pair = share * share * axis->first * axis->second;
    const double complex sine = csin(q * axis->length), cosine = ccos(q * axis->length);
    const double complex value = sum * cosine + (pair - q * q) * sine / q;
    const double complex slope =
        -sum * axis->length * sine - 2.0 * sine + (pair - q * q) * (axis->length * cosine / q - sine / (q * q));
    return value / slope;
}

/* Follows a root from rigid walls, q = mπ/L, to the actual walls in `steps` steps. */
static double complex follow(const struct axis *axis, size_t m, int steps)
{
    double complex q = M_PI * (double)m / axis->length;
    if (!m)
        q = csqrt((axis->first + axis->second) / (axis->length * steps));
    for (int i = 1; i <= steps; i++)
        for (int n = 0; n < ITERATIONS; n++) {
            double complex step = newton(axis, (double)i / steps, q);
            if (cabs(step) > 0.7 / axis->length)
                step *= 0.7 / axis->length / cabs(step);
            q -= step;
            if (cabs(step) < 1e-13 * (cabs(q) + 1e-3))
                break;
        }
    return creal(q) < 0.0 ? -q : q;
}

static bool are_distinct(const struct axis *axis)
{
    for (size_t i = 0; i < axis->count; i++)
        for (size_t j = 0; j < i; j++)
            if (!(cabs(axis->root[i] - axis->root[j]) > 1e-6))
                return false;
    return true;
}

/* The caller frees axis->root, also after a failure. */
static int find_roots(struct axis *axis, struct error *e)
{
    int steps = (int)(6.0 + 1.5 * cabs((axis->first + axis->second) * axis->length));
    axis->root = calloc(axis->count, sizeof *axis->root);
    if (!axis->root)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < TRIES; i++, steps *= 3) {
        for (size_t m = 0; m < axis->count; m++)
            axis->root[m] = follow(axis, m, steps);
        if (are_distinct(axis))
            return 0;
    }
    return fail(e, ERROR_FAILED, "no mode was found along %g m", axis->length);
}

static double complex shape(const struct axis *axis, double complex q, double x)
{
    return ccos(q * x) + axis->first / q * csin(q * x);
}

/* Norm of the squared shape over the length. */
static double complex norm(const struct axis *axis, double complex q)
{
    const double complex b = axis->first / q, sine = csin(2.0 * q * axis->length),
                         cosine = ccos(2.0 * q * axis->length);
    return 0.5 * axis->length * (1.0 + b * b) + sine / (4.0 * q) * (1.0 - b * b) + b * (1.0 - cosine) / (2.0 * q);
}

/* Along z: -g'' - q² g = δ(z - source), with the plane-wave reflection factors of its walls. */
static double complex along_z(const struct lossy_field *field, double complex q, double z, double source)
{
    const double length = field->size[2], way = fabs(z - source);
    const double complex y0 = field->k * field->admittance[FACE_Z_MIN], y1 = field->k * field->admittance[FACE_Z_MAX];
    const double complex r0 = (q - y0) / (q + y0), r1 = (q - y1) / (q + y1);
    const double complex sum = cexp(-I * q * way) + r0 * cexp(-I * q * (z + source)) +
                               r1 * cexp(-I * q * (2.0 * length - z - source)) +
                               r0 * r1 * cexp(-I * q * (2.0 * length - way));
    return sum / (2.0 * I * q * (1.0 - r0 * r1 * cexp(-2.0 * I * q * length)));
}

/* Contribution of modes i and j of x and y at a receiver. */
static double complex pair_of(const struct lossy_field *field, const struct axis axes[2], size_t i, size_t j,
                              const double source[3], const double receiver[3])
{
    const double complex qx = axes[0].root[i], qy = axes[1].root[j];
    double complex q = csqrt(field->k * field->k - qx * qx - qy * qy);
    if (cimag(q) > 0.0)
        q = -q;
    if (-cimag(q) * fabs(receiver[2] - source[2]) > FALL)
        return 0.0;
    return shape(&axes[0], qx, source[0]) * shape(&axes[0], qx, receiver[0]) / norm(&axes[0], qx) *
           shape(&axes[1], qy, source[1]) * shape(&axes[1], qy, receiver[1]) / norm(&axes[1], qy) *
           along_z(field, q, receiver[2], source[2]);
}

int lossy_field_at(double complex *pressure, const struct lossy_field *field, const double source[3],
                   const double (*receivers)[3], size_t count, struct error *e)
{
    struct axis axes[2] = {{.root = NULL}, {.root = NULL}};
    double apart = INFINITY;
    int status = 0;
    for (size_t r = 0; r < count; r++)
        apart = fmin(apart, fabs(receivers[r][2] - source[2]));
    const double highest = sqrt(creal(field->k) * creal(field->k) + FALL * FALL / (apart * apart));
    for (int i = 0; i < 2 && !status; i++) {
        axes[i] = (struct axis){.length = field->size[i],
                                .first = I * field->k * field->admittance[2 * i],
                                .second = I * field->k * field->admittance[2 * i + 1],
                                .count = (size_t)(highest * field->size[i] / M_PI) + 2};
        status = find_roots(&axes[i], e);
    }
    for (size_t r = 0; r < count && !status; r++) {
        pressure[r] = 0.0;
        for (size_t i = 0; i < axes[0].count; i++)
            for (size_t j = 0; j < axes[1].count; j++)
                pressure[r] += pair_of(field, axes, i, j, source, receivers[r]);
    }
    free(axes[0].root);
    free(axes[1].root);
    return status;
}
