/* SPDX-License-Identifier: MIT */
#include "room/grid/circuit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/complex_numbers.h"

#define FASTEST 30.0 /* of 2 fs: largest S/E of a branch and H/G of a tank */

#define TURN 2.0 /* of 2 fs: a resonance above which this holds */

static const double at_bound = 1e-9; /* of a logarithm */

static double complex of_entry(const struct branch *b, double x)
{
    return complex_of(b->resistance, b->inertance * x - b->stiffness / x);
}

/* ---- The least resistance ---- */

/* Of a branch or a tank of this mass and stiffness; its derivatives by the mass, relative, and by the stiffness. */
struct least {
    double value, by_log_mass, by_stiffness;
};

static struct least least_resistance(const struct circuit_limits *limits, double mass, double stiffness)
{
    if (!(limits->twice_rate > 0.0) || !(stiffness > 0.0))
        return (struct least){0.0, 0.0, 0.0};
    const double turn = TURN * limits->twice_rate, place = turn * turn * mass / stiffness, square = place * place;
    const double unit = 1.0 / (FASTEST * limits->twice_rate), h = 1.0 / (1.0 + square);
    const double slope = 2.0 * square * h * h; /* dh/d ln S = -dh/d ln D */
    return (struct least){unit * stiffness * h, -unit * stiffness * slope, unit * (h + slope)};
}

/* The part of a tank in the stiffness of its branch, and its derivatives by ln C, ln G, ln H. */
static double tank_stiffness(const struct circuit_limits *limits, const struct branch *tank, double by[PER_ENTRY])
{
    const double w = limits->twice_rate, c = tank->inertance, g = tank->resistance / w, h = tank->stiffness / (w * w);
    const double q = c + g + h, share = c / (q * q);
    by[0] = share * (1.0 - 2.0 * c / q);
    by[1] = -2.0 * share * g / q;
    by[2] = -2.0 * share * h / q;
    return share;
}

static void add_least_resistances(const struct circuit_limits *limits, struct branch *entries, size_t count)
{
    if (!(limits->twice_rate > 0.0))
        return;
    for (size_t m = 0; m < count; m += 1 + entries[m].tanks) {
        double stiffness = entries[m].stiffness, by[PER_ENTRY];
        for (size_t t = m + 1; t <= m + entries[m].tanks; t++) {
            entries[t].resistance += least_resistance(limits, entries[t].inertance, entries[t].stiffness).value;
            stiffness += tank_stiffness(limits, &entries[t], by);
        }
        entries[m].resistance += least_resistance(limits, entries[m].inertance, stiffness).value;
    }
}

/* ---- Elements ---- */

static double element(double logarithm, bool final)
{
    return final && logarithm <= -CIRCUIT_LOG_MAX + at_bound ? 0.0 : exp(logarithm);
}

static void elements_of(const struct circuit *c, const struct circuit_limits *limits, bool final,
                        struct branch *entries)
{
    for (size_t m = 0; m < c->count; m++) {
        const double *x = c->x + PER_ENTRY * m;
        struct branch b = {element(x[0], final), element(x[1], final), element(x[2], final), c->tanks[m]};
        if (!(b.inertance + b.resistance + b.stiffness > 0.0))
            b.resistance = exp(x[1]);
        entries[m] = b;
    }
    add_least_resistances(limits, entries, c->count);
}

void circuit_elements(const struct circuit *c, const struct circuit_limits *limits, struct branch *entries)
{
    elements_of(c, limits, false, entries);
}

void circuit_final_elements(const struct circuit *c, const struct circuit_limits *limits, struct branch *entries)
{
    elements_of(c, limits, true, entries);
}

/* ---- Admittance ---- */

double complex circuit_admittance(const struct branch *entries, size_t count, double x, double complex *own)
{
    double complex sum = 0.0;
    for (size_t m = 0; m < count; m += 1 + entries[m].tanks) {
        double complex z = of_entry(&entries[m], x);
        for (size_t t = m + 1; t <= m + entries[m].tanks; t++) {
            z += complex_reciprocal(of_entry(&entries[t], x));
            if (own)
                own[t] = 0.0;
        }
        const double complex y = complex_reciprocal(z);
        if (own)
            own[m] = y;
        sum += y;
    }
    return sum;
}

/* Derivatives by the logarithms of inertance and stiffness, and by the resistance itself, of an entry at which the
 * derivative by its impedance is `by_impedance`. */
