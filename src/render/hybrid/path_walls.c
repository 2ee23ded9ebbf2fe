/* SPDX-License-Identifier: MIT */
#include "render/hybrid/path_walls.h"

#include "base/complex_numbers.h"
#include "render/hybrid/wall_factor.h"

/* t · t' */
static double turn_of(const struct path_wall *a, const struct path_wall *b)
{
    return a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2] -
           a->cosine * b->cosine;
}

double complex path_walls_factor(const struct image_path *path, const double complex *admittance, double complex kr)
{
    const double complex root = csqrt(-0.5 * I * kr);
    double complex steepness[PATH_WALLS_MAX], whole = 1.0, pairs = 0.0; /* (dQ/d cos θ)/Q */
    for (uint32_t w = 0; w < path->wall_count; w++) {
        const struct path_wall *wall = &path->walls[w];
        double complex slope, factor = wall_factor_slope(&slope, admittance[w], wall->cosine, root);
        if (!(creal(factor) * creal(factor) + cimag(factor) * cimag(factor) > 1e-24))
            factor = 1e-12;
        steepness[w] = slope / factor;
        for (uint32_t n = 0; n < wall->count; n++)
            whole = complex_product(whole, factor);
        const double own = 0.5 * wall->count * (wall->count - 1.0);
        pairs += own * turn_of(wall, wall) * complex_product(steepness[w], steepness[w]);
        for (uint32_t v = 0; v < w; v++)
            pairs += (double)wall->count * path->walls[v].count * turn_of(wall, &path->walls[v]) *
                     complex_product(steepness[w], steepness[v]);
    }
    return pairs == 0.0 ? whole : complex_product(whole, 1.0 + I * pairs / kr);
}
