/* Two sediments in a basin: Su et al. 2013, "Performance of Sediment Transport Simulations on NVIDIA's Kepler
 * Architecture", equations (1)-(4).
 *
 * Every kernel keeps this order of arithmetic, so that all of them give the same bits. With sand = alpha s,
 * mud = beta (1 - s) and mobility = sand/C_s + mud/C_m at the points, f below, and ' for the upper neighbour:
 *
 *   flux of h  = (mobility + mobility') (h' - h)                          at each half point
 *   h+         = h + (f.h[0] (difference of fluxes along x) + f.h[1] (difference along y))
 *   supply     = f.s[0] (along x) + f.s[1] (along y), of
 *                  conservative: the differences of (sand + sand') (h' - h)
 *                  published: the upwind difference of sand times (h+ on the upper side - h+ on the lower side)
 *   s+         = (A s + supply) / (A + (h+ - h))
 *
 * Beyond the sides lies one layer of ghost points. The ghost's alpha and beta are those of the boundary point, its h is
 * higher by `rise`, its s is twice a/(a + b) less the boundary's: the means at the half point then are alpha a/(a + b)
 * and beta b/(a + b), the difference of h is a + b, and the fluxes of (3) come out as prescribed. Ghosts at the corners
 * are never used. */
#ifndef AULA_SCHEME_SEDIMENT_H
#define AULA_SCHEME_SEDIMENT_H

#include "solver/scheme.h"

extern const struct scheme sediment_scheme;

/* Two sediments in a basin (Su et al. 2013): height h and sand fraction s, equations (1) and (2) there. The arrays are
 * h, s, alpha and beta, each [ny][nx]. A step is forward Euler: h by (3), then s by (4) or by its conservative form. */
enum sediment_part { SEDIMENT_H = 1, SEDIMENT_S = 2, SEDIMENT_BOTH = 3 };
struct sediment_problem {
    bool conservative;       /* s by (3)'s own sand fluxes, so that sand is conserved; else (4) as printed */
    enum sediment_part part; /* what a step computes; one alone is for measuring */
    double spacing[2];       /* along x and y */
    double time_step;
    double layer;         /* A: thickness of the transported layer */
    double compaction[2]; /* C_s, C_m */
    /* Inflow of sand and of mud through each side (x_min x_max y_min y_max), volume over length and time; each points to
     * the ny or nx values along that side, NULL: none. Both of the same sign at a point. */
    const double *inflow[2][4];
    double mobility_max; /* largest of alpha/C_s and beta/C_m anywhere: the stable step follows from it */
};

static inline const struct sediment_problem *sediment_of(const struct problem *p)
{
    return (const struct sediment_problem *)p->parameters;
}

/* Floating-point operations a point as the paper counts them. */
enum { SEDIMENT_FLOPS_H = 55, SEDIMENT_FLOPS_S = 34 };

/* The largest stable step of (3): 1 / (2 m (1/dx^2 + 1/dy^2)), m the largest mobility. */
double sediment_step_limit(const struct sediment_problem *s);

/* What the kernels multiply by instead of dividing. */
struct sediment_factors {
    double sand, mud; /* 1/C_s, 1/C_m */
    double h[2];      /* by axis: dt / (2 spacing^2) */
    double s[2];      /* the same over C_s */
    double layer;     /* A */
};
struct sediment_factors sediment_factors_of(const struct sediment_problem *s);

/* How the ghost beside a boundary point follows from it: h + rise, and twice + sign s. */
struct sediment_edge {
    double rise;  /* a + b, with a = q_sand C_s d / alpha, b = q_mud C_m d / beta, d the spacing across the side */
    double twice; /* 2 a/(a + b), or 0 where nothing flows */
    double sign;  /* -1, or 1 where nothing flows */
};

/* Of point i of a side (x_min x_max y_min y_max), alpha and beta there. What a coefficient of 0 cannot carry does not
 * flow: whoever sets the problem up has to refuse it. */
struct sediment_edge sediment_edge_at(const struct sediment_problem *s, int side, size_t i, double alpha, double beta);

#endif
