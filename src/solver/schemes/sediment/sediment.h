/* SPDX-License-Identifier: MIT */
/* Two sediments in a basin: Su et al. 2013, "Performance of Sediment Transport Simulations on NVIDIA's Kepler
 * Architecture", equations (1)-(4); theory (111) to (114).
 *
 * Every kernel uses this order of arithmetic, so that all of them give the same bits. With sand =
 * alpha s, mud = beta (1 - s) and mobility = sand/C_s + mud/C_m at the points, f below, and ' for
 * the upper neighbour:
 *
 *   flux of h  = (mobility + mobility') (h' - h)                          at each half point
 *   h+         = h + (f.h[0] (difference of fluxes along x) + f.h[1] (difference along y))
 *   supply     = f.s[0] (along x) + f.s[1] (along y), of
 *                  conservative: the differences of (sand + sand') (h' - h)
 *                  published: the upwind difference of sand times (h+ on the upper side - h+ on the lower side)
 *   s+         = (A s + supply) / (A + (h+ - h))
 *
 * Beyond the sides lies one layer of ghost points. The ghost's alpha and beta are those of the
 * boundary point, its h is higher by `rise`, its s is 2 a/(a + b) minus the boundary's. Then the
 * means at the half point are alpha a/(a + b) and beta b/(a + b), the difference of h is a + b, and
 * the fluxes of (3) equal the prescribed ones. Ghosts at the corners are never used. */
#ifndef AULA_SOLVER_SCHEMES_SEDIMENT_SEDIMENT_H
#define AULA_SOLVER_SCHEMES_SEDIMENT_SEDIMENT_H

#include "solver/scheme.h"

extern const struct scheme sediment_scheme;

/* Two sediments in a basin (Su et al. 2013): height h and sand fraction s, equations (1) and (2) there. The arrays are
 * h, s, alpha and beta, each [ny][nx]. A step is forward Euler: h by (3), then s by (4) or by its conservative form. */
enum sediment_part { SEDIMENT_H = 1, SEDIMENT_S = 2, SEDIMENT_BOTH = 3 };
struct sediment_problem {
    bool conservative;       /* s by the sand fluxes of (3), which conserves sand; else (4) as published */
    enum sediment_part part; /* computed by a step; single parts are for measurements */
    double spacing[2];       /* along x and y */
    double time_step;
    double layer;         /* A: thickness of the transported layer */
    double compaction[2]; /* C_s, C_m */
    /* Inflow of sand and of mud through each side (x_min x_max y_min y_max), volume over length and time; [ny] or [nx]
     * values along the side, NULL: none. Both have the same sign at a point. */
    const double *inflow[2][4];
    double mobility_max; /* largest of alpha/C_s and beta/C_m anywhere: determines the stability limit */
};

static inline const struct sediment_problem *sediment_of(const struct problem *p)
{
    return (const struct sediment_problem *)p->parameters;
}

/* Floating-point operations per point, counted as in the paper. */
enum { SEDIMENT_FLOPS_H = 55, SEDIMENT_FLOPS_S = 34 };

/* Stability limit of the time step of (3), theory (115): 1 / (2 m (1/dx^2 + 1/dy^2)), m the largest mobility. */
double sediment_step_limit(const struct sediment_problem *s);

/* Factors that replace divisions in the kernels. */
struct sediment_factors {
    double sand, mud; /* 1/C_s, 1/C_m */
    double h[2];      /* by axis: dt / (2 spacing^2) */
    double s[2];      /* dt / (2 spacing^2 C_s) */
    double layer;     /* A */
};
struct sediment_factors sediment_factors_of(const struct sediment_problem *s);

/* Ghost values next to a boundary point: h + rise, and twice + sign s. */
struct sediment_edge {
    double rise;  /* a + b, with a = q_sand C_s d / alpha, b = q_mud C_m d / beta, d the spacing across the side */
    double twice; /* 2 a/(a + b), or 0 without flux */
    double sign;  /* -1, or 1 without flux */
};

/* Ghost values for point i of a side (x_min x_max y_min y_max), with alpha and beta at that
 * point. A flux whose coefficient is 0 is ignored; the code that sets up the problem must refuse
 * it. */
struct sediment_edge sediment_edge_at(const struct sediment_problem *s, int side, size_t i, double alpha, double beta);

#endif
