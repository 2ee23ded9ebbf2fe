/* SPDX-License-Identifier: MIT */
/* Directions of scattering at a face: Lambert's law, with some rays aimed where energy lasts
 * (ray_guiding.h). */
#ifndef AULA_RENDER_HYBRID_LATE_SCATTER_H
#define AULA_RENDER_HYBRID_LATE_SCATTER_H

#include <math.h>

#include "base/vector3.h"
#include "render/hybrid/ray_guiding.h"

/* Direction by Lambert's law around a normal. */
ON_DEVICE void late_lambert(double direction[3], const double normal[3], struct random *r)
{
    const double square = random_unit(r), angle = 2.0 * M_PI * random_unit(r), out = sqrt(1.0 - square);
    const int axis = fabs(normal[0]) < 0.6 ? 0 : 1;
    double across[3], up[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        across[k] = (k == axis ? 1.0 : 0.0) - normal[axis] * normal[k];
        length += across[k] * across[k];
    }
    for (int k = 0; k < 3; k++)
        across[k] /= sqrt(length);
    for (int k = 0; k < 3; k++)
        up[k] = normal[(k + 1) % 3] * across[(k + 2) % 3] - normal[(k + 2) % 3] * across[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        direction[k] = sqrt(square) * normal[k] + out * (cos(angle) * across[k] + sin(angle) * up[k]);
}

/* Specular reflection at this normal. */
ON_DEVICE void late_mirror(double direction[3], const double normal[3])
{
    const double along = 2.0 * dot3(direction, normal);
    for (int k = 0; k < 3; k++)
        direction[k] -= along * normal[k];
}

/* An aimed direction; those behind the face are mirrored at it. */
ON_DEVICE void late_aimed(double direction[3], const double normal[3], const struct ray_guiding *aims,
                          const double turn[3][3], struct random *r)
{
    double drawn[3];
    ray_guide_draw(drawn, aims, r);
    for (int k = 0; k < 3; k++)
        direction[k] = dot3(turn[k], drawn);
    if (dot3(direction, normal) < 0.0)
        late_mirror(direction, normal);
}

ON_DEVICE double late_density(const double direction[3], const struct ray_guiding *aims, const double turn[3][3])
{
    double before[3];
    for (int k = 0; k < 3; k++)
        before[k] = turn[0][k] * direction[0] + turn[1][k] * direction[1] + turn[2][k] * direction[2];
    return ray_guide_density(aims, before);
}

/* normal: of the face, towards the ray. aims, NULL: none; `turn` rotates its directions. Returns
 * the weight of the ray's energy, theory (87): Lambert's law over the density of the rays; 1
 * without aims, at most 1/(1 - aims->aimed). */
ON_DEVICE double late_scatter(double direction[3], const double normal[3], const struct ray_guiding *aims,
                              const double turn[3][3], struct random *r)
{
    if (!aims || !(aims->aimed > 0.0)) {
        late_lambert(direction, normal, r);
        return 1.0;
    }
    if (random_unit(r) < aims->aimed)
        late_aimed(direction, normal, aims, turn, r);
    else
        late_lambert(direction, normal, r);
    double behind[3] = {direction[0], direction[1], direction[2]};
    late_mirror(behind, normal);
    const double wanted = 4.0 * fmax(dot3(direction, normal), 0.0); /* cos θ/π over 1/(4π) */
    const double of_aimed = late_density(direction, aims, turn) + late_density(behind, aims, turn);
    return wanted > 0.0 ? wanted / (aims->aimed * of_aimed + (1.0 - aims->aimed) * wanted) : 0.0;
}

#endif
