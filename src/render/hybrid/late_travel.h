/* SPDX-License-Identifier: MIT */
/* One ray on its way. */
#ifndef AULA_RENDER_HYBRID_LATE_TRAVEL_H
#define AULA_RENDER_HYBRID_LATE_TRAVEL_H

#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_reference.h"
#include "render/hybrid/late_scatter.h"
#include "render/hybrid/late_spheres.h"
#include "render/hybrid/late_tally.h"
#include "render/hybrid/ray_guiding.h"

/* What rays of a group have in common. */
struct tracer {
    const struct late_room *room;
    const struct late_settings *settings;
    const struct late_point *source;
    const struct late_point *receivers;
    const struct late_sphere *spheres; /* [receivers] */
    size_t receiver_count;
    struct late_group group;
    const double *chances; /* [walls] of scattering */
    double turn[3][3];     /* of the directions in which rays leave the source */
    double farthest;       /* m: ways that end within the duration */
    double rain_chance;    /* of a shadow ray at a hit */
    double wavelength;     /* m: by which edges turn rays; 0: they do not */
    size_t rays;
    double share;  /* of the energy of a ray, where fewer are traced than the tally counts on: more than 1 */
    uint64_t seed; /* of this group */
    const struct late_reference *reference; /* NULL: rays are neither ended nor divided by their energy */
    const struct ray_guiding *aims;         /* NULL: rays leave and are scattered evenly */
    bool guiding;                           /* guide rays: reflected as by mirrors alone, with what is not scattered */
};

#define LATE_LEAVES 5.0

/* What pilots and guide rays count. */
struct late_seen {
    struct late_reference energies;
    struct ray_guide_shares shares; /* guide rays alone */
    double hits,
        work; /* of rays with faces; in ways between faces and edges, LATE_LEAVES looks into trees of edges being one more */
};

/* Follows ray `index` of t->rays, and all that it is divided into, to their ends. Energies go to the tally; with `seen`
 * not NULL they are counted there alone. Numbers of a ray depend on the seed and its index alone. */
void late_travel(struct late_tally *tally, struct late_seen *seen, const struct tracer *t, size_t index);

#endif
