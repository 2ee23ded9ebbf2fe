/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "solver/cpu/reference.h"

/* Lists the factors of every branch at a point, part by part; returns their number. */
static int list_factors(struct branch_factors *factors, const struct problem *p, const struct wall_key *key)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    int used = 0;
    for (int i = 0; i < key->count; i++) {
        const int count = l->branch_count[key->code[i]];
        branch_factors_make(factors + used, l->branches[key->code[i]], (size_t)count, sqrt(l->courant_squared),
                            wall_key_area(key, i), (double)key->mass / MASS_UNITS, p->precision);
        used += count;
    }
    return used;
}

/* The part of v⁺ + v that the tanks of a branch hold back; both at their first. */
static REAL held_back(const struct branch_factors *tanks, uint32_t count, const REAL *states)
{
    REAL sum = 0;
    for (uint32_t t = 0; t < count; t++)
        sum += (REAL)tanks[t].four_bd * states[2 * t] - (REAL)tanks[t].twice_bf * states[2 * t + 1];
    return sum;
}

double NAME(reference_branch_update)(const struct field *f, const struct wall_key *key, REAL *u, REAL before,
                                     REAL *states)
{
    struct branch_factors factors[WALL_PARTS_MAX * BRANCHES_MAX];
    struct branch_kind kind;
    const int count = list_factors(factors, f->problem, key);
    REAL push = 0;
    branches_weigh(&kind, leapfrog_of(f->problem), key, f->problem->precision);
    for (int m = 0; m < count; m++)
        push += (REAL)factors[m].push_v * states[2 * m] - (REAL)factors[m].push_g * states[2 * m + 1];
    const REAL rigid = *u - push;
    const REAL part = (REAL)kind.weight * (kind.heavy ? rigid - before : before - rigid);
    *u = (kind.heavy ? before : rigid) + part;
    const REAL change = kind.heavy ? part : *u - before;
    double lost = kind.half_a * (double)change * (double)change;
    REAL drive = change;
    for (int m = 0, tanks = 0; m < count; m++) {
        REAL *v = &states[2 * m], *g = v + 1;
        REAL sum = ((REAL)factors[m].b * drive + (REAL)factors[m].four_bd * *v) - (REAL)factors[m].twice_bf * *g;
        if (factors[m].tanks) {
            tanks = (int)factors[m].tanks;
            sum -= (REAL)factors[m].b * held_back(&factors[m + 1], factors[m].tanks, &states[2 * m + 2]);
            drive = sum;
        } else if (tanks && !--tanks) {
            drive = change;
        }
        *g += (REAL)0.5 * sum;
        *v = sum - *v;
        lost += 0.25 * factors[m].lost * (double)sum * (double)sum;
    }
    return lost;
}

double NAME(reference_stored)(const struct field *f, const struct wall_key *key, const REAL *states)
{
    struct branch_factors factors[WALL_PARTS_MAX * BRANCHES_MAX];
    const int count = list_factors(factors, f->problem, key);
    double energy = 0.0;
    for (int m = 0; m < count; m++)
        energy += factors[m].stored_v * (double)states[2 * m] * (double)states[2 * m] +
                  factors[m].stored_g * (double)states[2 * m + 1] * (double)states[2 * m + 1];
    return energy;
}
