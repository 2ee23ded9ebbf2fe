/* SPDX-License-Identifier: MIT */
/* The path of a single ray. */
#ifndef AULA_RENDER_HYBRID_LATE_TRAVEL_H
#define AULA_RENDER_HYBRID_LATE_TRAVEL_H

#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_reference.h"
#include "render/hybrid/late_scatter.h"
#include "render/hybrid/late_spheres.h"
#include "render/hybrid/late_tally.h"
#include "render/hybrid/ray_guiding.h"

/* Shared by the rays of a group. */
struct tracer {
    const struct late_room *room;
    const struct late_settings *settings;
    const struct late_point *source;
    const struct late_point *receivers;
    const struct late_sphere *spheres; /* [receivers] */
    size_t receiver_count;
    struct late_group group;
    const double *chances; /* [walls] chances of scattering */
    double turn[3][3];     /* rotation of the directions in which rays leave the source */
    double farthest;       /* m: path length at the end of the duration */
    double rain_chance;    /* chance of a shadow ray at a hit */
    double wavelength;     /* m: for deflection by edges; 0: none */
    size_t rays;
    double share;  /* factor above 1 on a ray's energy if fewer rays are traced than the tally assumes */
    uint64_t seed; /* of this group */
    const struct late_reference *reference; /* NULL: no roulette and no splitting */
    const struct ray_guiding *aims;         /* NULL: rays leave and scatter evenly */
    bool looking_ahead;                     /* pilots and guide rays: what they carry is seen, not heard */
    bool guiding; /* guide rays: specular reflections only, with the energy that is not scattered */
    size_t bins;  /* of the tally */
    double bin;   /* s */
};

#define LATE_LEAVES 5.0

/* Results of pilots and guide rays. */
struct late_seen {
    struct late_reference energies;
    struct ray_guide_shares shares; /* of guide rays only */
    double hits, work; /* hits on faces; flights, LATE_LEAVES visited leaves of edge trees counting as one more */
};

enum { LATE_WAITING_MAX = 32, LATE_BORN_MAX = 256 }; /* splits of a ray: waiting at a time, in total */

struct traveller {
    struct ray ray;
    double way;                              /* m from the source */
    int reflections;                         /* specular, since the source */
    bool by_images;                          /* image sources may find this path */
    uint32_t passages;                       /* through partitions */
    uint32_t passed[LATE_EDGE_TURNS], turns; /* edges that deflected it since the last face */
    bool last_diffuse;                       /* rain has counted its next segment, if there is rain */
    size_t cell;                             /* of a guide ray: cell of its initial direction */
    float kind;  /* weight with which rays of its kind leave and scatter; small weights mean many rays */
    float whole; /* energy without absorption: 1 per ray on average */
    struct random random;
    float energy[LATE_BANDS_MAX]; /* by band of the group; `kind` at the source */
};

/* How a ray leaves the source. */
struct late_start {
    double direction[3];
    float kind, energy; /* weight among rays of its kind; the same with the directivity of the source */
    uint32_t cell;      /* of a guide ray: cell of its direction before t->turn */
};

/* Even rays leave on a randomly rotated Fibonacci spiral. */
struct late_start late_start_of(const struct tracer *t, size_t index);

/* Follows ray `index` of t->rays and its splits to their ends. Energies go to the tally or, if rays
 * look ahead, to `seen`. The random numbers of a ray depend only on the seed and its index. */
void late_travel(struct late_tally *tally, struct late_seen *seen, const struct tracer *t, size_t index);

#endif
