/* SPDX-License-Identifier: MIT */
/* Free edges. Curvatures are computed where all their nodes move. The energy of the remaining zone
 * along the edge, and the mass outside the outermost nodes, are assigned to the nearest such
 * position or node. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/plate_energy.h"

/* The terms of the energy: w_xx², w_yy², (w_xx + w_yy)² and w_xy². */
enum term { TERM_ALONG, TERM_ACROSS, TERM_BOTH, TERM_TWIST, TERMS };

/* Positions at which a term is defined, and the area of the plate around each of them, without and
 * with the zone of the edge. */
struct places {
    uint8_t *known[TERMS];
    double *own[TERMS], *whole[TERMS];
};

static struct difference twist(const struct plate_nodes *p, size_t at)
{
    const size_t nx = p->matrix->nx;
    const double w = 1.0 / (p->grid->spacing[0] * p->grid->spacing[1]);
    return (struct difference){4, {at, at + 1, at + nx, at + nx + 1}, {w, -w, -w, w}};
}

static struct difference difference_of(const struct plate_nodes *p, size_t at, enum term term)
{
    const struct difference along = plate_curvature(p, at, 0), across = plate_curvature(p, at, 1);
    if (term == TERM_TWIST)
        return twist(p, at);
    return term == TERM_ALONG ? along : term == TERM_ACROSS ? across : difference_sum(&along, &across, 1.0);
}

static bool all_move(const struct stiffness *s, const struct difference *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (!s->active[d->at[i]])
            return false;
    return true;
}

/* Moves the area of undefined positions to the nearest defined ones, in equal parts to equally near
 * ones. */
static void assign_to_nearest(const struct stiffness *s, double *share, const uint8_t *known)
{
    enum { FAR = 4 };
    const ptrdiff_t nx = (ptrdiff_t)s->nx, ny = (ptrdiff_t)s->ny;
    for (ptrdiff_t at = 0; at < nx * ny; at++) {
        if (known[at] || !(share[at] > 0.0))
            continue;
        ptrdiff_t nearest = PTRDIFF_MAX, count = 0;
        for (int give = 0; give < 2; give++)
            for (ptrdiff_t dy = -FAR; dy <= FAR; dy++)
                for (ptrdiff_t dx = -FAR; dx <= FAR; dx++) {
                    const ptrdiff_t x = at % nx + dx, y = at / nx + dy, away = dx * dx + dy * dy;
                    if (x < 0 || y < 0 || x >= nx || y >= ny || !known[y * nx + x] || away > nearest)
                        continue;
                    if (give) {
                        share[y * nx + x] += share[at] / (double)count;
                        continue;
                    }
                    count = away < nearest ? 1 : count + 1;
                    nearest = away;
                }
        share[at] = 0.0;
    }
}

static void find_places(const struct places *q, const struct plate_nodes *p)
{
    const struct stiffness *s = p->matrix;
    for (size_t y = 1; y + 1 < s->ny; y++)
        for (size_t x = 1; x + 1 < s->nx; x++)
            for (enum term term = 0; term < TERMS; term++) {
                const size_t at = y * s->nx + x;
                const double shift = term == TERM_TWIST ? 0.5 : 0.0; /* the twist lies between four nodes */
                const struct difference d = difference_of(p, at, term);
                q->known[term][at] = all_move(s, &d);
                q->whole[term][at] =
                    plate_share(p->plan, p->grid, p->grid->first[0] + ((double)x + shift) * p->grid->spacing[0],
                                p->grid->first[1] + ((double)y + shift) * p->grid->spacing[1]);
                q->own[term][at] = q->known[term][at] ? q->whole[term][at] : 0.0;
            }
    for (enum term term = 0; term < TERMS; term++)
        assign_to_nearest(s, q->whole[term], q->known[term]);
}

/* Slopes of a curvature that is defined at both ends of a link. */
static void add_dispersion(struct plate_nodes *p, const struct places *q, size_t at)
{
    const double kappa_squared = p->plan->bending / p->plan->density;
    for (int axis = 0; axis < 2; axis++)
        for (int link = 0; link < 2; link++) {
            const size_t to = at + (link ? p->matrix->nx : 1);
            const uint8_t *known = q->known[axis ? TERM_ACROSS : TERM_ALONG];
            if (!known[at] || !known[to])
                continue;
            const struct difference here = plate_curvature(p, at, axis), there = plate_curvature(p, to, axis);
            const struct difference slope = difference_sum(&there, &here, -1.0);
            const double h = p->grid->spacing[axis], across = p->grid->spacing[link];
            stiffness_add(p->part[PART_DISPERSION], p->matrix, &slope, kappa_squared * h * h / (6.0 * across * across));
        }
}

static void add_terms(struct plate_nodes *p, const struct places *q)
{
    const struct stiffness *s = p->matrix;
    const double kappa_squared = p->plan->bending / p->plan->density, nu = p->plan->poisson;
    const double factor[TERMS] = {1.0 - nu, 1.0 - nu, nu, 2.0 * (1.0 - nu)};
    for (size_t at = 0; at < s->nx * s->ny; at++) {
        for (enum term term = 0; term < TERMS; term++) {
            if (!q->known[term][at])
                continue;
            const struct difference d = difference_of(p, at, term);
            const double own = q->own[term][at], whole = q->whole[term][at];
            stiffness_add(p->part[PART_BENDING], s, &d, kappa_squared * factor[term] * whole);
            if (whole > own)
                stiffness_add(p->part[PART_EDGE], s, &d, kappa_squared * factor[term] * (whole - own));
        }
        add_dispersion(p, q, at);
    }
}

int plate_assemble_free(struct plate_nodes *p, double *mass, struct error *e)
{
    const struct stiffness *s = p->matrix;
    const size_t nodes = s->nx * s->ny;
    double *shares = calloc(2 * TERMS * nodes, sizeof *shares);
    uint8_t *known = calloc(TERMS * nodes, sizeof *known);
    struct places q;
    if (!shares || !known) {
        free(shares);
        free(known);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (enum term term = 0; term < TERMS; term++) {
        q.known[term] = known + term * nodes;
        q.own[term] = shares + term * nodes;
        q.whole[term] = shares + (TERMS + term) * nodes;
    }
    for (size_t at = 0; at < nodes; at++)
        mass[at] = plate_share(p->plan, p->grid, p->grid->first[0] + (double)(at % s->nx) * p->grid->spacing[0],
                               p->grid->first[1] + (double)(at / s->nx) * p->grid->spacing[1]);
    assign_to_nearest(s, mass, s->active);
    find_places(&q, p);
    add_terms(p, &q);
    free(shares);
    free(known);
    return 0;
}
