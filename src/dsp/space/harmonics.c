/* SPDX-License-Identifier: MIT */
#include "dsp/space/harmonics.h"

#include <math.h>
#include <string.h>

#include "dsp/space/direction_tree.h"

int harmonics_order_of(size_t channel)
{
    int order = 0;
    while (harmonics_count(order) <= channel)
        order++;
    return order;
}

/* Q_n^m = P_n^m / (1 - z²)^(m/2) by the recursion over n at each m, times (x + iy)^m: no angle, and no pole. */
void harmonics_at(double *values, int order, const double direction[3])
{
    const double x = direction[0], y = direction[1], z = direction[2];
    double diagonal = 1.0, real = 1.0, imaginary = 0.0; /* Q_m^m = (2m - 1)!!, (x + iy)^m */
    for (int m = 0; m <= order; m++) {
        double below = 0.0, here = diagonal, scale = m ? 2.0 : 1.0;
        for (int i = 1; i <= 2 * m; i++)
            scale /= i; /* (n - m)! / (n + m)! at n = m */
        for (int n = m; n <= order; n++) {
            const double value = sqrt(scale) * here;
            values[n * n + n + m] = value * real;
            values[n * n + n - m] = m ? value * imaginary : value;
            const double next = ((2 * n + 1) * z * here - (n + m) * below) / (n - m + 1);
            below = here;
            here = next;
            scale *= (double)(n + 1 - m) / (n + 1 + m);
        }
        diagonal *= 2 * m + 1;
        const double turned = real * x - imaginary * y;
        imaginary = real * y + imaginary * x;
        real = turned;
    }
}

/* cos and sin of an angle in degrees, exact for multiples of 90. */
static void cosine_and_sine(double degrees, double *cosine, double *sine)
{
    static const double exact[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    const double turn = fmod(degrees, 360.0), quarter = turn / 90.0;
    if (quarter == floor(quarter)) {
        const int index = ((int)quarter + 4) % 4;
        *cosine = exact[index][0];
        *sine = exact[index][1];
    } else {
        *cosine = cos(turn * M_PI / 180.0);
        *sine = sin(turn * M_PI / 180.0);
    }
}

struct turn turn_of(double yaw, double pitch, double roll)
{
    double cy, sy, cp, sp, cr, sr;
    cosine_and_sine(yaw, &cy, &sy);
    cosine_and_sine(pitch, &cp, &sp);
    cosine_and_sine(roll, &cr, &sr);
    return (struct turn){{
        {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
        {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
        {-sp, cp * sr, cp * cr},
    }};
}

struct turn turn_back(const struct turn *turn)
{
    struct turn back;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            back.row[i][k] = turn->row[k][i];
    return back;
}

void turn_apply(double out[3], const struct turn *turn, const double in[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = turn->row[i][0] * in[0] + turn->row[i][1] * in[1] + turn->row[i][2] * in[2];
}

/* Gauss-Legendre nodes by Newton's method from the usual estimate; weights sum to 1. */
static void legendre_rule(double node[SPHERE_RINGS], double weight[SPHERE_RINGS])
{
    for (int i = 0; i < SPHERE_RINGS; i++) {
        double z = cos(M_PI * (i + 0.75) / (SPHERE_RINGS + 0.5)), slope = 1.0;
        for (int iteration = 0; iteration < 8; iteration++) {
            double below = 0.0, here = 1.0;
            for (int n = 0; n < SPHERE_RINGS; n++) {
                const double next = ((2 * n + 1) * z * here - n * below) / (n + 1);
                below = here;
                here = next;
            }
            slope = SPHERE_RINGS * (z * here - below) / (z * z - 1.0);
            z -= here / slope;
        }
        node[i] = z;
        weight[i] = 1.0 / ((1.0 - z * z) * slope * slope);
    }
}

void sphere_rule_make(struct sphere_rule *rule)
{
    double node[SPHERE_RINGS], weight[SPHERE_RINGS];
    legendre_rule(node, weight);
    for (int i = 0; i < SPHERE_DIRECTIONS; i++) {
        const int ring = i / SPHERE_STEPS;
        const double azimuth = 2.0 * M_PI * (i % SPHERE_STEPS) / SPHERE_STEPS,
                     across = sqrt(1.0 - node[ring] * node[ring]);
        rule->direction[i][0] = across * cos(azimuth);
        rule->direction[i][1] = across * sin(azimuth);
        rule->direction[i][2] = node[ring];
        rule->weight[i] = weight[ring] / SPHERE_STEPS;
    }
}

/* D = (2n + 1) ∫ Y_n(R d) Y_n(d)ᵀ dΩ / 4π, as the harmonics of an order are orthogonal. */
void field_turn_make(struct field_turn *field, int order, const struct turn *turn)
{
    struct sphere_rule rule;
    memset(field, 0, sizeof *field);
    field->order = order;
    sphere_rule_make(&rule);
    for (int i = 0; i < SPHERE_DIRECTIONS; i++) {
        double before[HARMONICS_MAX], after[HARMONICS_MAX], turned[3];
        turn_apply(turned, turn, rule.direction[i]);
        harmonics_at(before, order, rule.direction[i]);
        harmonics_at(after, order, turned);
        for (int n = 0; n <= order; n++)
            for (int row = 0; row <= 2 * n; row++)
                for (int column = 0; column <= 2 * n; column++)
                    field->block[n][row][column] +=
                        (2 * n + 1) * rule.weight[i] * after[n * n + row] * before[n * n + column];
    }
}

void field_turn_apply(double *out, const struct field_turn *field, const double *in)
{
    for (int n = 0; n <= field->order; n++)
        for (int row = 0; row <= 2 * n; row++) {
            double sum = 0.0;
            for (int column = 0; column <= 2 * n; column++)
                sum += field->block[n][row][column] * in[n * n + column];
            out[n * n + row] = sum;
        }
}

void half_sphere(double d[3], int index, int count)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0)), i = index + 0.5;
    const double z = 1.0 - i / count, angle = 2.0 * M_PI * golden * i, across = sqrt(1.0 - z * z);
    d[0] = across * cos(angle);
    d[1] = across * sin(angle);
    d[2] = z;
}

int sphere_areas(double *areas, const double (*directions)[3], size_t count, struct error *e)
{
    const size_t least = 20000, points = 20 * count > least ? 20 * count : least;
    const double turn = M_PI * (3.0 - sqrt(5.0));
    struct direction_tree tree;
    if (direction_tree_make(&tree, directions, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        areas[i] = 0.0;
    for (size_t p = 0; p < points; p++) {
        const double z = 1.0 - (2.0 * (double)p + 1.0) / (double)points, r = sqrt(1.0 - z * z);
        const double point[3] = {r * cos(turn * (double)p), r * sin(turn * (double)p), z};
        areas[direction_tree_nearest(&tree, point, NULL, NULL)] += 1.0 / (double)points;
    }
    direction_tree_free(&tree);
    return 0;
}
