/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/exact_image.h"

#include <math.h>
#include <stdbool.h>

enum { NODES = 28, REFLECTIONS = 24, LINE_MAX_POINTS = 2 * NODES + 1 };

/* Nodes and weights for ∫_0^∞ e^{-x} f(x) dx: zeros of the Laguerre polynomial by Newton's
 * method, with the initial values of Stroud and Secrest 1966. */
static void laguerre_rule(double node[NODES], double weight[NODES])
{
    double x = 0.0;
    for (int i = 0; i < NODES; i++) {
        double below = 0.0, slope = 1.0;
        if (!i)
            x = 3.0 / (1.0 + 2.4 * NODES);
        else if (i == 1)
            x += 15.0 / (1.0 + 2.5 * NODES);
        else
            x += (1.0 + 2.55 * (i - 1)) / (1.9 * (i - 1)) * (x - node[i - 2]);
        for (int n = 0; n < 60; n++) {
            double here = 1.0;
            below = 0.0;
            for (int k = 1; k <= NODES; k++) {
                const double next = ((2 * k - 1 - x) * here - (k - 1) * below) / k;
                below = here;
                here = next;
            }
            slope = NODES * (here - below) / x;
            const double step = here / slope;
            x -= step;
            if (fabs(step) < 1e-14 * x)
                break;
        }
        node[i] = x;
        weight[i] = -1.0 / (slope * NODES * below);
    }
}

/* constant + Σ_i of[w][i]/(s + pole[w])^i for two walls w. */
struct fractions {
    double complex constant, pole[2], of[2][REFLECTIONS + 1];
};

/* Adds weight/((s + pole[w])^i (s + pole[v])) to f. With T_i = 1/((s + a)^i (s + b)): T_i = ((s + a)^-i - T_(i-1))/(b -
 * a). */
static void add_product(struct fractions *f, int w, int i, int v, double complex weight)
{
    if (w == v) {
        f->of[w][i + 1] += weight;
        return;
    }
    const double complex apart = f->pole[v] - f->pole[w];
    for (; i > 0; i--) {
        weight /= apart;
        f->of[w][i] += weight;
        weight = -weight;
    }
    f->of[v][1] += weight;
}

/* Multiplies by (s - pole)/(s + pole) = 1 - 2 pole/(s + pole) of wall v. */
static void reflect(struct fractions *f, int v)
{
    const struct fractions old = *f;
    const double complex weight = -2.0 * f->pole[v];
    f->of[v][1] += weight * old.constant;
    for (int w = 0; w < 2; w++)
        for (int i = 1; i < REFLECTIONS; i++)
            if (old.of[w][i] != 0.0)
                add_product(f, w, i, v, weight * old.of[w][i]);
}

/* Sources along an axis: shifts q of X - jq, and weights. */
struct line {
    int count;
    double complex shift[LINE_MAX_POINTS];
    double complex weight[LINE_MAX_POINTS];
};

static void line_of(struct line *line, const double complex pole[2], const uint32_t count[2], double scale)
{
    struct fractions f = {.constant = 1.0, .pole = {pole[0], pole[1]}};
    const bool same = cabs(pole[0] - pole[1]) < 1e-9 * cabs(pole[0]);
    /* Far away and near grazing, the phase of the sources varies as kq²/2r. With q turned by
     * 30°, their contribution decays, and 28 nodes give errors of 1e-8 in these rooms; on the
     * real axis the error is a hundredth of the incident pressure. */
    const double complex step = cexp(I * M_PI / 6.0) / scale;
    double node[NODES], weight[NODES];
    laguerre_rule(node, weight);
    for (int w = 0; w < 2; w++)
        for (uint32_t n = 0; n < count[w]; n++)
            reflect(&f, same ? 0 : w);
    *line = (struct line){.count = 1, .weight = {1.0}};
    for (int w = 0; w < 2; w++) {
        if (f.of[w][1] == 0.0)
            continue;
        for (int k = 0; k < NODES; k++) {
            const double complex q = node[k] * step;
            double complex sum = 0.0, power = 1.0; /* 1/(s + a)^i <-> q^(i-1)/(i-1)! e^{-aq} */
            for (int i = 1; i <= REFLECTIONS; i++) {
                sum += f.of[w][i] * power;
                power *= q / i;
            }
            line->shift[line->count] = q;
            line->weight[line->count++] = sum * cexp(-f.pole[w] * q) * exp(node[k]) * weight[k] * step;
        }
    }
}

double complex exact_image(const struct image_path *path, const double complex admittance[FACES], double complex k)
{
    struct line lines[3];
    double complex sum = 0.0;
    uint32_t count[FACES] = {0};
    for (uint32_t w = 0; w < path->wall_count; w++)
        count[path->walls[w].material] = path->walls[w].count;
    for (int axis = 0; axis < 3; axis++) {
        const double complex pole[2] = {k * admittance[2 * axis], k * admittance[2 * axis + 1]};
        double least = INFINITY;
        for (int w = 0; w < 2; w++)
            if (count[2 * axis + w])
                least = fmin(least, creal(pole[w]));
        const double scale = creal(k) * fabs(path->arrival[axis]) + (isfinite(least) ? least : creal(k));
        line_of(&lines[axis], pole, &count[2 * axis], scale);
    }
    for (int x = 0; x < lines[0].count; x++)
        for (int y = 0; y < lines[1].count; y++)
            for (int z = 0; z < lines[2].count; z++) {
                double complex square = 0.0;
                const int at[3] = {x, y, z};
                for (int axis = 0; axis < 3; axis++) {
                    const double complex place =
                        fabs(path->arrival[axis]) * path->distance - I * lines[axis].shift[at[axis]];
                    square += place * place;
                }
                const double complex r = csqrt(square);
                sum +=
                    lines[0].weight[x] * lines[1].weight[y] * lines[2].weight[z] * cexp(-I * k * r) / (4.0 * M_PI * r);
            }
    return sum;
}