static void by_elements(const struct branch *b, double x, double complex by_impedance, double complex *by)
{
    by[0] = complex_product(by_impedance, complex_of(0.0, x * b->inertance));
    by[1] = by_impedance;
    by[2] = complex_product(by_impedance, complex_of(0.0, -b->stiffness / x));
}

/* The resistance of a tank depends on all three parameters. */
static void tank_by_parameters(const struct circuit_limits *limits, const struct branch *tank, double log_resistance,
                               double complex *by)
{
    const struct least least = least_resistance(limits, tank->inertance, tank->stiffness);
    by[0] += by[1] * least.by_log_mass;
    by[2] += by[1] * (least.by_stiffness * tank->stiffness);
    by[1] *= exp(log_resistance);
}

/* That of a branch, also on its tanks; the effect through their least resistance is left out. */
static void branch_by_parameters(const struct circuit_limits *limits, const struct branch *entries,
                                 double log_resistance, double complex *by)
{
    double stiffness = entries[0].stiffness, of_tanks[BRANCHES_MAX][PER_ENTRY] = {{0}};
    if (limits->twice_rate > 0.0)
        for (size_t t = 1; t <= entries[0].tanks; t++)
            stiffness += tank_stiffness(limits, &entries[t], of_tanks[t]);
    const struct least least = least_resistance(limits, entries[0].inertance, stiffness);
    const double complex by_resistance = by[1];
    by[0] += by_resistance * least.by_log_mass;
    by[2] += by_resistance * (least.by_stiffness * entries[0].stiffness);
    by[1] *= exp(log_resistance);
    for (size_t t = 1; t <= entries[0].tanks; t++)
        for (int k = 0; k < PER_ENTRY; k++)
            by[PER_ENTRY * t + (size_t)k] += by_resistance * (least.by_stiffness * of_tanks[t][k]);
}

double complex circuit_derivatives(const struct circuit *c, const struct circuit_limits *limits,
                                   const struct branch *entries, double x, double complex *by)
{
    double complex sum = 0.0;
    for (size_t m = 0; m < c->count; m += 1 + entries[m].tanks) {
        const size_t end = m + 1 + entries[m].tanks;
        double complex tank[BRANCHES_MAX], z = of_entry(&entries[m], x);
        for (size_t t = m + 1; t < end; t++)
            z += tank[t] = complex_reciprocal(of_entry(&entries[t], x));
        const double complex y = complex_reciprocal(z), by_impedance = -complex_product(y, y);
        sum += y;
        by_elements(&entries[m], x, by_impedance, by + PER_ENTRY * m);
        for (size_t t = m + 1; t < end; t++) {
            by_elements(&entries[t], x, -complex_product(by_impedance, complex_product(tank[t], tank[t])),
                        by + PER_ENTRY * t);
            tank_by_parameters(limits, &entries[t], c->x[PER_ENTRY * t + 1], by + PER_ENTRY * t);
        }
        branch_by_parameters(limits, entries + m, c->x[PER_ENTRY * m + 1], by + PER_ENTRY * m);
    }
    return sum;
}

/* ---- Entries ---- */

void circuit_insert(struct circuit *c, size_t branch, const double elements[PER_ENTRY])
{
    const size_t at = branch < c->count ? branch + 1 + c->tanks[branch] : c->count, after = c->count - at;
    double *x = c->x + PER_ENTRY * at;
    memmove(x + PER_ENTRY, x, after * PER_ENTRY * sizeof *x);
    memmove(c->tanks + at + 1, c->tanks + at, after * sizeof *c->tanks);
    c->tanks[at] = 0;
    if (branch < c->count)
        c->tanks[branch]++;
    for (int k = 0; k < PER_ENTRY; k++)
        x[k] = fmin(fmax(log(elements[k]), -CIRCUIT_LOG_MAX), CIRCUIT_LOG_MAX);
    c->count++;
}

static size_t branch_of(const struct circuit *c, size_t entry)
{
    size_t m = 0;
    while (m + c->tanks[m] < entry)
        m += 1 + c->tanks[m];
    return m;
}

void circuit_remove(struct circuit *c, size_t entry)
{
    const size_t branch = branch_of(c, entry), removed = entry == branch ? 1 + c->tanks[branch] : 1;
    const size_t after = c->count - entry - removed;
    if (entry != branch)
        c->tanks[branch]--;
    memmove(c->x + PER_ENTRY * entry, c->x + PER_ENTRY * (entry + removed), after * PER_ENTRY * sizeof *c->x);
    memmove(c->tanks + entry, c->tanks + entry + removed, after * sizeof *c->tanks);
    c->count -= removed;
}
